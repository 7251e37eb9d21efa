// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/runstore.h"

#include "core/base/files.h"
#include "core/base/ids.h"
#include "core/runs/schema.h"
#include "core/runs/sql.h"

#include <QVariant>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(RunStore)
};

const QString runColumns = QStringLiteral(
    "id, repository, git_folder, task_path, task_digest, title, provider, agent, phase, outcome, "
    "message, last_words, cost_usd, input_tokens, output_tokens, base, tip, wanted_branch, branch, "
    "plan, "
    "plan_digest, owner, created, ended");

template<typename T>
std::optional<T> optionalOf(const QVariant &value)
{
    return value.isNull() ? std::nullopt : std::optional<T>(value.value<T>());
}

RunRecord readRun(const QSqlQuery &row)
{
    RunRecord run;
    int i = 0;
    run.id = row.value(i++).toString();
    run.repository = row.value(i++).toString();
    run.gitFolder = row.value(i++).toString();
    run.taskPath = row.value(i++).toString();
    run.taskDigest = row.value(i++).toString();
    run.title = row.value(i++).toString();
    run.provider = row.value(i++).toString();
    run.agent = row.value(i++).toString();
    run.phase = phaseOf(row.value(i++).toString()).value_or(RunPhase::Interrupted);
    run.outcome = outcomeOf(row.value(i++).toString());
    run.message = row.value(i++).toString();
    run.lastWords = row.value(i++).toString();
    run.costUsd = optionalOf<double>(row.value(i++));
    run.inputTokens = optionalOf<qint64>(row.value(i++));
    run.outputTokens = optionalOf<qint64>(row.value(i++));
    run.base = row.value(i++).toString();
    run.tip = row.value(i++).toString();
    run.wantedBranch = row.value(i++).toString();
    run.branch = row.value(i++).toString();
    run.plan = row.value(i++).toString().toUtf8();
    run.planDigest = row.value(i++).toString();
    run.owner = row.value(i++).toString();
    run.created = timeOf(row.value(i++));
    run.ended = timeOf(row.value(i++));
    return run;
}

} // namespace

RunStore::RunStore(QSqlDatabase database, QString dataFolder, const Clock &clock)
    : m_database(database)
    , m_dataFolder(std::move(dataFolder))
    , m_clock(clock)
{
}

RunStore::~RunStore()
{
    const QString name = m_database.connectionName();
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(name);
}

Result<std::unique_ptr<RunStore>> RunStore::open(const QString &dataFolder, const Clock &clock)
{
    const Result<void> folder = makePrivateFolder(dataFolder);
    if (!folder) {
        return fail(folder.error());
    }
    QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), newId());
    database.setDatabaseName(dataFolder + QStringLiteral("/glovebox.sqlite"));
    database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=5000"));
    if (!database.open()) {
        return fail(ErrorCode::FileError,
                    Tr::tr("%1 could not be opened. It is left as it is; choose another folder "
                           "with --data-dir.")
                        .arg(database.databaseName()));
    }
    std::unique_ptr<RunStore> store(new RunStore(database, dataFolder, clock));
    database = QSqlDatabase(); // the store alone holds it
    Result<void> ready = store->migrate();
    if (ready) {
        ready = store->readInstallation();
    }
    if (!ready) {
        return fail(ready.error());
    }
    return store;
}

Result<void> RunStore::migrate()
{
    for (const char *pragma :
         {"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL", "PRAGMA foreign_keys=ON"}) {
        const Result<void> set = ignoreRows(execute(m_database, QString::fromLatin1(pragma)));
        if (!set) {
            return set;
        }
    }
    return inTransaction(m_database, [this]() -> Result<void> {
        Result<QSqlQuery> version = execute(m_database, QStringLiteral("PRAGMA user_version"));
        if (!version || !version->next()) {
            return fail(
                version ? Error{ErrorCode::FileError, Tr::tr("The database has no version."), {}}
                        : version.error());
        }
        const int current = version->value(0).toInt();
        version->finish();
        const int known = static_cast<int>(schemaSteps().size());
        if (current > known) {
            return fail(ErrorCode::NotSupported,
                        Tr::tr("The database was written by a newer Glovebox. Update this one, or "
                               "choose another folder with --data-dir."));
        }
        for (int step = current; step < known; ++step) {
            for (const QString &statement : schemaSteps().at(step)) {
                const Result<void> done = ignoreRows(execute(m_database, statement));
                if (!done) {
                    return done;
                }
            }
        }
        return ignoreRows(
            execute(m_database, QStringLiteral("PRAGMA user_version = %1").arg(known)));
    });
}

