// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/receipt.h"

#include "core/base/files.h"
#include "core/base/terminaltext.h"

#include <QDirIterator>
#include <QSysInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Receipt)
};

// The type of the predicate; a name, not an address.
const QString reportFile = QStringLiteral("/report.json");
constexpr qint64 largestReport = 64LL * 1024 * 1024;
const QString predicateType = QStringLiteral("urn:glovebox:run:v1");

QJsonValue textValue(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonValue timeJson(const QDateTime &time)
{
    return time.isValid() ? QJsonValue(time.toUTC().toString(Qt::ISODateWithMs)) : QJsonValue();
}

template<typename T>
QJsonValue optionalJson(const std::optional<T> &value)
{
    return value ? QJsonValue(*value) : QJsonValue();
}

template<typename T, typename Convert>
QJsonArray arrayOf(const QList<T> &list, Convert convert)
{
    QJsonArray array;
    for (const T &item : list) {
        array << convert(item);
    }
    return array;
}

QJsonObject evidenceJson(const Evidence &evidence)
{
    return {{QStringLiteral("check"), evidence.check},
            {QStringLiteral("run"), evidence.line},
            {QStringLiteral("subject"), subjectName(evidence.subject)},
            {QStringLiteral("commit"), evidence.commit},
            {QStringLiteral("sandbox"), evidence.role},
            {QStringLiteral("policy_digest"), evidence.policyDigest},
            {QStringLiteral("end"), endName(evidence.result.end)},
            {QStringLiteral("exit_code"), evidence.result.exitCode},
            {QStringLiteral("passed"), evidence.passed()},
            {QStringLiteral("duration_ms"), static_cast<qint64>(evidence.result.duration.count())},
            {QStringLiteral("log"), evidence.log},
            {QStringLiteral("output_sha256"), QString::fromLatin1(evidence.outputSha256)},
            {QStringLiteral("output_bytes"), evidence.outputBytes},
            {QStringLiteral("at"), timeJson(evidence.at)}};
}

QJsonObject proofJson(const ProofRecord &proof)
{
    return {{QStringLiteral("canary"), proof.canary},
            {QStringLiteral("expected"), proof.expected},
            {QStringLiteral("seen"), proof.seen},
            {QStringLiteral("passed"), proof.passed},
            {QStringLiteral("tried"), proof.tried}};
}

QJsonObject egressJson(const EgressRecord &entry)
{
    return {{QStringLiteral("host"), displayText(entry.host)},
            {QStringLiteral("port"), entry.port},
            {QStringLiteral("allowed"), entry.allowed},
            {QStringLiteral("count"), entry.count},
            {QStringLiteral("first"), timeJson(entry.first)},
            {QStringLiteral("last"), timeJson(entry.last)}};
}

QJsonObject checkpointJson(const CheckpointRecord &checkpoint)
{
    return {{QStringLiteral("tip"), checkpoint.tip},
            {QStringLiteral("file"), checkpoint.file},
            {QStringLiteral("sha256"), checkpoint.sha256},
            {QStringLiteral("bytes"), checkpoint.bytes},
            {QStringLiteral("sealed"), checkpoint.sealed},
            {QStringLiteral("at"), timeJson(checkpoint.at)}};
}

QJsonObject importJson(const ImportRecord &import)
{
    return {{QStringLiteral("file"), import.file},
            {QStringLiteral("sha256"), import.sha256},
            {QStringLiteral("tip"), textValue(import.tip)},
            {QStringLiteral("verdict"), import.verdict},
            {QStringLiteral("code"), textValue(import.code)},
            {QStringLiteral("reason"), textValue(import.reason)}};
}

QJsonObject hazardJson(const HazardRecord &hazard)
{
    return {{QStringLiteral("kind"), hazard.kind},
            {QStringLiteral("reason"), hazard.reason},
            {QStringLiteral("path"), textValue(displayText(hazard.path))},
            {QStringLiteral("commit"), textValue(hazard.commit)}};
}

QJsonObject sandboxJson(const SandboxRecord &sandbox)
{
    return {{QStringLiteral("role"), sandbox.role},
            {QStringLiteral("backend"), sandbox.provider},
            {QStringLiteral("id"), textValue(sandbox.nativeId)},
            {QStringLiteral("state"), ledgerStateName(sandbox.state)},
            {QStringLiteral("gone_at"), timeJson(sandbox.gone)}};
}

/// Each phase that was entered, with its times; a phase lasts until the next begins.
QJsonArray stagesJson(const RunReport &report)
{
    QJsonArray stages;
    for (qsizetype i = 0; i < report.phases.size(); ++i) {
        const PhaseEvent &event = report.phases.at(i);
        const bool last = i + 1 == report.phases.size();
        const bool open = last && !report.run.ended.isValid();
        const QDateTime end = open ? QDateTime() : last ? event.at : report.phases.at(i + 1).at;
        stages << QJsonObject{{QStringLiteral("phase"), phaseName(event.to)},
                              {QStringLiteral("began"), timeJson(event.at)},
                              {QStringLiteral("ended"), timeJson(end)},
                              {QStringLiteral("duration_ms"),
                               open ? QJsonValue() : QJsonValue(event.at.msecsTo(end))}};
    }
    return stages;
}

QJsonObject tokensJson(const RunRecord &run)
{
    return {{QStringLiteral("input"), optionalJson(run.inputTokens)},
            {QStringLiteral("output"), optionalJson(run.outputTokens)}};
}

/// What is kept of a run in its dossier alone. Nothing before the run is over.
void readDossier(const QString &folder, RunReport &report)
{
    const Result<QByteArray> bytes = readFile(folder + reportFile, largestReport);
    const QJsonObject kept = QJsonDocument::fromJson(bytes.value_or(QByteArray())).object();
    const auto list = [&kept](const QString &key) {
        QStringList texts;
        for (const QJsonValue value : kept.value(key).toArray()) {
            texts << value.toString();
        }
        return texts;
    };
    report.outOfScope = list(QStringLiteral("out_of_scope"));
    report.warnings = list(QStringLiteral("warnings"));
}

QJsonObject planJson(const RunRecord &run)
{
    return QJsonDocument::fromJson(run.plan).object();
}

} // namespace

