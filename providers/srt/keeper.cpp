// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/keeper.h"

#include "core/base/ids.h"
#include "core/base/pause.h"
#include "providers/srt/tools.h"

#include <QCoreApplication>
#include <QTimer>

#include <qcorofuture.h>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <grp.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef Q_OS_LINUX
#include <sys/prctl.h>
#endif

namespace Glovebox::Srt {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(SrtKeeper)
};

using namespace std::chrono_literals;

constexpr qsizetype largestAnswer = 1024LL * 1024;
constexpr qsizetype longestLine = 256LL * 1024;
constexpr qsizetype keptErrors = 16LL * 1024;
constexpr auto startLimit = 60s;
constexpr auto closeGrace = 2s; // measured: 0.06 to 0.3 s
constexpr auto termGrace = 2s;
constexpr auto killGrace = 10s;
constexpr auto pollInterval = 5ms;
constexpr auto settleTime = 20ms; // srt applies a line right after it has read it

const QByteArray readyWord("glovebox-ready");

/// `set -m`: without it the shell starts what is in the background with SIGINT ignored for good.
QString loopText(const Layout &layout)
{
    return QStringLiteral(
               "set -fm; cd /; echo %1; while read -r i l; do $l </dev/null >%2/calls/$i "
               "2>&1 & done")
        .arg(QString::fromLatin1(readyWord), layout.writable());
}

bool isRunnerLine(const QByteArray &line)
{
    return !line.isEmpty() && std::all_of(line.cbegin(), line.cend(), [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
               (letter >= '0' && letter <= '9') || letter == '/' || letter == '_' ||
               letter == '.' || letter == '-' || letter == ' ';
    });
}

/// In the child, between fork and exec: only what is safe there.
void becomeKeeper(int control, const std::optional<RunAs> &runAs, pid_t parent)
{
    ::setsid();
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    if (runAs && (::setgroups(0, nullptr) != 0 || ::setgid(runAs->group) != 0 ||
                  ::setuid(runAs->user) != 0)) {
        ::_exit(126);
    }
#ifdef Q_OS_LINUX
    ::prctl(PR_SET_PDEATHSIG, SIGTERM); // after setuid(), which clears it
    if (::getppid() != parent) {
        ::_exit(126);
    }
#endif
    ::fcntl(control, F_SETFD, 0);
}

} // namespace

Keeper::Keeper(KeeperRequest request)
    : m_request(std::move(request))
{
    connect(m_process, &QProcess::readyReadStandardOutput, this, &Keeper::takeOutput);
    connect(m_process, &QProcess::readyReadStandardError, this, &Keeper::takeOutput);
    connect(m_process, &QProcess::finished, this, &Keeper::finished);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            m_errors += m_process->errorString().toUtf8();
            finished();
        }
    });
}

Keeper::~Keeper()
{
    m_process->disconnect(this);
    abortCalls(goneError());
    if (m_process->state() == QProcess::NotRunning) {
        m_process->deleteLater();
        return;
    }
    connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
    const qint64 pid = m_process->processId();
    killTree(pid, treeOf(pid));
}

bool Keeper::openControl()
{
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) {
        return false;
    }
    m_controlInside = FileHandle(ends[0]);
    m_control = FileHandle(ends[1]);
    return ::fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           ::fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 && ::fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0;
}

void Keeper::prepareChild()
{
    const int control = m_controlInside.descriptor();
    const std::optional<RunAs> runAs = m_request.runAs;
    const pid_t parent = ::getpid();
    m_process->setChildProcessModifier(
        [control, runAs, parent] { becomeKeeper(control, runAs, parent); });
}

void Keeper::launch()
{
    m_process->setProgram(m_request.node);
    m_process->setArguments({m_request.script, QStringLiteral("-s"),
                             m_request.layout.settingsFile(), QStringLiteral("--control-fd"),
                             QString::number(m_controlInside.descriptor()), QStringLiteral("-c"),
                             loopText(m_request.layout)});
    m_process->setProcessEnvironment(m_request.environment);
    m_process->setWorkingDirectory(m_request.layout.workingFolder());
    prepareChild();
    m_process->start();
    m_controlInside = FileHandle();
    m_mark = {m_process->processId(), markOf(m_process->processId()).started};
}