Result<void> RunStore::readInstallation()
{
    return inTransaction(m_database, [this]() -> Result<void> {
        const Result<void> put = ignoreRows(execute(
            m_database, QStringLiteral("INSERT OR IGNORE INTO meta VALUES ('installation', ?)"),
            {newId().left(10)}));
        if (!put) {
            return put;
        }
        Result<QSqlQuery> query = execute(
            m_database, QStringLiteral("SELECT value FROM meta WHERE key = 'installation'"));
        if (query && query->next()) {
            m_installation = query->value(0).toString();
        }
        return ignoreRows(std::move(query));
    });
}

qint64 RunStore::now() const
{
    return m_clock.now().toMSecsSinceEpoch();
}

QString RunStore::runFolder(const QString &run) const
{
    return m_dataFolder + QStringLiteral("/runs/") + run;
}

Result<void> RunStore::insertRun(const RunRecord &run)
{
    return ignoreRows(execute(
        m_database,
        QStringLiteral(
            "INSERT INTO run (id, repository, git_folder, task_path, task_digest, title, "
            "provider, agent, phase, base, wanted_branch, plan, plan_digest, owner, created) "
            "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
        {run.id, run.repository, run.gitFolder, run.taskPath, run.taskDigest, run.title,
         run.provider, run.agent, phaseName(run.phase), run.base, run.wantedBranch,
         QString::fromUtf8(run.plan), run.planDigest, run.owner, now()}));
}

Result<RunRecord> RunStore::run(const QString &id) const
{
    const Result<QList<RunRecord>> rows = readAll<RunRecord>(
        m_database, QStringLiteral("SELECT %1 FROM run WHERE id = ?").arg(runColumns), {id},
        readRun);
    if (!rows) {
        return fail(rows.error());
    }
    if (rows->isEmpty()) {
        return fail(ErrorCode::NotFound, Tr::tr("There is no run %1.").arg(id));
    }
    return rows->first();
}

Result<QString> RunStore::findRun(const QString &name) const
{
    static const auto first = [](const QSqlQuery &row) {
        return row.value(0).toString();
    };
    if (name == QLatin1String("last")) {
        const Result<QList<QString>> newest = readAll<QString>(
            m_database,
            QStringLiteral("SELECT id FROM run ORDER BY created DESC, rowid DESC LIMIT 1"), {},
            first);
        if (newest && newest->isEmpty()) {
            return fail(ErrorCode::NotFound, Tr::tr("There are no runs yet."));
        }
        return newest.map([](const QList<QString> &ids) { return ids.first(); });
    }
    const Result<QList<QString>> ids = readAll<QString>(
        m_database, QStringLiteral("SELECT id FROM run WHERE substr(id, 1, ?) = ? LIMIT 2"),
        {name.size(), name}, first);
    if (!ids) {
        return fail(ids.error());
    }
    if (ids->size() != 1 || name.size() < 6) {
        return fail(ErrorCode::NotFound,
                    ids->size() > 1 ? Tr::tr("More than one run begins with %1.").arg(name)
                                    : Tr::tr("There is no run %1. `glovebox-cli runs list` names "
                                             "them; at least 6 characters are needed.")
                                          .arg(name));
    }
    return ids->first();
}

Result<QList<RunRecord>> RunStore::runs(int limit, int offset) const
{
    return readAll<RunRecord>(
        m_database,
        QStringLiteral("SELECT %1 FROM run ORDER BY created DESC, rowid DESC LIMIT ? OFFSET ?")
            .arg(runColumns),
        {limit, offset}, readRun);
}

Result<QList<RunRecord>> RunStore::unfinishedRuns() const
{
    return readAll<RunRecord>(
        m_database,
        QStringLiteral("SELECT %1 FROM run WHERE ended IS NULL ORDER BY created").arg(runColumns),
        {}, readRun);
}

Result<QString> RunStore::phaseNow(const QString &run) const
{
    Result<QSqlQuery> query =
        execute(m_database, QStringLiteral("SELECT phase FROM run WHERE id = ?"), {run});
    if (!query || !query->next()) {
        return fail(query ? Error{ErrorCode::NotFound, Tr::tr("There is no run %1.").arg(run), {}}
                          : query.error());
    }
    return query->value(0).toString();
}

Result<void> RunStore::moveFrom(const QString &from, const QString &run, RunPhase to,
                                const Error *why)
{
    if (!canMove(phaseOf(from).value_or(RunPhase::Interrupted), to)) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("A run cannot go from %1 to %2.").arg(from, phaseName(to)));
    }
    const Result<void> event = ignoreRows(execute(
        m_database,
        QStringLiteral("INSERT INTO phase_event SELECT ?, coalesce(max(seq), 0) + 1, ?, ?, ?, ?, "
                       "?, ? FROM phase_event WHERE run = ?"),
        {run, from, phaseName(to), now(), why ? textOrNull(errorCodeName(why->code)) : QVariant(),
         why ? textOrNull(why->message) : QVariant(), why ? textOrNull(why->detail) : QVariant(),
         run}));
    if (!event) {
        return event;
    }
    return ignoreRows(execute(m_database, QStringLiteral("UPDATE run SET phase = ? WHERE id = ?"),
                              {phaseName(to), run}));
}