Result<RunReport> readReport(const RunStore &store, const QString &run)
{
    RunReport report;
    const auto take = [](auto result, auto *into) -> Result<void> {
        if (!result) {
            return fail(result.error());
        }
        *into = std::move(*result);
        return {};
    };
    Result<void> read = take(store.run(run), &report.run);
    read = read ? take(store.phaseEvents(run), &report.phases) : read;
    read = read ? take(store.sandboxes(run), &report.sandboxes) : read;
    read = read ? take(store.evidence(run), &report.evidence) : read;
    read = read ? take(store.proofs(run), &report.proofs) : read;
    read = read ? take(store.egress(run), &report.egress) : read;
    read = read ? take(store.checkpoints(run), &report.checkpoints) : read;
    read = read ? take(store.imports(run), &report.imports) : read;
    read = read ? take(store.hazards(run), &report.hazards) : read;
    if (!read) {
        return fail(read.error());
    }
    readDossier(store.runFolder(run), report);
    return report;
}

Result<RunReport> readReport(const RunStore &store, const Run &run)
{
    Result<RunReport> report = readReport(store, run.id());
    if (report) {
        report->warnings = run.warnings();
        report->outOfScope.clear();
        for (const QByteArray &path : run.returned().outOfScope) {
            report->outOfScope << displayText(path);
        }
    }
    return report;
}

