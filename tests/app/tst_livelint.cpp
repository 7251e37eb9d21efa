// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// The editor says of a text what `glovebox-cli lint` says of the file.
#include "app/tasks/livelint.h"
#include "tests/core/runs/workbench.h"

using namespace Glovebox;
using namespace Glovebox::Testing;

class TestLiveLint final : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void init() { m_bench = std::make_unique<Workbench>(); }
    void saysWhatTheCommandLineSays_data();
    void saysWhatTheCommandLineSays();
    void theScopeIsThatOfTheBase();
    void withoutRepositoryItSaysSo();
    void withoutCommitItSaysSo();
    void theBaseIsReadAgainWhenItMoved();

private:
    [[nodiscard]] LintRequest request(const QByteArray &front) const
    {
        return {"---\ntitle: T\nacceptance: make\n" + front + "---\n\nDo it.\n",
                {},
                m_bench->repository().folder()};
    }
    [[nodiscard]] static QStringList codes(const QList<Problem> &problems)
    {
        QStringList all;
        for (const Problem &problem : problems) {
            all << problem.code;
        }
        return all;
    }

    std::unique_ptr<Workbench> m_bench;
};

void TestLiveLint::saysWhatTheCommandLineSays_data()
{
    QTest::addColumn<QByteArray>("front");
    QTest::addColumn<QString>("code");
    QTest::newRow("agent") << QByteArray("agent: nobody\n") << QStringLiteral("unknown-agent");
    QTest::newRow("backend") << QByteArray("backend: nowhere\n")
                             << QStringLiteral("unknown-backend");
    QTest::newRow("base") << QByteArray("base: missing\n") << QStringLiteral("no-base");
    QTest::newRow("host") << QByteArray("network: {allow: ['http://x y']}\n")
                          << QStringLiteral("bad-host");
    QTest::newRow("open network") << QByteArray("network: open\n")
                                  << QStringLiteral("open-network");
    QTest::newRow("scope") << QByteArray("scope: [nothing/**]\n")
                           << QStringLiteral("matches-nothing");
}

void TestLiveLint::saysWhatTheCommandLineSays()
{
    QFETCH(QByteArray, front);
    QFETCH(QString, code);
    const LintRequest wanted = request(front);
    const QList<Problem> live = await(liveLinter(m_bench->parts())(wanted, {}));
    PlanRequest asked;
    asked.taskFile = m_bench->path(QStringLiteral("same.task.md"));
    asked.repository = wanted.workTree;
    QFile file(asked.taskFile);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(wanted.text), wanted.text.size());
    file.close();
    const Result<LintedTask> linted = await(lintTaskFile(m_bench->parts(), asked, {}));
    VERIFY_RESULT(linted);
    QCOMPARE(codes(live), codes(linted->problems));
    QVERIFY2(codes(live).contains(code), qPrintable(codes(live).join(QLatin1Char(' '))));
    QVERIFY(hasErrors(live));
}

void TestLiveLint::theScopeIsThatOfTheBase()
{
    const TestRepository &repository = m_bench->repository();
    repository.git({QStringLiteral("branch"), QStringLiteral("old")});
    repository.write(QStringLiteral("fresh/a.txt"), "one\n");
    const QString head = repository.commitAll(QStringLiteral("More"));
    QVERIFY(!head.isEmpty());
    const TaskPage::Linter lint = liveLinter(m_bench->parts());
    const QString empty = QStringLiteral("matches-nothing");
    QVERIFY(!codes(await(lint(request("scope: [fresh/**]\n"), {}))).contains(empty));
    QVERIFY(codes(await(lint(request("scope: [fresh/**]\nbase: old\n"), {}))).contains(empty));
    QVERIFY(!codes(await(lint(request("scope: [fresh/**]\n"), {}))).contains(empty));
}

void TestLiveLint::withoutRepositoryItSaysSo()
{
    const TaskPage::Linter lint = liveLinter(m_bench->parts());
    LintRequest wanted = request("titel: x\n");
    wanted.workTree = m_bench->path(QStringLiteral("plain"));
    QVERIFY(QDir().mkpath(wanted.workTree));
    const QList<Problem> problems = await(lint(wanted, {}));
    QVERIFY(hasErrors(problems));
    QVERIFY(problems.last().message.contains(QStringLiteral("is not inside a git repository")));
    QVERIFY(problems.size() > 1); // and what is wrong with the text itself
    wanted.workTree.clear();
    QVERIFY(hasErrors(await(lint(wanted, {}))));
}

void TestLiveLint::withoutCommitItSaysSo()
{
    LintRequest wanted = request({});
    wanted.workTree = m_bench->path(QStringLiteral("unborn"));
    QVERIFY(QDir().mkpath(wanted.workTree));
    run(QStringLiteral("git"), {QStringLiteral("init"), QStringLiteral("-q")}, wanted.workTree);
    const QList<Problem> problems = await(liveLinter(m_bench->parts())(wanted, {}));
    QVERIFY(hasErrors(problems));
    QVERIFY(problems.last().message.contains(QStringLiteral("no commit yet")));
}

void TestLiveLint::theBaseIsReadAgainWhenItMoved()
{
    const TaskPage::Linter lint = liveLinter(m_bench->parts());
    const LintRequest wanted = request("scope: [later/**]\n");
    const QString empty = QStringLiteral("matches-nothing");
    QVERIFY(codes(await(lint(wanted, {}))).contains(empty));
    QVERIFY(codes(await(lint(wanted, {}))).contains(empty)); // from memory
    m_bench->repository().write(QStringLiteral("later/a.txt"), "one\n");
    QVERIFY(!m_bench->repository().commitAll(QStringLiteral("More")).isEmpty());
    QVERIFY(!codes(await(lint(wanted, {}))).contains(empty));
}

QTEST_MAIN(TestLiveLint)
#include "tst_livelint.moc"