Result<void> RunStore::movePhase(const QString &run, RunPhase to, const Error *why)
{
    return inTransaction(m_database, [&]() -> Result<void> {
        const Result<QString> from = phaseNow(run);
        return from ? moveFrom(*from, run, to, why) : fail(from.error());
    });
}

Result<void> RunStore::finishRun(const QString &run, RunPhase to, Outcome outcome,
                                 const QString &message, const Error *why)
{
    return inTransaction(m_database, [&]() -> Result<void> {
        const Result<QString> from = phaseNow(run);
        if (!from) {
            return fail(from.error());
        }
        const Result<void> moved =
            *from == phaseName(to) ? Result<void>() : moveFrom(*from, run, to, why);
        if (!moved) {
            return moved;
        }
        const Result<QSqlQuery> set = execute(
            m_database,
            QStringLiteral("UPDATE run SET outcome = ?, message = ?, ended = ? WHERE id = ? AND "
                           "ended IS NULL"),
            {outcomeName(outcome), message, now(), run});
        if (!set) {
            return fail(set.error());
        }
        if (set->numRowsAffected() == 0) {
            return fail(ErrorCode::InvalidRequest, Tr::tr("The run %1 is over already.").arg(run));
        }
        return {};
    });
}

Result<QList<PhaseEvent>> RunStore::phaseEvents(const QString &run) const
{
    return readAll<PhaseEvent>(
        m_database,
        QStringLiteral("SELECT seq, came_from, went_to, at, code, message, detail FROM phase_event "
                       "WHERE run = ? ORDER BY seq"),
        {run}, [](const QSqlQuery &row) {
            return PhaseEvent{row.value(0).toInt(),
                              phaseOf(row.value(1).toString()).value_or(RunPhase::Queued),
                              phaseOf(row.value(2).toString()).value_or(RunPhase::Queued),
                              timeOf(row.value(3)),
                              row.value(4).toString(),
                              row.value(5).toString(),
                              row.value(6).toString()};
        });
}

Result<void> RunStore::setUsage(const QString &run, std::optional<double> costUsd,
                                std::optional<qint64> inputTokens,
                                std::optional<qint64> outputTokens)
{
    return ignoreRows(execute(
        m_database,
        QStringLiteral(
            "UPDATE run SET cost_usd = ?, input_tokens = ?, output_tokens = ? WHERE id = ?"),
        {valueOrNull(costUsd), valueOrNull(inputTokens), valueOrNull(outputTokens), run}));
}

Result<void> RunStore::setLastWords(const QString &run, const QString &words)
{
    return ignoreRows(execute(m_database,
                              QStringLiteral("UPDATE run SET last_words = ? WHERE id = ?"),
                              {textOrNull(words), run}));
}

Result<void> RunStore::setMessage(const QString &run, const QString &message)
{
    return ignoreRows(execute(m_database, QStringLiteral("UPDATE run SET message = ? WHERE id = ?"),
                              {message, run}));
}

Result<void> RunStore::setTip(const QString &run, const QString &tip)
{
    return ignoreRows(
        execute(m_database, QStringLiteral("UPDATE run SET tip = ? WHERE id = ?"), {tip, run}));
}

Result<void> RunStore::setBranch(const QString &run, const QString &branch)
{
    return ignoreRows(execute(m_database, QStringLiteral("UPDATE run SET branch = ? WHERE id = ?"),
                              {branch, run}));
}

Result<bool> RunStore::claimRun(const QString &run, const QString &from, const QString &to)
{
    return execute(m_database,
                   QStringLiteral("UPDATE run SET owner = ? WHERE id = ? AND owner = ?"),
                   {to, run, from})
        .map([](const QSqlQuery &query) { return query.numRowsAffected() == 1; });
}

Result<void> RunStore::deleteRun(const QString &run)
{
    return inTransaction(m_database, [&]() -> Result<void> {
        Result<QSqlQuery> open = execute(
            m_database,
            QStringLiteral("SELECT (SELECT count(*) FROM run WHERE id = ? AND ended IS NULL) + "
                           "(SELECT count(*) FROM sandbox WHERE run = ? AND state <> 'gone')"),
            {run, run});
        if (!open || !open->next()) {
            return ignoreRows(std::move(open));
        }
        if (open->value(0).toInt() > 0) {
            return fail(ErrorCode::Busy,
                        Tr::tr("This run is not over, or a sandbox of it is still there."));
        }
        open->finish();
        const Result<void> ledger = ignoreRows(
            execute(m_database, QStringLiteral("DELETE FROM sandbox WHERE run = ?"), {run}));
        if (!ledger) {
            return ledger;
        }
        return ignoreRows(
            execute(m_database, QStringLiteral("DELETE FROM run WHERE id = ?"), {run}));
    });
}

} // namespace Glovebox
