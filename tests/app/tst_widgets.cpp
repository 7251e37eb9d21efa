// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/runview.h"
#include "app/widgets/badge.h"
#include "app/widgets/banner.h"
#include "app/widgets/dialogs.h"
#include "app/widgets/elidedlabel.h"
#include "app/widgets/icon.h"
#include "app/widgets/linelayout.h"
#include "app/widgets/viewstates.h"
#include "tests/app/support/widgettesting.h"

#include <QDir>
#include <QLabel>
#include <QMetaEnum>
#include <QPushButton>
#include <QSignalSpy>

#include <cmath>

using namespace Glovebox;

namespace {

double linear(int channel)
{
    const double value = channel / 255.0;
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &colour)
{
    return 0.2126 * linear(colour.red()) + 0.7152 * linear(colour.green()) +
           0.0722 * linear(colour.blue());
}

/// WCAG 2.1
double contrast(const QColor &a, const QColor &b)
{
    const double light = qMax(luminance(a), luminance(b));
    const double dark = qMin(luminance(a), luminance(b));
    return (light + 0.05) / (dark + 0.05);
}

struct Pair
{
    Token text;
    Token surface;
    double atLeast;
};

} // namespace

class TestWidgets : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Testing::prepareApplication(); }
    void everyTokenIsInTheThemeFile();
    void textCanBeRead_data();
    void theEmptyIconFollowsTheTheme();
    void systemMeansTheDesktop_data();
    void systemMeansTheDesktop();
    void spansAreShort_data();
    void spansAreShort();
    void textCanBeRead();
    void thePaletteChoosesTheSet();
    void everyStateHasAGlyphOfItsOwn();
    void everyIconDraws();
    void labelsAreNeverRichText();
    void hiddenCharactersBecomeBoxes_data();
    void hiddenCharactersBecomeBoxes();
    void columnsConvertBothWays();
    void aLongLineLaysOutWhatIsVisible();
    void aViewHasFourStates();
    void cancelIsNoError();
    void theSeamAnswers();
    void staleEvidenceSaysSo();
};

void TestWidgets::everyTokenIsInTheThemeFile()
{
    QCOMPARE(Tokens::light().missing(), QStringList());
    QCOMPARE(Tokens::dark().missing(), QStringList());
}

void TestWidgets::textCanBeRead_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void TestWidgets::textCanBeRead()
{
    QFETCH(bool, dark);
    const Tokens &t = dark ? Tokens::dark() : Tokens::light();
    const QList<Pair> pairs = {
        {Token::Text, Token::Window, 4.5},       {Token::Text, Token::Base, 4.5},
        {Token::Text, Token::Soft, 4.5},         {Token::Dim, Token::Side, 4.5},
        {Token::Dim, Token::Head, 4.5},          {Token::Faint, Token::Gut, 4.5},
        {Token::Faint, Token::Base, 4.5},        {Token::Accent, Token::Base, 4.5},
        {Token::AccentText, Token::Accent, 4.5}, {Token::SoftText, Token::Soft, 4.5},
        {Token::Ok, Token::OkSoft, 4.5},         {Token::Warn, Token::WarnSoft, 4.5},
        {Token::Bad, Token::BadSoft, 4.5},       {Token::Off, Token::OffSoft, 4.5},
        {Token::Hid, Token::HidSoft, 4.5},       {Token::AddS, Token::AddBg, 4.5},
        {Token::DelS, Token::DelBg, 4.5},        {Token::Text, Token::AddW, 4.5},
        {Token::Text, Token::DelW, 4.5},         {Token::Edge, Token::Base, 3.0},
        {Token::WarnMark, Token::Base, 3.0},     {Token::SynC, Token::AddW, 4.5}};
    const QMetaEnum names = QMetaEnum::fromType<Token>();
    for (const Pair &pair : pairs) {
        const double ratio = contrast(t[pair.text], t[pair.surface]);
        QVERIFY2(ratio >= pair.atLeast,
                 qPrintable(QStringLiteral("%1 on %2: %3")
                                .arg(QLatin1String(names.valueToKey(int(pair.text))),
                                     QLatin1String(names.valueToKey(int(pair.surface))))
                                .arg(ratio)));
    }
}

void TestWidgets::thePaletteChoosesTheSet()
{
    QCOMPARE(&Tokens::of(Tokens::light().palette()), &Tokens::light());
    QCOMPARE(&Tokens::of(Tokens::dark().palette()), &Tokens::dark());
    applyTheme(Theme::Dark);
    QCOMPARE(&Tokens::of(QApplication::palette()), &Tokens::dark());
    applyTheme(Theme::Light);
    QCOMPARE(&Tokens::of(QApplication::palette()), &Tokens::light());
}