QCoro::Task<Result<std::shared_ptr<Keeper>>> Keeper::start(KeeperRequest request,
                                                           std::stop_token stop)
{
    if (stop.stop_requested()) {
        co_return fail(cancelledError());
    }
    const std::shared_ptr<Keeper> keeper(new Keeper(std::move(request)));
    Result<SafeFolder> writable = SafeFolder::open(keeper->m_request.layout.writable());
    if (!writable || !keeper->openControl()) {
        co_return fail(writable ? Error{ErrorCode::FileError,
                                        Tr::tr("The sandbox could not be started: too many files "
                                               "are open."),
                                        {}}
                                : writable.error());
    }
    keeper->m_writable = *writable;
    keeper->m_starting.emplace();
    keeper->m_starting->start();
    const QFuture<void> started = keeper->m_starting->future();
    keeper->launch();
    QTimer limit;
    limit.setSingleShot(true);
    const auto giveUp = [weak = std::weak_ptr(keeper)](const Error &reason) {
        if (const auto living = weak.lock(); living && living->m_starting) {
            living->endNow(reason);
        }
    };
    connect(&limit, &QTimer::timeout, &limit, [giveUp] {
        giveUp({ErrorCode::TimedOut, Tr::tr("The sandbox did not start within a minute."), {}});
    });
    limit.start(startLimit);
    const std::stop_callback onStop(stop, [giveUp] { giveUp(cancelledError()); });
    co_await started;
    if (!keeper->m_ready) {
        co_return fail(keeper->m_reason.value_or(explainFailure(keeper->m_errors)));
    }
    co_return keeper;
}

void Keeper::takeOutput()
{
    m_output = (m_output + m_process->readAllStandardOutput()).right(keptErrors);
    m_errors = (m_errors + m_process->readAllStandardError()).right(keptErrors);
    if (!m_ready && m_output.contains(readyWord + '\n') && m_starting) {
        m_ready = true;
        QPromise<void> starting = std::move(*m_starting);
        m_starting.reset();
        starting.finish();
    }
}

void Keeper::finished()
{
    takeOutput();
    const qint64 pid = m_mark.pid;
    killTree(pid, {}); // srt ended by itself or by others: its tree may be still there
    abortCalls(m_reason.value_or(goneError()));
    if (m_starting) {
        QPromise<void> starting = std::move(*m_starting);
        m_starting.reset();
        starting.finish();
    }
}

Error Keeper::goneError() const
{
    return {ErrorCode::SandboxGone, Tr::tr("The sandbox has ended."),
            QString::fromUtf8(m_errors.right(2000))};
}

void Keeper::abortCalls(const Error &reason)
{
    const std::list<std::weak_ptr<PipeReader>> calls = std::exchange(m_calls, {});
    for (const std::weak_ptr<PipeReader> &call : calls) {
        if (const std::shared_ptr<PipeReader> reader = call.lock()) {
            reader->abort(reason);
        }
    }
}

Result<std::shared_ptr<PipeReader>> Keeper::begin(const QByteArray &line, QString &pipeName)
{
    if (!isRunnerLine(line)) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("A line for the runner holds characters that it may not have."));
    }
    if (!isAlive() || m_reason) {
        return fail(m_reason.value_or(goneError()));
    }
    const QString id = newId();
    pipeName = QStringLiteral("calls/") + id;
    Result<FileHandle> pipe = m_writable->makePipe(pipeName);
    if (!pipe) {
        return fail(pipe.error());
    }
    const auto reader = std::make_shared<PipeReader>(std::move(*pipe), largestAnswer);
    m_calls.remove_if([](const std::weak_ptr<PipeReader> &call) { return call.expired(); });
    m_calls.push_back(reader);
    m_process->write(id.toLatin1() + ' ' + line + '\n');
    return reader;
}

QCoro::Task<Result<QByteArray>> Keeper::call(std::shared_ptr<Keeper> keeper, QByteArray line,
                                             std::chrono::milliseconds limit, std::stop_token stop)
{
    QString pipeName;
    const Result<std::shared_ptr<PipeReader>> reader = keeper->begin(line, pipeName);
    if (!reader) {
        co_return fail(reader.error());
    }
    const std::shared_ptr<PipeReader> &pipe = *reader;
    QTimer timer;
    timer.setSingleShot(true);
    connect(&timer, &QTimer::timeout, pipe.get(), [pipe = pipe.get()] {
        pipe->abort({ErrorCode::TimedOut, Tr::tr("The sandbox did not answer in time."), {}});
    });
    timer.start(limit);
    const std::stop_callback onStop(stop, [&pipe] { pipe->abort(cancelledError()); });
    QByteArray answer;
    while (!pipe->isAtEnd() && !pipe->error() && answer.size() <= largestAnswer) {
        const QFuture<void> changed = pipe->changed();
        co_await changed;
        answer += pipe->take();
    }
    const Result<void> removed = keeper->m_writable->remove(pipeName);
    if (pipe->error()) {
        co_return fail(*pipe->error());
    }
    if (answer.size() > largestAnswer) {
        co_return fail(ErrorCode::TooLarge, Tr::tr("The sandbox answered more than 1 MiB."));
    }
    if (!removed) {
        co_return fail(removed.error());
    }
    co_return answer;
}

