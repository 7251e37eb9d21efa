// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// The part of RunStore that keeps what runs brought back: checkpoints, evidence, proofs, imports.
#include "core/runs/runstore.h"

#include "core/runs/sql.h"

#include <QVariant>

namespace Glovebox {

namespace {

Subject subjectOf(const QString &name)
{
    for (const Subject subject : {Subject::Branch, Subject::Base, Subject::BranchWithBaseTests}) {
        if (subjectName(subject) == name) {
            return subject;
        }
    }
    return Subject::Branch;
}

CommandResult::End endOf(const QString &name)
{
    using End = CommandResult::End;
    for (const End end : {End::Exited, End::TimedOut, End::Killed, End::NotStarted, End::Lost}) {
        if (endName(end) == name) {
            return end;
        }
    }
    return End::Lost;
}

Evidence readEvidence(const QSqlQuery &row)
{
    Evidence evidence;
    evidence.id = row.value(0).toString();
    evidence.command = row.value(1).toString();
    evidence.check = row.value(2).toString();
    evidence.line = row.value(3).toString();
    evidence.subject = subjectOf(row.value(4).toString());
    evidence.commit = row.value(5).toString();
    evidence.role = row.value(6).toString();
    evidence.policyDigest = row.value(7).toString();
    evidence.result.end = endOf(row.value(8).toString());
    evidence.result.exitCode = row.value(9).toInt();
    evidence.result.duration = std::chrono::milliseconds(row.value(10).toLongLong());
    evidence.log = row.value(11).toString();
    evidence.outputSha256 = row.value(12).toString().toLatin1();
    evidence.outputBytes = row.value(13).toLongLong();
    evidence.at = timeOf(row.value(14));
    return evidence;
}

} // namespace

Result<void> RunStore::insertCheckpoint(const QString &run, const CheckpointRecord &checkpoint)
{
    return ignoreRows(execute(
        m_database,
        QStringLiteral("INSERT INTO checkpoint VALUES (?, (SELECT coalesce(max(seq), 0) + 1 FROM "
                       "checkpoint WHERE run = ?), ?,?,?,?,?,?)"),
        {run, run, checkpoint.tip, checkpoint.file, checkpoint.sha256, checkpoint.bytes,
         checkpoint.sealed ? 1 : 0, now()}));
}

Result<QList<CheckpointRecord>> RunStore::checkpoints(const QString &run) const
{
    return readAll<CheckpointRecord>(
        m_database,
        QStringLiteral(
            "SELECT seq, tip, file, sha256, bytes, sealed, at FROM checkpoint WHERE run = ? "
            "ORDER BY seq"),
        {run}, [](const QSqlQuery &row) {
            return CheckpointRecord{row.value(0).toInt(),      row.value(1).toString(),
                                    row.value(2).toString(),   row.value(3).toString(),
                                    row.value(4).toLongLong(), row.value(5).toBool(),
                                    timeOf(row.value(6))};
        });
}

Result<void> RunStore::insertEvidence(const QString &run, const Evidence &evidence)
{
    return ignoreRows(execute(
        m_database,
        QStringLiteral(
            "INSERT INTO evidence (id, run, command, name, line, subject, commit_id, role, "
            "policy_digest, end_kind, code, duration_ms, log, output_sha256, output_bytes, at) "
            "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"),
        {evidence.id, run, evidence.command, evidence.check, evidence.line,
         subjectName(evidence.subject), evidence.commit, evidence.role, evidence.policyDigest,
         endName(evidence.result.end), evidence.result.exitCode,
         static_cast<qint64>(evidence.result.duration.count()), evidence.log,
         QString::fromLatin1(evidence.outputSha256), evidence.outputBytes, now()}));
}

Result<QList<Evidence>> RunStore::evidence(const QString &run) const
{
    return readAll<Evidence>(
        m_database,
        QStringLiteral(
            "SELECT id, command, name, line, subject, commit_id, role, policy_digest, "
            "end_kind, code, duration_ms, log, output_sha256, output_bytes, at FROM evidence "
            "WHERE run = ? ORDER BY rowid"),
        {run}, readEvidence);
}

Result<void> RunStore::insertProof(const QString &run, const QString &provider,
                                   const QString &policyDigest, const ProofRecord &proof)
{
    return ignoreRows(execute(
        m_database,
        QStringLiteral(
            "INSERT INTO proof (run, provider, policy_digest, canary, expected, seen, passed, "
            "tried, at) VALUES (?,?,?,?,?,?,?,?,?)"),
        {run, provider, policyDigest, proof.canary, proof.expected, proof.seen,
         proof.passed ? 1 : 0, proof.tried ? 1 : 0, now()}));
}

Result<QList<ProofRecord>> RunStore::proofs(const QString &run) const
{
    return readAll<ProofRecord>(
        m_database,
        QStringLiteral(
            "SELECT canary, expected, seen, passed, tried, at FROM proof WHERE run = ? ORDER "
            "BY id"),
        {run}, [](const QSqlQuery &row) {
            return ProofRecord{row.value(0).toString(), row.value(1).toString(),
                               row.value(2).toString(), row.value(3).toBool(),
                               row.value(4).toBool(),   timeOf(row.value(5))};
        });
}

Result<void> RunStore::putEgress(const QString &run, const QList<EgressRecord> &egress)
{
    return inTransaction(m_database, [&]() -> Result<void> {
        for (const EgressRecord &entry : egress) {
            const Result<void> put = ignoreRows(execute(
                m_database,
                QStringLiteral(
                    "INSERT INTO egress VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET "
                    "count = max(count, excluded.count), first = min(first, excluded.first), "
                    "last = max(last, excluded.last)"),
                {run, entry.host, entry.port, entry.allowed ? 1 : 0, entry.count,
                 timeValue(entry.first), timeValue(entry.last), entry.source}));
            if (!put) {
                return put;
            }
        }
        return {};
    });
}

Result<QList<EgressRecord>> RunStore::egress(const QString &run) const
{
    return readAll<EgressRecord>(
        m_database,
        QStringLiteral(
            "SELECT host, port, allowed, count, first, last, source FROM egress WHERE run = ? "
            "ORDER BY allowed, host, port"),
        {run}, [](const QSqlQuery &row) {
            return EgressRecord{
                row.value(0).toString(), static_cast<quint16>(row.value(1).toUInt()),
                row.value(2).toBool(),   row.value(3).toLongLong(),
                timeOf(row.value(4)),    timeOf(row.value(5)),
                row.value(6).toString()};
        });
}

Result<void> RunStore::insertImport(const QString &run, const ImportRecord &import)
{
    return ignoreRows(execute(
        m_database,
        QStringLiteral(
            "INSERT INTO import VALUES (?, (SELECT coalesce(max(seq), 0) + 1 FROM import "
            "WHERE run = ?), ?,?,?,?,?,?,?,?)"),
        {run, run, import.file, import.sha256, textOrNull(import.tip), import.verdict,
         textOrNull(import.code), textOrNull(import.reason), textOrNull(import.reference), now()}));
}

Result<QList<ImportRecord>> RunStore::imports(const QString &run) const
{
    return readAll<ImportRecord>(
        m_database,
        QStringLiteral(
            "SELECT seq, file, sha256, tip, verdict, code, reason, ref, at FROM import WHERE "
            "run = ? ORDER BY seq"),
        {run}, [](const QSqlQuery &row) {
            return ImportRecord{
                row.value(0).toInt(),    row.value(1).toString(), row.value(2).toString(),
                row.value(3).toString(), row.value(4).toString(), row.value(5).toString(),
                row.value(6).toString(), row.value(7).toString(), timeOf(row.value(8))};
        });
}

Result<void> RunStore::insertHazards(const QString &run, const QList<HazardRecord> &hazards)
{
    return inTransaction(m_database, [&]() -> Result<void> {
        for (const HazardRecord &hazard : hazards) {
            const Result<void> put = ignoreRows(execute(
                m_database,
                QStringLiteral(
                    "INSERT INTO hazard VALUES (?, (SELECT coalesce(max(seq), 0) + 1 FROM "
                    "hazard WHERE run = ?), ?,?,?,?)"),
                {run, run, textOrNull(hazard.commit), hazard.path, hazard.kind, hazard.reason}));
            if (!put) {
                return put;
            }
        }
        return {};
    });
}

Result<QList<HazardRecord>> RunStore::hazards(const QString &run) const
{
    return readAll<HazardRecord>(
        m_database,
        QStringLiteral(
            "SELECT commit_id, path, kind, reason FROM hazard WHERE run = ? ORDER BY seq"),
        {run}, [](const QSqlQuery &row) {
            return HazardRecord{row.value(0).toString(), row.value(1).toByteArray(),
                                row.value(2).toString(), row.value(3).toString()};
        });
}

} // namespace Glovebox
