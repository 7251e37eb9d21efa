// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/folderchannel.h"

#include "core/base/process.h"
#include "core/base/safefolder.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QThread>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

namespace Glovebox::Testing {

namespace {

constexpr char mark[] = "GLOVEBOX_FOLDER=";
constexpr char jobMark[] = "GLOVEBOX_JOB=";

QProcessEnvironment environmentOf(const QString &folder, const QString &tools)
{
    QProcessEnvironment environment;
    const QString path = QStringLiteral("/usr/local/bin:/usr/bin:/bin");
    environment.insert(QStringLiteral("PATH"), tools.isEmpty() ? path : tools + u':' + path);
    environment.insert(QStringLiteral("HOME"), folder);
    environment.insert(QStringLiteral("USER"), QStringLiteral("tester"));
    environment.insert(QStringLiteral("GLOVEBOX_FOLDER"), folder);
    return environment;
}

QByteArray readProc(qint64 pid, const QString &name)
{
    QFile file(QStringLiteral("/proc/%1/%2").arg(pid).arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QList<SeenProcess> allProcesses()
{
    QList<SeenProcess> all;
    for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        bool isNumber = false;
        const qint64 pid = name.toLongLong(&isNumber);
        const QByteArray stat = isNumber ? readProc(pid, QStringLiteral("stat")) : QByteArray();
        const QList<QByteArray> fields = stat.mid(stat.lastIndexOf(')') + 2).split(' ');
        if (fields.size() > 3) {
            all.append({pid, fields.at(1).toLongLong(), fields.at(0).front()});
        }
    }
    return all;
}

/// Whether a process is marked as this folder's or as another's; nothing when it has no mark. What
/// a channel calls bears the folder, what the runner starts bears its job, which lies in the
/// folder.
std::optional<bool> isMarkedFor(qint64 pid, const QString &folder)
{
    const QByteArray own = folder.toUtf8();
    for (const QByteArray &entry : readProc(pid, QStringLiteral("environ")).split('\0')) {
        if (entry.startsWith(mark)) {
            return entry.mid(qstrlen(mark)) == own;
        }
        if (entry.startsWith(jobMark)) {
            return entry.mid(qstrlen(jobMark)).startsWith(own + '/');
        }
    }
    return std::nullopt;
}

} // namespace

QList<qint64> processesOfFolder(const QString &folder, Neighbours neighbours)
{
    struct Seen
    {
        qint64 pid;
        bool ours; ///< what has no mark is its parent's
    };
    const QList<SeenProcess> all = allProcesses();
    QList<Seen> descendants{{getpid(), neighbours == Neighbours::None}};
    QList<qint64> found;
    for (qsizetype i = 0; i < descendants.size(); ++i) {
        const Seen parent = descendants.at(i);
        for (const SeenProcess &process : all) {
            const bool isDead = process.state == 'Z' || process.state == 'X';
            if (process.parent != parent.pid || isDead) {
                continue;
            }
            const bool ours = isMarkedFor(process.pid, folder).value_or(parent.ours);
            descendants.append({process.pid, ours});
            if (ours) {
                found.append(process.pid);
            }
        }
    }
    return found;
}

int endProcessesOfFolder(const QString &folder, Neighbours neighbours)
{
    QList<qint64> left = processesOfFolder(folder, neighbours);
    for (int round = 0; round < 100 && !left.isEmpty(); ++round) {
        for (const qint64 pid : left) {
            ::kill(static_cast<pid_t>(pid), SIGSTOP);
        }
        for (const qint64 pid : processesOfFolder(folder, neighbours)) {
            ::kill(static_cast<pid_t>(pid), SIGKILL);
        }
        QThread::msleep(10);
        left = processesOfFolder(folder, neighbours);
    }
    return static_cast<int>(left.size());
}

FolderChannel::FolderChannel(QString folder, QString tools, Neighbours neighbours)
    : m_folder(std::move(folder))
    , m_tools(std::move(tools))
    , m_neighbours(neighbours)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

QCoro::Task<Result<QByteArray>> FolderChannel::call(QByteArray line, std::chrono::seconds limit,
                                                    std::stop_token stop)
{
    ProcessRequest request;
    request.program = QStringLiteral("/bin/sh");
    request.arguments = {QStringLiteral("-c"), QString::fromLatin1(line)};
    request.environment = environmentOf(m_folder, m_tools);
    request.limit = limit;
    request.outputLimit = 1024 * 1024;
    const Result<ProcessResult> done = co_await runProcess(request, stop);
    if (!done) {
        co_return fail(done.error());
    }
    co_return done->output;
}

QCoro::Task<Result<void>> FolderChannel::put(QString path, LocalFile source, std::stop_token)
{
    QFile::remove(path);
    if (!QFile::copy(source.path, path)) {
        co_return fail(ErrorCode::FileError, QStringLiteral("cannot put %1").arg(path));
    }
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    co_return Result<void>();
}

QCoro::Task<Result<void>> FolderChannel::get(QString path, LocalFile target, qint64 maximum,
                                             std::stop_token)
{
    const Result<SafeFolder> folder = SafeFolder::open(QFileInfo(path).path());
    if (!folder) {
        co_return fail(folder.error());
    }
    co_return folder->copyOut(QFileInfo(path).fileName(), target.path, maximum);
}

QCoro::Task<Result<std::optional<int>>> FolderChannel::endAll(EndScope, std::stop_token)
{
    co_return std::optional(endProcessesOfFolder(m_folder, m_neighbours));
}

} // namespace Glovebox::Testing