QCoro::Task<Result<void>> Keeper::follow(std::shared_ptr<Keeper> keeper, QByteArray line,
                                         std::shared_ptr<LineSink> sink, std::stop_token stop)
{
    QString pipeName;
    const Result<std::shared_ptr<PipeReader>> reader = keeper->begin(line, pipeName);
    if (!reader) {
        co_return fail(reader.error());
    }
    const std::shared_ptr<PipeReader> &pipe = *reader;
    const std::stop_callback onStop(stop, [&pipe] { pipe->abort(cancelledError()); });
    QByteArray pending;
    Result<void> result;
    while (result && !pipe->isAtEnd() && !pipe->error()) {
        const QFuture<void> changed = pipe->changed();
        co_await changed;
        pending += pipe->take();
        qsizetype begin = 0;
        for (qsizetype end = pending.indexOf('\n'); result && end >= 0;
             end = pending.indexOf('\n', begin)) {
            const QByteArray text = pending.mid(begin, end - begin);
            begin = end + 1;
            result = co_await sink->line(text, stop);
        }
        pending.remove(0, begin);
        if (result && pending.size() > longestLine) {
            result = fail(ErrorCode::UnexpectedReply,
                          Tr::tr("The sandbox answered a line that is too long."));
        }
    }
    const Result<void> removed = keeper->m_writable->remove(pipeName);
    if (!result) {
        co_return fail(result.error());
    }
    if (pipe->error()) {
        co_return fail(*pipe->error());
    }
    co_return removed;
}

QCoro::Task<Result<void>> Keeper::replaceSettings(std::shared_ptr<Keeper> keeper,
                                                  QByteArray settings, std::stop_token stop)
{
    const QByteArray line = settings + '\n';
    if (!keeper->isAlive()) {
        co_return fail(keeper->goneError());
    }
    if (::write(keeper->m_control.descriptor(), line.constData(),
                static_cast<size_t>(line.size())) != line.size()) {
        co_return fail(ErrorCode::Busy,
                       Tr::tr("The sandbox does not take new network rules just now."));
    }
    int unread = 1;
    while (unread > 0 && keeper->isAlive()) {
        const Result<void> waited = co_await pause(pollInterval, stop);
        if (!waited) {
            co_return fail(waited.error());
        }
        if (::ioctl(keeper->m_control.descriptor(), FIONREAD, &unread) != 0) {
            unread = 0;
        }
    }
    if (!keeper->isAlive()) {
        co_return fail(keeper->goneError());
    }
    co_return co_await pause(settleTime, stop);
}

void Keeper::endNow(const Error &reason)
{
    if (!m_reason) {
        m_reason = reason;
    }
    abortCalls(*m_reason);
    killTree(m_mark.pid, treeOf(m_mark.pid));
}

/// Waits for its end, no longer than this. Nobody stops the stopping.
QCoro::Task<void> Keeper::ended(std::shared_ptr<Keeper> keeper, std::chrono::milliseconds limit)
{
    const auto until = std::chrono::steady_clock::now() + limit;
    while (keeper->isAlive() && std::chrono::steady_clock::now() < until) {
        const Result<void> waited = co_await pause(pollInterval, std::stop_token());
        static_cast<void>(waited); // without a token it can't fail
    }
}

QCoro::Task<int> Keeper::end(std::shared_ptr<Keeper> keeper, Error reason)
{
    const qint64 pid = keeper->m_mark.pid;
    QList<ProcessMark> tree = treeOf(pid);
    if (!keeper->m_reason) {
        keeper->m_reason = std::move(reason);
    }
    if (keeper->isAlive()) {
        keeper->m_process->closeWriteChannel();
    }
    co_await ended(keeper, closeGrace);
    if (keeper->isAlive() && pid > 1) {
        ::kill(static_cast<pid_t>(pid), SIGTERM);
    }
    co_await ended(keeper, termGrace);
    const auto until = std::chrono::steady_clock::now() + killGrace;
    for (const ProcessMark &late : treeOf(pid)) {
        if (!tree.contains(late) && late.pid != pid) {
            tree.append(late);
        }
    }
    while (survivors(tree) > 0 && std::chrono::steady_clock::now() < until) {
        killTree(pid, tree);
        const Result<void> waited = co_await pause(pollInterval, std::stop_token());
        static_cast<void>(waited);
    }
    co_return survivors(tree);
}

} // namespace Glovebox::Srt
