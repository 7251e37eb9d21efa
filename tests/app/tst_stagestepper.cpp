// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/stagestepper.h"
#include "tests/app/support/widgettesting.h"

#include <QAccessible>
#include <QSignalSpy>

using namespace Glovebox;

namespace {

Stages sampleStages()
{
    Stages stages;
    stages[0] = {StageState::Done, QStringLiteral("scope src/**"), {}};
    stages[1] = {StageState::Done, QStringLiteral("srt · 18 min 42 s"), {}};
    stages[2] = {StageState::Failed, QStringLiteral("exit 1 on branch"), {}};
    stages[3] = {StageState::Waiting, QStringLiteral("3 commits"), {}};
    stages[4] = {StageState::ToCome, {}, QStringLiteral("Waits for the branch.")};
    return stages;
}

} // namespace

class TestStageStepper : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Testing::prepareApplication(); }
    void init();
    void keysMoveAndOpen();
    void aStageToComeDoesNotOpen();
    void aClickOpens();
    void cellsStandInOrderWithoutOverlap_data();
    void cellsStandInOrderWithoutOverlap();
    void readsAsATabBar();
    void foldsWhenNarrow();
    void everyStateHasItsLook_data();
    void everyStateHasItsLook();

private:
    std::unique_ptr<StageStepper> m_stepper;
};

void TestStageStepper::init()
{
    m_stepper = std::make_unique<StageStepper>();
    m_stepper->setStages(sampleStages());
    m_stepper->setShown(Stage::Verify);
    m_stepper->resize(m_stepper->sizeHint());
    m_stepper->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_stepper.get()));
}

void TestStageStepper::keysMoveAndOpen()
{
    QSignalSpy requested(m_stepper.get(), &StageStepper::stageRequested);
    QTest::keyClick(m_stepper.get(), Qt::Key_Left);
    QCOMPARE(m_stepper->focused(), Stage::Build);
    QCOMPARE(m_stepper->shown(), Stage::Verify); // moving the focus opens nothing
    QCOMPARE(requested.count(), 0);
    QTest::keyClick(m_stepper.get(), Qt::Key_Return);
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested.at(0).at(0).value<Stage>(), Stage::Build);
    QTest::keyClick(m_stepper.get(), Qt::Key_Home);
    QTest::keyClick(m_stepper.get(), Qt::Key_Left);
    QCOMPARE(m_stepper->focused(), Stage::Specify);
    QTest::keyClick(m_stepper.get(), Qt::Key_End);
    QCOMPARE(m_stepper->focused(), Stage::Review);
}

void TestStageStepper::aStageToComeDoesNotOpen()
{
    QSignalSpy requested(m_stepper.get(), &StageStepper::stageRequested);
    QTest::keyClick(m_stepper.get(), Qt::Key_End);
    QTest::keyClick(m_stepper.get(), Qt::Key_Return);
    QTest::mouseClick(m_stepper.get(), Qt::LeftButton, {},
                      m_stepper->cellRect(Stage::Review).center());
    QCOMPARE(requested.count(), 0);
}

void TestStageStepper::aClickOpens()
{
    QSignalSpy requested(m_stepper.get(), &StageStepper::stageRequested);
    QTest::mouseClick(m_stepper.get(), Qt::LeftButton, {},
                      m_stepper->cellRect(Stage::Return).center());
    QCOMPARE(requested.count(), 1);
    QCOMPARE(requested.at(0).at(0).value<Stage>(), Stage::Return);
}

void TestStageStepper::cellsStandInOrderWithoutOverlap_data()
{
    QTest::addColumn<Qt::LayoutDirection>("direction");
    QTest::newRow("left to right") << Qt::LeftToRight;
    QTest::newRow("right to left") << Qt::RightToLeft;
}

void TestStageStepper::cellsStandInOrderWithoutOverlap()
{
    QFETCH(Qt::LayoutDirection, direction);
    m_stepper->setLayoutDirection(direction);
    for (int index = 0; index + 1 < stageCount; ++index) {
        const QRect here = m_stepper->cellRect(static_cast<Stage>(index));
        const QRect next = m_stepper->cellRect(static_cast<Stage>(index + 1));
        QVERIFY(m_stepper->rect().contains(here));
        QVERIFY(!here.intersects(next));
        QCOMPARE(here.left() < next.left(), direction == Qt::LeftToRight);
    }
}

