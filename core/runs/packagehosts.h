// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/problem.h"
#include "core/sandbox/networkpolicy.h"

#include <QByteArray>
#include <QList>
#include <QStringList>

#include <qcorotask.h>

#include <stop_token>

namespace Glovebox {

/// A file of the base commit: its path in the repository and all of its bytes. Hostile.
struct PackageFile
{
    QByteArray path;
    QByteArray bytes;
};

enum class PackageManager { Npm, Yarn, Pnpm, Pip, Cargo, Go };

/// A host that the package managers of a repository fetch from, and where that is written
/// ("package-lock.json line 12"); the reason is plain text, ready to be shown.
struct PackageHost
{
    HostRule rule;
    QString reason;
};

/// What the files of a repository say about package hosts.
struct PackageHosts
{
    QList<PackageHost> hosts;         ///< each rule once, at most PackageHosts::most
    QList<Problem> problems;          ///< warnings: what was left out, and what to do about it
    QList<PackageManager> unanswered; ///< needed here, but no file names where they fetch from
    QStringList goModules;            ///< paths of the Go modules, for those that no proxy serves
    QStringList cargoIndexes;         ///< "registry+URL" of crates whose registry no file describes

    static constexpr int most = 64;
};

/// Whether a file of this path is one that readPackageHosts() understands. Those of installed
/// packages (node_modules, vendor) are not asked for.
[[nodiscard]] bool isPackageFile(const QByteArray &path);

/// Reads the resolved addresses of lockfiles and the package managers' configuration in the
/// repository. A pure function; any thread. Understood: package-lock.json, npm-shrinkwrap.json,
/// package.json, .npmrc, yarn.lock (v1 and later), .yarnrc, .yarnrc.yml, pnpm-lock.yaml,
/// requirements and constraints files, pip.conf, pyproject.toml, poetry.lock, uv.lock, Pipfile,
/// Pipfile.lock, Cargo.lock, Cargo.toml, .cargo/config.toml, go.mod, go.sum.
/// Credentials in addresses are dropped. Addresses by number, names without a dot, names of this
/// machine, and ssh are left out with a problem: the task's own list may name them.
[[nodiscard]] PackageHosts readPackageHosts(const QList<PackageFile> &files);

/// Asks the package managers of this machine for what the repository's files leave open: each in a
/// clean environment, outside of the repository, for at most 5 s. One that is not installed or
/// says nothing useful leaves a problem of severity Hint. Answers \a known, completed.
/// Main thread. The only error is Cancelled.
[[nodiscard]] QCoro::Task<Result<PackageHosts>> askPackageManagers(PackageHosts known,
                                                                   std::stop_token stop);

} // namespace Glovebox
