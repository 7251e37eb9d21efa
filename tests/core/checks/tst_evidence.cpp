// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/checks/evidence.h"

#include <QTest>

using namespace Glovebox;
using End = CommandResult::End;

Q_DECLARE_METATYPE(End)

class EvidenceTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void verdicts_data();
    void verdicts();
    void subjectsAreTold();
};

void EvidenceTest::verdicts_data()
{
    QTest::addColumn<End>("end");
    QTest::addColumn<int>("code");
    QTest::addColumn<bool>("passed");
    QTest::addColumn<bool>("unknown");
    QTest::newRow("zero") << End::Exited << 0 << true << false;
    QTest::newRow("one") << End::Exited << 1 << false << false;
    QTest::newRow("timed out, though with zero") << End::TimedOut << 0 << false << false;
    QTest::newRow("lost") << End::Lost << 0 << false << true;
    QTest::newRow("not started") << End::NotStarted << 0 << false << true;
}

void EvidenceTest::verdicts()
{
    QFETCH(End, end);
    QFETCH(int, code);
    Evidence evidence;
    evidence.result.end = end;
    evidence.result.exitCode = code;
    QTEST(evidence.passed(), "passed");
    QTEST(evidence.unknown(), "unknown");
}

void EvidenceTest::subjectsAreTold()
{
    const QList<Subject> all{Subject::Branch, Subject::Base, Subject::BranchWithBaseTests};
    const QStringList names{QStringLiteral("branch"), QStringLiteral("base"),
                            QStringLiteral("branch_with_base_tests")};
    QSet<QString> texts;
    for (qsizetype i = 0; i < all.size(); ++i) {
        QCOMPARE(subjectName(all.at(i)), names.at(i));
        texts.insert(subjectText(all.at(i)));
    }
    QCOMPARE(texts.size(), 3);
}

QTEST_GUILESS_MAIN(EvidenceTest)
#include "tst_evidence.moc"
