// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/process.h"

#include "core/base/pause.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QProcess>
#include <QPromise>
#include <QTimer>

#include <qcorofuture.h>

#ifdef Q_OS_UNIX
#include <csignal>
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Process)
};

#ifdef Q_OS_UNIX
#ifdef __GLIBC__
using LimitName = __rlimit_resource_t;
#else
using LimitName = int;
#endif

void limitTo(LimitName resource, rlim_t value)
{
    if (value > 0) {
        const rlimit limit{value, value};
        setrlimit(resource, &limit);
    }
}
#endif

/// One running program. Lives as long as the coroutine that awaits it.
class Child final
{
public:
    explicit Child(const ProcessRequest &request);
    ~Child();

    void start();
    void endGroup();
    [[nodiscard]] QFuture<void> finished() { return m_promise.future(); }
    [[nodiscard]] Result<ProcessResult> result();
    void endWith(Error error);

private:
    void takeOutput();
    void finish();

    ProcessRequest m_request;
    QProcess *m_process = new QProcess; // outlives us until it is collected
    QPromise<void> m_promise;
    ProcessResult m_result;
    std::optional<Error> m_error;
    bool m_done = false;
};

Child::Child(const ProcessRequest &request)
    : m_request(request)
{
    m_promise.start();
    m_process->setProgram(request.program);
    m_process->setArguments(request.arguments);
    m_process->setProcessEnvironment(request.environment);
    m_process->setWorkingDirectory(request.directory.isEmpty() ? QStringLiteral("/")
                                                               : request.directory);
    if (!request.standardInputFile.isEmpty()) {
        m_process->setStandardInputFile(request.standardInputFile);
    }
    if (!request.standardOutputFile.isEmpty()) {
        m_process->setStandardOutputFile(request.standardOutputFile);
    }
#ifdef Q_OS_UNIX
    m_process->setChildProcessModifier([limits = request.resources] {
        setsid();
        limitTo(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu.count()));
        limitTo(RLIMIT_AS, static_cast<rlim_t>(limits.addressSpace));
        limitTo(RLIMIT_FSIZE, static_cast<rlim_t>(limits.fileSize));
    });
#endif
    QObject::connect(m_process, &QProcess::readyReadStandardOutput, m_process,
                     [this] { takeOutput(); });
    QObject::connect(m_process, &QProcess::readyReadStandardError, m_process,
                     [this] { takeOutput(); });
    QObject::connect(m_process, &QProcess::finished, m_process, [this] { finish(); });
    QObject::connect(
        m_process, &QProcess::errorOccurred, m_process, [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart) {
                m_error =
                    Error{ErrorCode::NotInstalled,
                          Tr::tr("The program %1 could not be started.").arg(m_request.program),
                          m_process->errorString()};
                finish();
            }
        });
}

Child::~Child()
{
    m_process->disconnect();
    if (m_process->state() == QProcess::NotRunning) {
        m_process->deleteLater();
        return;
    }
    QObject::connect(m_process, &QProcess::finished, m_process, &QObject::deleteLater);
    endGroup();
}

void Child::start()
{
    m_process->start();
    if (m_request.standardInputFile.isEmpty()) {
        m_process->write(m_request.standardInput);
        m_process->closeWriteChannel();
    }
}

void Child::endGroup()
{
#ifdef Q_OS_UNIX
    const qint64 pid = m_process->processId();
    if (pid > 1) {
        ::kill(static_cast<pid_t>(-pid), SIGKILL);
    }
#endif
    m_process->kill();
}

void Child::endWith(Error error)
{
    if (!m_done && !m_error) {
        m_error = std::move(error);
        endGroup();
    }
}

void Child::takeOutput()
{
    m_result.output += m_process->readAllStandardOutput();
    m_result.error += m_process->readAllStandardError();
    if (qMax(m_result.output.size(), m_result.error.size()) > m_request.outputLimit) {
        endWith({ErrorCode::TooLarge,
                 Tr::tr("%1 wrote more than %n MiB and was stopped.", nullptr,
                        static_cast<int>(m_request.outputLimit >> 20))
                     .arg(QFileInfo(m_request.program).fileName()),
                 {}});
    }
}

void Child::finish()
{
    if (m_done) {
        return;
    }
    m_done = true;
    takeOutput();
    m_result.exitCode = m_process->exitStatus() == QProcess::CrashExit ? 128 + m_process->exitCode()
                                                                       : m_process->exitCode();
    m_promise.finish();
}

Result<ProcessResult> Child::result()
{
    if (m_error) {
        return fail(*m_error);
    }
    return std::move(m_result);
}

} // namespace

QCoro::Task<Result<ProcessResult>> runProcess(ProcessRequest request, std::stop_token stop)
{
    if (stop.stop_requested()) {
        co_return fail(cancelledError());
    }
    if (!QFileInfo(request.program).isAbsolute()) {
        const std::optional<QString> found = findProgram(request.program);
        if (!found) {
            co_return fail(ErrorCode::NotInstalled,
                           Tr::tr("%1 is not installed, or not on the PATH.").arg(request.program));
        }
        request.program = *found;
    }
    const auto child = std::make_shared<Child>(request);
    QTimer timer;
    timer.setSingleShot(true);
    QObject::connect(&timer, &QTimer::timeout, &timer, [&child, &request] {
        child->endWith({ErrorCode::TimedOut,
                        Tr::tr("%1 did not end within its time limit.")
                            .arg(QFileInfo(request.program).fileName()),
                        {}});
    });
    timer.start(request.limit);
    child->start();
    const std::stop_callback onStop(stop, [&child] { child->endWith(cancelledError()); });
    const QFuture<void> finished = child->finished();
    co_await finished;
    co_return child->result();
}

std::optional<QString> findProgram(const QString &name, const QString &path)
{
    if (QFileInfo(name).isAbsolute()) {
        return QFileInfo(name).isExecutable() ? std::optional(name) : std::nullopt;
    }
    if (name.isEmpty() || name.contains(QLatin1Char('/'))) {
        return std::nullopt;
    }
    for (const QString &folder : path.split(QDir::listSeparator(), Qt::SkipEmptyParts)) {
        const QFileInfo candidate(folder + QLatin1Char('/') + name);
        if (QFileInfo(folder).isAbsolute() && candidate.isFile() && candidate.isExecutable()) {
            return candidate.absoluteFilePath();
        }
    }
    return std::nullopt;
}

std::optional<QString> findProgram(const QString &name)
{
    return findProgram(name, qEnvironmentVariable("PATH"));
}

} // namespace Glovebox
