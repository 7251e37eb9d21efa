// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cli.h"
#include "tests/support/testing.h"

#include <QTemporaryDir>

using namespace Glovebox;
using namespace Glovebox::Testing;

/// `glovebox-cli plan` and `lint` on a task that somebody else wrote.
class PlanVerbTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textOfTheTaskIsHarmless_data();
    void textOfTheTaskIsHarmless();
    void refusedPlanIsOneWholeDocument();

private:
    [[nodiscard]] CliResult call(const QString &verb, const QByteArray &task,
                                 const QStringList &options = {}) const;
};

CliResult PlanVerbTest::call(const QString &verb, const QByteArray &task,
                             const QStringList &options) const
{
    const QTemporaryDir folder;
    const TestRepository repository(folder.filePath(QStringLiteral("repo")));
    repository.write(QStringLiteral("a.txt"), "one\n");
    repository.write(QStringLiteral("x.task.md"), task);
    const QString base = repository.commitAll(QStringLiteral("Base"));
    return base.isEmpty()
               ? CliResult()
               : runCli(QStringList{verb, repository.folder() + QStringLiteral("/x.task.md"),
                                    QStringLiteral("--data-dir"),
                                    folder.filePath(QStringLiteral("data"))} +
                        options);
}

void PlanVerbTest::textOfTheTaskIsHarmless_data()
{
    QTest::addColumn<QString>("verb");
    QTest::addColumn<QByteArray>("task");
    const QByteArray front(
        "---\nagent: {command: \"true \\e[2J\\e[H\"}\nscope: a.txt\n"
        "acceptance: \"true \\e]0;x\\a \\u202e\"\nsetup: \"true \\e[1A\"\n---\n");
    QTest::newRow("plan") << QStringLiteral("plan") << QByteArray(front + "# Do\n\nIt.\n");
    QTest::newRow("lint") << QStringLiteral("lint")
                          << QByteArray("---\n\"\\e[2J\": 1\n---\n# \x1b[2J\n\nIt.\n");
}

void PlanVerbTest::textOfTheTaskIsHarmless()
{
    QFETCH(QString, verb);
    QFETCH(QByteArray, task);
    const CliResult result = call(verb, task);
    const QByteArray said = result.output + result.error;
    QVERIFY2(said.contains("<U+001B>"), said.constData());
    QVERIFY2(!said.contains('\x1b') && !said.contains('\a') && !said.contains("\u202e"),
             said.constData());
}

void PlanVerbTest::refusedPlanIsOneWholeDocument()
{
    const CliResult result = call(QStringLiteral("plan"), "---\nagent: nobody\n---\n# Do\n\nIt.\n",
                                  {QStringLiteral("--json")});
    QCOMPARE(result.code, 2);
    QVERIFY(!result.document[QLatin1String("problems")].toArray().isEmpty());
    for (const QString &key : {QStringLiteral("plan"), QStringLiteral("digest")}) {
        QVERIFY2(result.document.contains(key) && result.document[key].isNull(), qPrintable(key));
    }
}

QTEST_GUILESS_MAIN(PlanVerbTest)
#include "tst_planverb.moc"
