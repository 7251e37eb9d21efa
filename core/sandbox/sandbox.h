// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/problem.h"
#include "core/sandbox/capabilities.h"
#include "core/sandbox/command.h"
#include "core/sandbox/networkpolicy.h"

#include <QDateTime>
#include <QMap>

#include <qcorotask.h>

#include <memory>
#include <stop_token>

namespace Glovebox {

/// The backend's own name of a sandbox; value is opaque to us.
struct SandboxId
{
    QString provider;
    QString value;
    friend bool operator==(const SandboxId &, const SandboxId &) = default;
};

/// application, installation, run, role ("work" or "verify"), created: values of [a-z0-9-] only.
using Labels = QMap<QString, QString>;

struct Resources
{
    int cpus = 0; ///< 0 = the backend's default
    int memoryMiB = 0;
    int diskMiB = 0;
};

/// What a sandbox is made from.
struct SandboxSpec
{
    Labels labels;
    QString image; ///< image, template or snapshot; empty = the backend's default
    Resources resources;
    std::chrono::seconds lifetime{0}; ///< hard upper bound from creation; always set
    NetworkPolicy network;
    QList<Upload> files; ///< there before the first command
    /// Host folders that hold the agent's program, for backends that run on this machine: readable
    /// inside although they may lie below a hidden home, and the programs' own folders on PATH.
    QStringList readable;
    QStringList path;
    /// Host folders that nothing inside may read, for backends that run on this machine, beside
    /// what they hide in any case: the repository that the run works for.
    QStringList hidden;
};

/// Where a command's output goes: the run's log. Implementations redact, append, then remember the
/// offset, so that received() is what a re-join goes on from.
class OutputSink
{
public:
    virtual ~OutputSink() = default;
    [[nodiscard]] virtual qint64 received(Stream stream) const = 0;
    /// Awaited before more is fetched: that is the back-pressure.
    [[nodiscard]] virtual QCoro::Task<Result<void>> write(OutputChunk chunk,
                                                          std::stop_token stop) = 0;
};

/// Changes what a living sandbox may reach.
class LiveNetwork
{
public:
    virtual ~LiveNetwork() = default;
    [[nodiscard]] virtual QCoro::Task<Result<void>> replace(NetworkPolicy policy,
                                                            std::stop_token stop) = 0;
};

struct EgressEntry
{
    QString host;
    quint16 port = 0;
    bool allowed = false;
    qint64 count = 0;
    QDateTime first;
    QDateTime last;
};

/// Hosts reached and, where the backend knows them, refused.
class EgressLog
{
public:
    virtual ~EgressLog() = default;
    [[nodiscard]] virtual QList<EgressEntry> entries() const = 0;
};

/// A living sandbox: one per run and role, shared. All methods may be called at once unless the
/// capabilities say one at a time. Main thread.
class Sandbox
{
public:
    virtual ~Sandbox() = default;
    [[nodiscard]] virtual SandboxId id() const = 0;
    /// A folder inside that commands may write, absolute; the run's clone and files go below it.
    [[nodiscard]] virtual QString workFolder() const = 0;

    /// Idempotent: a repeated start never runs it twice.
    [[nodiscard]] virtual QCoro::Task<Result<void>> start(CommandId id, Command command,
                                                          std::stop_token stop) = 0;
    /// Joins, and re-joins. Stopping leaves the command running.
    [[nodiscard]] virtual QCoro::Task<Result<CommandResult>>
    wait(CommandId id, std::shared_ptr<OutputSink> sink, std::stop_token stop) = 0;
    /// TERM, then KILL, to its whole tree; answers how many survived.
    [[nodiscard]] virtual QCoro::Task<Result<int>> end(CommandId id, std::chrono::seconds grace,
                                                       std::stop_token stop) = 0;
    /// Replaces the time limit of a running command.
    [[nodiscard]] virtual QCoro::Task<Result<void>>
    setLimit(CommandId id, std::chrono::seconds limit, std::stop_token stop) = 0;
    /// Ends everything that was not there when the sandbox was made, and puts the runner anew;
    /// answers how many survived. Before a verdict is taken inside, with EndScope::Everything.
    [[nodiscard]] virtual QCoro::Task<Result<int>> endAll(EndScope scope, std::stop_token stop) = 0;
    /// Whole or not at all: to a side name, SHA-256 compared, then moved.
    [[nodiscard]] virtual QCoro::Task<Result<void>> upload(Upload upload, std::stop_token stop) = 0;
    /// A regular file, at most \a maximum bytes, into a new file; answers its SHA-256
    /// (hexadecimal).
    [[nodiscard]] virtual QCoro::Task<Result<QByteArray>>
    download(QString path, LocalFile target, qint64 maximum, std::stop_token stop) = 0;
    /// NotSupported is an answer.
    [[nodiscard]] virtual QCoro::Task<Result<QDateTime>> setDeadline(QDateTime deadline,
                                                                     std::stop_token stop) = 0;

    [[nodiscard]] virtual LiveNetwork *liveNetwork() { return nullptr; }
    [[nodiscard]] virtual EgressLog *egressLog() { return nullptr; }
    /// "gbx 1 sh=… setsid=… base64=… proc=… uid=…": what the runner found inside, for the receipt.
    [[nodiscard]] virtual QString runnerInfo() const = 0;
};

/// start and wait; when stopped: end, with 15 s of its own, then Cancelled.
[[nodiscard]] QCoro::Task<Result<CommandResult>> runCommand(std::shared_ptr<Sandbox> sandbox,
                                                            CommandId id, Command command,
                                                            std::shared_ptr<OutputSink> sink,
                                                            std::stop_token stop);

/// Which sandboxes to list: every pair must be equal.
using LabelFilter = QMap<QString, QString>;

struct SandboxInfo
{
    SandboxId id;
    Labels labels;
    QString state; ///< the backend's own word
    QDateTime created;
    std::optional<QDateTime> deadline;
};

/// One item of "can this backend be used here?".
struct Readiness
{
    enum class State { Ok, Missing, Failing, Unknown };
    QString what; ///< "bwrap"
    State state = State::Unknown;
    QString version;
    QString nextStep; ///< translated sentence; empty when Ok
};

/// A sandbox backend, for the life of the application. Main thread.
class SandboxProvider
{
public:
    virtual ~SandboxProvider() = default;
    [[nodiscard]] virtual const ProviderInfo &info() const = 0;
    [[nodiscard]] virtual CompiledPolicy compile(const NetworkPolicy &policy) const = 0; ///< pure
    [[nodiscard]] virtual QList<Problem> validate(const SandboxSpec &spec) const = 0;    ///< pure
    [[nodiscard]] virtual QCoro::Task<Result<std::shared_ptr<Sandbox>>>
    create(SandboxSpec spec, std::stop_token stop) = 0;
    /// After a restart; NotFound when it is gone.
    [[nodiscard]] virtual QCoro::Task<Result<std::shared_ptr<Sandbox>>>
    attach(SandboxId id, std::stop_token stop) = 0;
    /// All pages or an error, never a part; paused and stopped ones too.
    [[nodiscard]] virtual QCoro::Task<Result<QList<SandboxInfo>>> list(LabelFilter filter,
                                                                       std::stop_token stop) = 0;
    /// Success = it is gone, however often asked.
    [[nodiscard]] virtual QCoro::Task<Result<void>> destroy(SandboxId id, std::stop_token stop) = 0;
    [[nodiscard]] virtual QCoro::Task<Result<QList<Readiness>>>
    checkReady(std::stop_token stop) = 0;
};

} // namespace Glovebox