void TestStageStepper::readsAsATabBar()
{
    QAccessibleInterface *bar = QAccessible::queryAccessibleInterface(m_stepper.get());
    QVERIFY(bar != nullptr);
    QCOMPARE(bar->role(), QAccessible::PageTabList);
    QCOMPARE(bar->childCount(), stageCount);
    QAccessibleInterface *verify = bar->child(2);
    QCOMPARE(verify->role(), QAccessible::PageTab);
    QCOMPARE(verify->text(QAccessible::Name),
             QStringLiteral("Verify, stage 3 of 5, failed: exit 1 on branch"));
    QVERIFY(verify->state().selected);
    QVERIFY(!verify->state().disabled);
    QAccessibleInterface *review = bar->child(4);
    QVERIFY(review->state().disabled);
    QCOMPARE(review->text(QAccessible::Description), QStringLiteral("Waits for the branch."));
    QCOMPARE(bar->indexOfChild(review), 4);

    QSignalSpy requested(m_stepper.get(), &StageStepper::stageRequested);
    verify->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(requested.count(), 1);
}

void TestStageStepper::foldsWhenNarrow()
{
    m_stepper->resize(m_stepper->minimumSizeHint());
    const int glyphOnly = m_stepper->cellRect(Stage::Specify).width();
    QVERIFY(glyphOnly < 60);
    QVERIFY(m_stepper->cellRect(Stage::Verify).width() > glyphOnly);
    QVERIFY(m_stepper->rect().contains(m_stepper->cellRect(Stage::Review)));
}

void TestStageStepper::everyStateHasItsLook_data()
{
    QTest::addColumn<StageState>("state");
    QTest::addColumn<Token>("token");
    QTest::addColumn<QString>("word");
    QTest::addColumn<bool>("opens");
    QTest::newRow("done") << StageState::Done << Token::Ok << QStringLiteral("done") << true;
    QTest::newRow("failed") << StageState::Failed << Token::Bad << QStringLiteral("failed") << true;
    QTest::newRow("not run") << StageState::NotRun << Token::Off << QStringLiteral("skipped")
                             << true;
    QTest::newRow("to review") << StageState::ToReview << Token::Accent
                               << QStringLiteral("ready for review") << true;
    QTest::newRow("to come") << StageState::ToCome << Token::Edge << QStringLiteral("to come")
                             << false;
}

/// In its glyph's own colour, with a word, and in no colour that says something else.
void TestStageStepper::everyStateHasItsLook()
{
    QFETCH(StageState, state);
    QFETCH(Token, token);
    QFETCH(QString, word);
    QFETCH(bool, opens);
    Stages stages;
    stages[2] = {state, QStringLiteral("fact"), {}};
    m_stepper->setStages(stages);
    m_stepper->setShown(Stage::Specify);
    QCOMPARE(m_stepper->describe(Stage::Verify),
             QStringLiteral("Verify, stage 3 of 5, %1: fact").arg(word));
    QCOMPARE(m_stepper->canOpen(Stage::Verify), opens);
    const QImage image = Testing::picture(m_stepper.get(), 2);
    const QRect cell = m_stepper->cellRect(Stage::Verify);
    const QRect glyph(cell.left() + 8, cell.top(), 26, cell.height());
    const auto count = [&](Token wanted) {
        int pixels = 0;
        for (int y = glyph.top() * 2; y < glyph.bottom() * 2; ++y) {
            for (int x = glyph.left() * 2; x < glyph.right() * 2; ++x) {
                pixels += image.pixelColor(x, y) == Tokens::light()[wanted] ? 1 : 0;
            }
        }
        return pixels;
    };
    QVERIFY(count(token) > 20);
    if (token != Token::Bad) {
        QCOMPARE(count(Token::Bad), 0);
    }
}

QTEST_MAIN(TestStageStepper)
#include "tst_stagestepper.moc"
