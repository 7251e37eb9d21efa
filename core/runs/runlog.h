// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/redactor.h"
#include "core/runs/run.h"
#include "core/runs/runstore.h"
#include "core/sandbox/sandbox.h"

#include <QFile>

namespace Glovebox {

/// run.log: what a person reads while a run goes on. The harness's own lines and the commands'
/// output, redacted, on disk as it comes.
class RunLog final
{
public:
    RunLog(std::shared_ptr<Run> run, std::shared_ptr<const SecretForms> forms);
    [[nodiscard]] Result<void> open();
    /// A line of the harness itself; redacted here.
    [[nodiscard]] Result<void> line(const QString &text);
    /// Bytes that are redacted already.
    [[nodiscard]] Result<void> append(const QByteArray &bytes);

private:
    std::shared_ptr<Run> m_run;
    std::shared_ptr<const SecretForms> m_forms;
    QFile m_file;
};

/// Where one command's output goes: a file per stream below the run's folder, redacted, with the
/// offsets of the database kept behind it; and the run's log. An agent's standard output is read
/// into events instead of being shown raw.
class CommandLog final : public OutputSink
{
public:
    struct Parts
    {
        std::shared_ptr<Run> run;
        std::shared_ptr<RunLog> log;
        RunStore *store = nullptr;
        std::shared_ptr<const SecretForms> forms;
        std::shared_ptr<TranscriptParser> transcript; ///< null for anything but an agent
        bool shown = true; ///< also in the run's log; the harness's own commands are not
    };
    CommandLog(Parts parts, CommandRecord record);

    [[nodiscard]] Result<void> open();
    [[nodiscard]] qint64 received(Stream stream) const override;
    [[nodiscard]] QCoro::Task<Result<void>> write(OutputChunk chunk, std::stop_token stop) override;
    /// Releases what the redactor held back and stores the last offsets.
    [[nodiscard]] Result<void> finish();

    [[nodiscard]] QString outputFile() const { return m_out.file.fileName(); }
    [[nodiscard]] QString errorFile() const { return m_err.file.fileName(); }
    /// When the command last showed that it goes on. Mere notices of an agent are no such sign:
    /// Codex prints "Reconnecting..." for ever on a dead network.
    [[nodiscard]] std::chrono::steady_clock::time_point lastSign() const { return m_lastSign; }

private:
    struct Side
    {
        explicit Side(std::shared_ptr<const SecretForms> forms)
            : redactor(std::move(forms))
        {
        }
        QFile file;
        Redactor redactor;
        qint64 offset = 0;
    };
    [[nodiscard]] Result<void> take(Side *side, const QByteArray &bytes);
    void noteSign(const QList<AgentEvent> &events);
    [[nodiscard]] Result<void> keep(Side *side, const QByteArray &clean); ///< redacted already
    [[nodiscard]] Result<void> storeOffsets();
    [[nodiscard]] Result<void> show(const QList<AgentEvent> &events);

    Parts m_parts;
    CommandRecord m_record;
    Side m_out;
    Side m_err;
    std::chrono::steady_clock::time_point m_lastSign;
    std::chrono::steady_clock::time_point m_lastStored;
};

/// An event as one line of the log ("Runs: npm test (exit 1)").
[[nodiscard]] QString eventLine(const AgentEvent &event);

} // namespace Glovebox