QJsonObject reportJson(const RunReport &report)
{
    const RunRecord &run = report.run;
    return {
        {QStringLiteral("run"), run.id},
        {QStringLiteral("title"), run.title},
        {QStringLiteral("task"), run.taskPath},
        {QStringLiteral("repository"), run.repository},
        {QStringLiteral("backend"), run.provider},
        {QStringLiteral("agent"), run.agent},
        {QStringLiteral("phase"), phaseName(run.phase)},
        {QStringLiteral("outcome"),
         run.outcome ? QJsonValue(outcomeName(*run.outcome)) : QJsonValue()},
        {QStringLiteral("message"), textValue(run.message)},
        {QStringLiteral("last_words"), textValue(run.lastWords)},
        {QStringLiteral("next_step"),
         run.outcome ? QJsonValue(nextStepText(*run.outcome)) : QJsonValue()},
        {QStringLiteral("branch"), textValue(run.branch)},
        {QStringLiteral("base"), run.base},
        {QStringLiteral("commit"), textValue(run.tip)},
        {QStringLiteral("evidence"), arrayOf(report.evidence, evidenceJson)},
        {QStringLiteral("boundary"), arrayOf(report.proofs, proofJson)},
        {QStringLiteral("egress"), arrayOf(report.egress, egressJson)},
        {QStringLiteral("hazards"), arrayOf(report.hazards, hazardJson)},
        {QStringLiteral("imports"), arrayOf(report.imports, importJson)},
        {QStringLiteral("checkpoints"), arrayOf(report.checkpoints, checkpointJson)},
        {QStringLiteral("sandboxes"), arrayOf(report.sandboxes, sandboxJson)},
        {QStringLiteral("out_of_scope"), QJsonArray::fromStringList(report.outOfScope)},
        {QStringLiteral("warnings"), QJsonArray::fromStringList(report.warnings)},
        {QStringLiteral("cost_usd"), optionalJson(run.costUsd)},
        {QStringLiteral("tokens"), tokensJson(run)},
        {QStringLiteral("stages"), stagesJson(report)},
        {QStringLiteral("created"), timeJson(run.created)},
        {QStringLiteral("ended"), timeJson(run.ended)},
        {QStringLiteral("plan_digest"), run.planDigest},
    };
}

QJsonObject receiptJson(const RunReport &report)
{
    const RunRecord &run = report.run;
    QJsonArray subject;
    if (!run.tip.isEmpty()) {
        subject << QJsonObject{
            {QStringLiteral("name"), run.branch},
            {QStringLiteral("digest"), QJsonObject{{QStringLiteral("gitCommit"), run.tip}}}};
    }
    QJsonObject predicate = reportJson(report);
    predicate.insert(QStringLiteral("plan"), planJson(run));
    predicate.insert(QStringLiteral("glovebox_version"), QStringLiteral(GLOVEBOX_VERSION));
    predicate.insert(QStringLiteral("system"), QSysInfo::prettyProductName());
    return {{QStringLiteral("_type"), QStringLiteral("https://in-toto.io/Statement/v1")},
            {QStringLiteral("subject"), subject},
            {QStringLiteral("predicateType"), predicateType},
            {QStringLiteral("predicate"), predicate}};
}

Result<void> writeDossier(const Run &run, const RunStore &store)
{
    const Result<RunReport> report = readReport(store, run);
    if (!report) {
        return fail(report.error());
    }
    const auto indented = [](const QJsonObject &object) {
        return QJsonDocument(object).toJson();
    };
    const QString folder = run.folder() + QLatin1Char('/');
    const std::pair<QString, QByteArray> files[] = {
        {QStringLiteral("task.md"), run.plan().taskText},
        {QStringLiteral("plan.json"), indented(planJson(report->run))},
        {reportFile.mid(1), indented(reportJson(*report))},
        {QStringLiteral("receipt.json"), indented(receiptJson(*report))},
    };
    for (const auto &[name, bytes] : files) {
        const Result<void> written = writeFile(folder + name, bytes);
        if (!written) {
            return written;
        }
    }
    return {};
}

Result<void> exportDossier(const RunStore &store, const QString &run, const QString &target)
{
    if (QFileInfo::exists(target)) {
        return fail(ErrorCode::AlreadyExists,
                    Tr::tr("%1 is there already. Choose a new folder.").arg(target));
    }
    const QDir source(store.runFolder(run));
    if (!source.exists()) {
        return fail(ErrorCode::NotFound, Tr::tr("Nothing is kept of the run %1.").arg(run));
    }
    QDirIterator files(source.path(), QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        const QString copy = target + QLatin1Char('/') + source.relativeFilePath(file);
        if (!QDir().mkpath(QFileInfo(copy).absolutePath()) || !QFile::copy(file, copy)) {
            return fail(ErrorCode::FileError,
                        Tr::tr("%1 could not be written. Check the room on that disk.").arg(copy));
        }
    }
    return {};
}

} // namespace Glovebox
