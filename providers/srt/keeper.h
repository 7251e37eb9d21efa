// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/channel.h"
#include "providers/srt/folders.h"
#include "providers/srt/pipereader.h"

#include <QProcess>
#include <QProcessEnvironment>

#include <list>

namespace Glovebox::Srt {

struct KeeperRequest
{
    QString node;
    QString script;
    Layout layout;
    QProcessEnvironment environment;
    std::optional<RunAs> runAs;
};

/// The one srt process that is the sandbox. Inside it a loop takes lines "ID sh RUNNER VERB …" on
/// standard input and runs each with its output in the pipe W/calls/ID: so answers of any number of
/// calls can't mix, a slow reader holds up its own call alone, and nothing is written to disk.
///
/// It ends when its standard input is closed, which our own death does too, and gets SIGTERM when
/// we die (with SIGKILL srt would leave its tree running). Main thread.
class Keeper final : public QObject
{
    Q_OBJECT

public:
    /// Started, and its loop answers.
    [[nodiscard]] static QCoro::Task<Result<std::shared_ptr<Keeper>>> start(KeeperRequest request,
                                                                            std::stop_token stop);
    ~Keeper() override;

    [[nodiscard]] ProcessMark mark() const { return m_mark; }
    [[nodiscard]] bool isAlive() const { return m_process->state() == QProcess::Running; }

    /// Runs a line; what it printed, at most 1 MiB.
    [[nodiscard]] static QCoro::Task<Result<QByteArray>> call(std::shared_ptr<Keeper> keeper,
                                                              QByteArray line,
                                                              std::chrono::milliseconds limit,
                                                              std::stop_token stop);
    /// Runs a line and hands on what it prints, line by line as it comes.
    [[nodiscard]] static QCoro::Task<Result<void>> follow(std::shared_ptr<Keeper> keeper,
                                                          QByteArray line,
                                                          std::shared_ptr<LineSink> sink,
                                                          std::stop_token stop);
    /// Hands srt new settings on its control descriptor, and waits until it has read them. Only the
    /// network part can change.
    [[nodiscard]] static QCoro::Task<Result<void>>
    replaceSettings(std::shared_ptr<Keeper> keeper, QByteArray settings, std::stop_token stop);
    /// Ends it with everything in it: by closing its input, then SIGTERM, then SIGKILL to its
    /// group. Calls that are under way fail with \a reason. Answers how many processes are left, 0.
    [[nodiscard]] static QCoro::Task<int> end(std::shared_ptr<Keeper> keeper, Error reason);

    /// At once, by SIGKILL; what is under way fails with \a reason.
    void endNow(const Error &reason);

private:
    explicit Keeper(KeeperRequest request);
    [[nodiscard]] static QCoro::Task<void> ended(std::shared_ptr<Keeper> keeper,
                                                 std::chrono::milliseconds limit);
    [[nodiscard]] bool openControl();
    void launch();
    void prepareChild();
    void takeOutput();
    void finished();
    void abortCalls(const Error &reason);
    [[nodiscard]] Result<std::shared_ptr<PipeReader>> begin(const QByteArray &line,
                                                            QString &pipeName);
    [[nodiscard]] Error goneError() const;

    KeeperRequest m_request;
    QProcess *m_process = new QProcess; // outlives us until it is collected
    FileHandle m_control;               ///< our end: settings are written here
    FileHandle m_controlInside;         ///< srt's end, ours only until it has started
    ProcessMark m_mark;
    std::optional<SafeFolder> m_writable;
    std::list<std::weak_ptr<PipeReader>> m_calls;
    std::optional<QPromise<void>> m_starting;
    QByteArray m_output;
    QByteArray m_errors;
    bool m_ready = false;
    std::optional<Error> m_reason; ///< why it is being ended
};

} // namespace Glovebox::Srt
