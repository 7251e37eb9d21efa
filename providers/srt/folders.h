// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/safefolder.h"
#include "core/sandbox/sandbox.h"
#include "providers/srt/processes.h"

namespace Glovebox::Srt {

/// The folders of one sandbox, KEY/:
///
///     owner.json owner.lock settings.json   ours alone
///     R/cwd R/tmp                           readable inside, never writable: srt's working folder,
///     its sockets W/work W/home W/tmp W/jobs W/calls    written by whatever runs inside: touched
///     through SafeFolder only
///
/// Everything is made before srt starts: it skips writable folders that are not there. All paths
/// are canonical and of runner words only, and short: a socket's path has 108 bytes.
class Layout final
{
public:
    Layout() = default;
    explicit Layout(QString folder)
        : m_folder(std::move(folder))
    {
    }
    [[nodiscard]] QString folder() const { return m_folder; }
    [[nodiscard]] QString key() const { return m_folder.section(QLatin1Char('/'), -1); }
    [[nodiscard]] QString ownerFile() const { return at("owner.json"); }
    [[nodiscard]] QString lockFile() const { return at("owner.lock"); }
    [[nodiscard]] QString settingsFile() const { return at("settings.json"); }
    [[nodiscard]] QString readable() const { return at("R"); }
    [[nodiscard]] QString workingFolder() const { return at("R/cwd"); }
    [[nodiscard]] QString ownTemporary() const { return at("R/tmp"); }
    [[nodiscard]] QString writable() const { return at("W"); }
    [[nodiscard]] QString work() const { return at("W/work"); }
    [[nodiscard]] QString home() const { return at("W/home"); }
    [[nodiscard]] QString temporaryInside() const { return at("W/tmp"); }
    [[nodiscard]] QString jobs() const { return at("W/jobs"); }

private:
    [[nodiscard]] QString at(const char *name) const
    {
        return m_folder + QLatin1Char('/') + QLatin1String(name);
    }
    QString m_folder;
};

/// What owner.json remembers, for list(), attach() and clearing up after a crash.
struct Record
{
    Labels labels;
    QDateTime created;
    QDateTime deadline;
    NetworkPolicy network;
    QStringList readable; ///< host folders of the agent's program, as the spec has them
    QStringList path;     ///< of these, the ones on PATH
    QStringList hidden;   ///< host folders that the spec wants hidden
    ProcessMark keeper;   ///< the last one that was started
    QString boot;         ///< during which start of the machine
};

/// An unprivileged user to run as, when we are root.
struct RunAs
{
    quint32 user = 0;
    quint32 group = 0;
    QString name;
};

/// The claim on one sandbox's folders: the kernel drops it when its process dies, however it dies.
class Claim final
{
public:
    /// Busy when another living Glovebox holds it.
    [[nodiscard]] static Result<Claim> take(const Layout &layout);

private:
    explicit Claim(FileHandle lock)
        : m_lock(std::move(lock))
    {
    }
    FileHandle m_lock;
};

/// The two places that sandboxes of one data folder may be in: DATA/sandboxes, and, where that path
/// is too long for sockets, holds characters that a command line would have to quote, or lies in a
/// home that \a runAs can't enter, a folder of this user in /var/tmp.
[[nodiscard]] QStringList sandboxRoots(const QString &dataFolder);
[[nodiscard]] Result<QString> rootForNew(const QString &dataFolder,
                                         const std::optional<RunAs> &runAs);

/// The same for the same installation, run and role, so that a repeated create finds its folder;
/// random without a run.
[[nodiscard]] QString keyOf(const Labels &labels);

/// Makes everything; AlreadyExists when the folder is there.
[[nodiscard]] Result<Layout> makeLayout(const QString &root, const QString &key,
                                        const std::optional<RunAs> &runAs);
/// The folders of a sandbox that exists; NotFound.
[[nodiscard]] Result<Layout> findLayout(const QString &dataFolder, const QString &key);
[[nodiscard]] Result<QList<Layout>> allLayouts(const QString &dataFolder);

[[nodiscard]] Result<void> writeRecord(const Layout &layout, const Record &record);
[[nodiscard]] Result<Record> readRecord(const Layout &layout);

/// Deletes all of it; success when it is gone.
[[nodiscard]] Result<void> removeLayout(const Layout &layout);

} // namespace Glovebox::Srt
