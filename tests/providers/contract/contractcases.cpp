// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/providers/contract/contractcases.h"

#include "core/base/files.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include <cstdio>

namespace Glovebox::Testing {

qint64 largeBytes()
{
    const int mebibytes = qEnvironmentVariableIntValue("GLOVEBOX_CONTRACT_MIB");
    return qint64(mebibytes > 0 ? mebibytes : 200) * 1024 * 1024;
}

CaseContext::CaseContext(ContractHarness &which)
    : harness(which)
    , runId(newId())
    , provider(which.makeProvider())
{
    if (harness.control()) {
        control().reset();
    }
}

CaseContext::~CaseContext()
{
    if (harness.control()) {
        control().reset();
    }
    sandbox.reset();
    const Result<QList<SandboxInfo>> left = await(provider->list({}, {}));
    for (const SandboxInfo &info : left.value_or(QList<SandboxInfo>())) {
        if (info.labels.value(QStringLiteral("run")) == runId) {
            (void)await(provider->destroy(info.id, {}));
        }
    }
}

QString CaseContext::make()
{
    const Result<std::shared_ptr<Sandbox>> made = await(provider->create(harness.spec(runId), {}));
    if (!made) {
        return errorText(made.error());
    }
    sandbox = *made;
    return {};
}

Command CaseContext::shell(const QString &line) const
{
    Command command;
    command.argv = {QStringLiteral("sh"), QStringLiteral("-c"), line};
    command.directory = sandbox->workFolder();
    command.limit = std::chrono::seconds(60);
    return command;
}

Result<CommandResult> CaseContext::run(const Command &command)
{
    sink = std::make_shared<TextSink>();
    return await(runCommand(sandbox, {newId()}, command, sink, {}));
}

bool CaseContext::beats(const QString &file)
{
    // A stopped process is alive: it goes on when it is let.
    const Result<CommandResult> seen =
        run(shell(QStringLiteral("for p in $(cat %1.pids); do kill -CONT $p; done 2>/dev/null; "
                                 "a=$(wc -c <%1); sleep 0.4; b=$(wc -c <%1); [ $a = $b ]")
                      .arg(file)));
    return !seen || seen->exitCode != 0;
}

Result<QList<SandboxInfo>> CaseContext::list()
{
    return await(provider->list({{QStringLiteral("run"), runId}}, {}));
}

namespace {

class ContractSuite final : public QObject
{
    Q_OBJECT

public:
    explicit ContractSuite(ContractHarness &harness)
        : m_harness(harness)
        , m_cases(commandCases() + fileCases() + serviceCases())
    {
    }

private Q_SLOTS:
    void contract_data();
    void contract();
    void cleanupTestCase();

private:
    [[nodiscard]] QString notOffered(const ContractCase &checked) const;
    void note(const ContractCase &checked, const QString &result, const QString &reason,
              qint64 milliseconds);

    ContractHarness &m_harness;
    QList<ContractCase> m_cases;
    QJsonArray m_rows;
};

void ContractSuite::contract_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < m_cases.size(); ++i) {
        QTest::newRow(qPrintable(m_cases.at(i).id + u'-' + m_cases.at(i).name)) << i;
    }
}

QString ContractSuite::notOffered(const ContractCase &checked) const
{
    const QString reason = m_harness.notOffered(checked.id);
    const bool needsControl = checked.needs == ContractCase::Needs::Control;
    return reason.isEmpty() && needsControl && !m_harness.control()
               ? QStringLiteral("a real service cannot be made to fail")
               : reason;
}

void ContractSuite::contract()
{
    QFETCH(int, index);
    const ContractCase &checked = m_cases.at(index);
    const QString reason = notOffered(checked);
    if (!reason.isEmpty()) {
        note(checked, QStringLiteral("not offered"), reason, 0);
        QSKIP(qPrintable(reason));
    }
    QElapsedTimer timer;
    timer.start();
    QString wrong;
    {
        CaseContext context(m_harness);
        wrong = checked.check(context);
    }
    note(checked, wrong.isEmpty() ? QStringLiteral("passed") : QStringLiteral("failed"), wrong,
         timer.elapsed());
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void ContractSuite::note(const ContractCase &checked, const QString &result, const QString &reason,
                         qint64 milliseconds)
{
    m_rows.append(QJsonObject{{QStringLiteral("backend"), m_harness.backend()},
                              {QStringLiteral("case"), checked.id},
                              {QStringLiteral("name"), checked.name},
                              {QStringLiteral("result"), result},
                              {QStringLiteral("reason"), reason},
                              {QStringLiteral("ms"), milliseconds}});
}

void ContractSuite::cleanupTestCase()
{
    for (const auto &value : qAsConst(m_rows)) {
        const QJsonObject row = value.toObject();
        const QString line = QStringLiteral("%1  %2 %3 %4 %5 ms  %6")
                                 .arg(row[QStringLiteral("backend")].toString(), -8)
                                 .arg(row[QStringLiteral("case")].toString(), -3)
                                 .arg(row[QStringLiteral("name")].toString(), -28)
                                 .arg(row[QStringLiteral("result")].toString(), -11)
                                 .arg(row[QStringLiteral("ms")].toInt(), 6)
                                 .arg(row[QStringLiteral("reason")].toString());
        std::puts(qPrintable(line));
    }
    const QString file = qEnvironmentVariable("GLOVEBOX_CONTRACT_RESULTS");
    if (!file.isEmpty()) {
        VERIFY_RESULT(writeFile(file, QJsonDocument(m_rows).toJson()));
    }
}

} // namespace

int runContract(ContractHarness &harness, int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    ContractSuite suite(harness);
    return QTest::qExec(&suite, argc, argv);
}

} // namespace Glovebox::Testing

#include "contractcases.moc"