void TestWidgets::everyStateHasAGlyphOfItsOwn()
{
    QStringList looks;
    QStringList words;
    for (int state = 0; state <= static_cast<int>(RunState::Rejected); ++state) {
        const Glyph glyph = glyphOf(static_cast<RunState>(state));
        looks += QStringLiteral("%1 %2").arg(int(glyph.shape)).arg(int(glyph.mark));
        words += wordOf(static_cast<RunState>(state));
        QImage image(20, 20, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paintGlyph(&painter, QRectF(0, 0, 20, 20), glyph, Tokens::light());
        painter.end();
        QImage blank(image.size(), image.format());
        blank.fill(Qt::transparent);
        QVERIFY2(image != blank, qPrintable(words.last()));
    }
    QCOMPARE(words.removeDuplicates(), 0);
    QCOMPARE(looks.removeDuplicates(), 0); // shape and mark alone tell them apart
}

void TestWidgets::everyIconDraws()
{
    const QStringList files = QDir(QStringLiteral(":/glovebox/icons")).entryList();
    QVERIFY(files.size() > 30);
    for (const QString &file : files) {
        const QString name = file.chopped(4);
        const QPixmap pixmap = iconPixmap(name, Qt::black, 16, 2);
        QCOMPARE(pixmap.size(), QSize(32, 32));
        QImage blank(32, 32, QImage::Format_ARGB32_Premultiplied);
        blank.fill(Qt::transparent);
        QImage drawn = pixmap.toImage().convertToFormat(blank.format());
        drawn.setDevicePixelRatio(1);
        QVERIFY2(drawn != blank, qPrintable(name));
    }
}

void TestWidgets::labelsAreNeverRichText()
{
    ElidedLabel label(ElidedLabel::Size::Body);
    label.setText(QStringLiteral("<b>bold</b>\nline"));
    QCOMPARE(label.text(), QStringLiteral("<b>bold</b> line"));
    label.resize(20, 20);
    QVERIFY(label.isElided());
    QVERIFY(!label.toolTip().contains(QLatin1Char('<')));
    const std::unique_ptr<QLabel> plain(makePlainLabel(QStringLiteral("<img src=x>"), nullptr));
    QCOMPARE(plain->textFormat(), Qt::PlainText);
}

void TestWidgets::hiddenCharactersBecomeBoxes_data()
{
    QTest::addColumn<QString>("stored");
    QTest::addColumn<QString>("shown");
    QTest::newRow("plain") << QStringLiteral("a\tb") << QStringLiteral("a\tb");
    QTest::newRow("umlaut") << QStringLiteral("für") << QStringLiteral("für");
    QTest::newRow("override") << QStringLiteral("a\u202eb") << QStringLiteral("a U+202E b");
    QTest::newRow("zero width") << QStringLiteral("x\u200by") << QStringLiteral("x U+200B y");
    QTest::newRow("CR") << QStringLiteral("x\r") << QStringLiteral("x CR ");
    QTest::newRow("escape") << QString(QChar(0x1b)) << QStringLiteral(" U+001B ");
    QTest::newRow("tag") << QString::fromUcs4(U"\U000E0041", 1) << QStringLiteral(" U+E0041 ");
    QTest::newRow("lone surrogate") << QString(QChar(0xd800)) << QStringLiteral(" U+D800 ");
    QTest::newRow("emoji") << QString::fromUcs4(U"\U0001F600", 1)
                           << QString::fromUcs4(U"\U0001F600", 1);
}

void TestWidgets::hiddenCharactersBecomeBoxes()
{
    QFETCH(QString, stored);
    QFETCH(QString, shown);
    QCOMPARE(VisibleText::of(stored).shown(), shown);
}

void TestWidgets::columnsConvertBothWays()
{
    const QString stored = QStringLiteral("ab\u202ecd\u2066ef");
    const VisibleText text = VisibleText::of(stored);
    QCOMPARE(text.boxes().size(), 2);
    for (int column = 0; column <= stored.size(); ++column) {
        QCOMPARE(text.toStored(text.toShown(column)), column);
    }
    QCOMPARE(text.toStored(text.boxes().at(0).start + 1), 2);
    QCOMPARE(text.toStored(text.boxes().at(0).start + text.boxes().at(0).length - 1), 3);
}

void TestWidgets::aLongLineLaysOutWhatIsVisible()
{
    QString line(200'000, QLatin1Char('x'));
    line[150'000] = QChar(0x202e);
    QFont font(QStringLiteral("DejaVu Sans Mono"));
    font.setPixelSize(13);
    LineLayout layout(line, font, {}, 32);
    const qreal advance = QFontMetricsF(font).horizontalAdvance(QLatin1Char('0'));
    QVERIFY(qAbs(layout.xOf(100'000) - advance * 100'000) < advance);
    QCOMPARE(layout.columnAt(advance * 100'000 + 1), 100'000);
    QCOMPARE(layout.columnAt(layout.xOf(180'000) + 1), 180'000);
    QVERIFY(layout.width() > advance * 200'000);
}

void TestWidgets::aViewHasFourStates()
{
    auto *content = new QWidget;
    ViewStates states(content);
    states.setEmpty(QStringLiteral("list"), QStringLiteral("No runs yet."),
                    QStringLiteral("A task becomes a run."), QStringLiteral("New task…"));
    states.showEmpty();
    states.resize(400, 300);
    states.show();
    QCOMPARE(states.state(), ViewStates::State::Empty);
    QSignalSpy clicked(&states, &ViewStates::emptyButtonClicked);
    states.findChild<QPushButton *>()->window();
    for (QPushButton *button : states.findChildren<QPushButton *>()) {
        if (button->text() == QStringLiteral("New task…")) {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }
    QCOMPARE(clicked.count(), 1);
    states.showContent();
    QVERIFY(content->isVisible());
    states.setBusy(QStringLiteral("Reading…"));
    QVERIFY(states.isBusy());
    QVERIFY(content->isVisible()); // old content stays
    states.setBusy({});
    states.showError({ErrorCode::FileError, QStringLiteral("It cannot be read."), {}});
    QCOMPARE(states.errorText(), QStringLiteral("It cannot be read."));
    QVERIFY(content->isVisible());
    states.clearError();
    QCOMPARE(states.errorText(), QString());
}

void TestWidgets::cancelIsNoError()
{
    ViewStates states(new QWidget);
    states.showError(cancelledError());
    QCOMPARE(states.errorText(), QString());
}

void TestWidgets::theSeamAnswers()
{
    PreparedDialogs dialogs;
    QWidget parent;
    dialogs.setNextAnswer(QStringLiteral("stop"));
    QString answer;
    dialogs.ask(&parent, {QStringLiteral("Stop?"), {}, {}, QStringLiteral("no")},
                [&answer](const QString &id) { answer = id; });
    QVERIFY(answer.isEmpty()); // later, as on screen
    QTRY_COMPARE(answer, QStringLiteral("stop"));
    dialogs.ask(&parent, {}, [](const QString &) {});
    QCOMPARE(dialogs.unanswered(), 1);
    QCOMPARE(dialogs.asked().size(), 2);
}

void TestWidgets::staleEvidenceSaysSo()
{
    Badge badge(Badge::Look::Outlined);
    badge.show(doneGlyph(), QStringLiteral("For 8be31a7"), Badge::Validity::Stale);
    QCOMPARE(badge.accessibleName(), QStringLiteral("For 8be31a7, out of date"));
    badge.resize(badge.sizeHint());
    const QImage image = Testing::picture(&badge, 1);
    QVERIFY(image.pixelColor(14, image.height() / 2 - 5) != Tokens::light()[Token::Ok]);
}

void TestWidgets::theEmptyIconFollowsTheTheme()
{
    ViewStates states(new QWidget);
    states.setEmpty(QStringLiteral("list"), QStringLiteral("No runs yet."), {}, {});
    states.show();
    const auto brightest = [&states] {
        int lightness = 0;
        for (const QLabel *label : states.findChildren<QLabel *>()) {
            const QImage image = label->pixmap().toImage();
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const QColor colour = image.pixelColor(x, y);
                    lightness =
                        colour.alpha() > 200 ? qMax(lightness, colour.lightness()) : lightness;
                }
            }
        }
        return lightness;
    };
    const int light = brightest();
    QVERIFY(light > 0 && light < 127);
    applyTheme(Theme::Dark);
    QTRY_VERIFY(brightest() > 127); // widgets hear of it in a later turn
    applyTheme(Theme::Light);
    QTRY_COMPARE(brightest(), light);
}

void TestWidgets::systemMeansTheDesktop_data()
{
    QTest::addColumn<QColor>("desktop");
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << QColor(Qt::white) << false;
    QTest::newRow("dark") << QColor(Qt::black) << true;
}

/// Also after another theme was chosen.
void TestWidgets::systemMeansTheDesktop()
{
    QFETCH(QColor, desktop);
    QFETCH(bool, dark);
    const QVariant before = qApp->property("gloveboxDesktopPalette");
    qApp->setProperty("gloveboxDesktopPalette", QPalette(desktop));
    applyTheme(dark ? Theme::Light : Theme::Dark);
    applyTheme(Theme::System);
    const bool now = QApplication::palette().color(QPalette::Window).lightness() <= 127;
    qApp->setProperty("gloveboxDesktopPalette", before);
    applyTheme(Theme::Light);
    QCOMPARE(now, dark);
}

void TestWidgets::spansAreShort_data()
{
    QTest::addColumn<qint64>("milliseconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("tenths") << qint64(2100) << QStringLiteral("2.1 s");
    QTest::newRow("seconds") << qint64(42'900) << QStringLiteral("42 s");
    QTest::newRow("minutes") << qint64(300'000) << QStringLiteral("5 min");
    QTest::newRow("both") << qint64(1'122'000) << QStringLiteral("18 min 42 s");
    QTest::newRow("an hour") << qint64(3'600'000) << QStringLiteral("1 h");
    QTest::newRow("more") << qint64(5'400'000) << QStringLiteral("1 h 30 min");
}

void TestWidgets::spansAreShort()
{
    QFETCH(qint64, milliseconds);
    QFETCH(QString, text);
    QCOMPARE(spanText(milliseconds), text);
}

QTEST_MAIN(TestWidgets)
#include "tst_widgets.moc"
