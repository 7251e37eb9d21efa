// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// The part of RunStore that keeps the ledger of sandboxes and their commands.
#include "core/runs/runstore.h"

#include "core/runs/sql.h"

#include <QCoreApplication>
#include <QVariant>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(RunStore)
};

LedgerState ledgerStateOf(const QString &name)
{
    for (const LedgerState state : {LedgerState::Planned, LedgerState::Live, LedgerState::Kept,
                                    LedgerState::Ending, LedgerState::Gone}) {
        if (ledgerStateName(state) == name) {
            return state;
        }
    }
    return LedgerState::Live; // unknown means that it may exist: it will be looked for
}

SandboxRecord readSandbox(const QSqlQuery &row)
{
    SandboxRecord sandbox;
    sandbox.key = row.value(0).toString();
    sandbox.run = row.value(1).toString();
    sandbox.role = row.value(2).toString();
    sandbox.provider = row.value(3).toString();
    sandbox.nativeId = row.value(4).toString();
    sandbox.state = ledgerStateOf(row.value(5).toString());
    sandbox.policyDigest = row.value(6).toString();
    sandbox.deadline = timeOf(row.value(7));
    sandbox.savedTip = row.value(8).toString();
    sandbox.tries = row.value(9).toInt();
    sandbox.lastError = row.value(10).toString();
    sandbox.created = timeOf(row.value(11));
    sandbox.gone = timeOf(row.value(12));
    return sandbox;
}

} // namespace

QString ledgerStateName(LedgerState state)
{
    switch (state) {
    case LedgerState::Planned:
        return QStringLiteral("planned");
    case LedgerState::Live:
        return QStringLiteral("live");
    case LedgerState::Kept:
        return QStringLiteral("kept");
    case LedgerState::Ending:
        return QStringLiteral("ending");
    case LedgerState::Gone:
        return QStringLiteral("gone");
    }
    Q_UNREACHABLE();
}

Result<void> RunStore::insertSandbox(const SandboxRecord &sandbox)
{
    // A run that went back to the queue makes its sandbox anew: the row of the one that never was
    // is used again.
    const Result<QSqlQuery> put = execute(
        m_database,
        QStringLiteral(
            "INSERT INTO sandbox (key, run, role, provider, state, policy_digest, deadline, "
            "created) VALUES (?,?,?,?,?,?,?,?) ON CONFLICT (key) DO UPDATE SET state = "
            "excluded.state, policy_digest = excluded.policy_digest, deadline = excluded.deadline, "
            "created = excluded.created, native_id = NULL, saved_tip = NULL, tries = 0, last_error "
            "= NULL, gone_at = NULL WHERE sandbox.state = 'gone'"),
        {sandbox.key, sandbox.run, sandbox.role, sandbox.provider, ledgerStateName(sandbox.state),
         sandbox.policyDigest, timeValue(sandbox.deadline), now()});
    if (!put) {
        return fail(put.error());
    }
    if (put->numRowsAffected() == 0) {
        return fail(ErrorCode::Busy, Tr::tr("An earlier sandbox of this run may still be there."));
    }
    return {};
}

Result<void> RunStore::setSandboxLive(const QString &key, const QString &nativeId)
{
    return ignoreRows(
        execute(m_database,
                QStringLiteral("UPDATE sandbox SET state = 'live', native_id = ? WHERE key = ?"),
                {nativeId, key}));
}

Result<void> RunStore::setSandboxState(const QString &key, LedgerState state, const QString &error)
{
    const bool gone = state == LedgerState::Gone;
    return ignoreRows(
        execute(m_database,
                QStringLiteral(
                    "UPDATE sandbox SET state = ?, last_error = ?, gone_at = ?, tries = tries + ? "
                    "WHERE key = ?"),
                {ledgerStateName(state), textOrNull(error), gone ? QVariant(now()) : QVariant(),
                 state == LedgerState::Ending ? 1 : 0, key}));
}

Result<void> RunStore::setSavedTip(const QString &key, const QString &tip)
{
    return ignoreRows(execute(
        m_database, QStringLiteral("UPDATE sandbox SET saved_tip = ? WHERE key = ?"), {tip, key}));
}

Result<QList<SandboxRecord>> RunStore::sandboxes(const QString &run) const
{
    const QString where =
        run.isEmpty() ? QStringLiteral("state <> 'gone'") : QStringLiteral("run = ?");
    return readAll<SandboxRecord>(
        m_database,
        QStringLiteral(
            "SELECT key, run, role, provider, native_id, state, policy_digest, deadline, "
            "saved_tip, tries, last_error, created, gone_at FROM sandbox WHERE %1 ORDER BY "
            "created")
            .arg(where),
        run.isEmpty() ? QVariantList() : QVariantList{run}, readSandbox);
}

Result<void> RunStore::insertCommand(const CommandRecord &command)
{
    return ignoreRows(
        execute(m_database,
                QStringLiteral(
                    "INSERT INTO command (id, sandbox, purpose, argv, limit_s, state, log) VALUES "
                    "(?,?,?,?,?,'planned',?)"),
                {command.id, command.sandbox, command.purpose, command.argv, command.limitSeconds,
                 command.log}));
}

Result<void> RunStore::setCommandStarted(const QString &id)
{
    return ignoreRows(
        execute(m_database,
                QStringLiteral("UPDATE command SET state = 'started', started = ? WHERE id = ?"),
                {now(), id}));
}

Result<void> RunStore::setCommandOffsets(const CommandRecord &command)
{
    return ignoreRows(execute(
        m_database,
        QStringLiteral(
            "UPDATE command SET out_offset = ?, out_length = ?, err_offset = ?, err_length "
            "= ? WHERE id = ?"),
        {command.outOffset, command.outLength, command.errOffset, command.errLength, command.id}));
}

Result<void> RunStore::setCommandEnded(const QString &id, const CommandResult &result)
{
    return ignoreRows(execute(
        m_database,
        QStringLiteral("UPDATE command SET state = 'ended', end_kind = ?, code = ?, not_kept = ?, "
                       "duration_ms = ? WHERE id = ?"),
        {endName(result.end), result.exitCode, result.notKept,
         static_cast<qint64>(result.duration.count()), id}));
}

} // namespace Glovebox
