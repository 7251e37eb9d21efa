// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/channel.h"
#include "core/sandbox/runnersandbox.h"

#include <QTemporaryFile>

namespace Glovebox {

/// Bytes of ours as a file that only this user can read, for SandboxChannel::put. In memory where
/// the system offers it (job files hold secrets); removed with the object.
class PrivateFile final
{
public:
    [[nodiscard]] static Result<std::shared_ptr<PrivateFile>> create(const QByteArray &bytes);
    [[nodiscard]] LocalFile file() const { return {m_file.fileName()}; }

private:
    QTemporaryFile m_file;
};

/// One question to the runner: a verb with words, and how an answer to it begins.
struct RunnerQuestion
{
    QByteArray verb;
    QStringList words;
    QList<QByteArray> answers;
    std::chrono::seconds limit{60};
};

/// The runner as it lies in one sandbox: asks it, puts files for it, with retries. Shared by the
/// coroutines of a RunnerSandbox.
struct RunnerVerbs
{
    std::shared_ptr<SandboxChannel> channel;
    QString runner; ///< path inside; changes when it is put anew
    RunnerPace pace;

    [[nodiscard]] QByteArray line(const QByteArray &verb, const QStringList &words) const;
};

/// The words of the answer's first line that begins with one of the expected words; lines of tools
/// on the way are skipped. UnexpectedReply when there is none.
[[nodiscard]] Result<QList<QByteArray>> readAnswer(const QByteArray &reply,
                                                   const QList<QByteArray> &answers);

/// Asks, and asks again what may be asked again: every verb gives the same answer twice.
[[nodiscard]] QCoro::Task<Result<QList<QByteArray>>> ask(RunnerVerbs verbs, RunnerQuestion question,
                                                         std::stop_token stop);
/// The whole text of an answer, with retries.
[[nodiscard]] QCoro::Task<Result<QByteArray>> askText(RunnerVerbs verbs, RunnerQuestion question,
                                                      std::stop_token stop);
/// Puts a file, with retries.
[[nodiscard]] QCoro::Task<Result<void>> putFile(RunnerVerbs verbs, QString path, LocalFile source,
                                                std::stop_token stop);
[[nodiscard]] QCoro::Task<Result<void>> putBytes(RunnerVerbs verbs, QString path, QByteArray bytes,
                                                 std::stop_token stop);

} // namespace Glovebox
