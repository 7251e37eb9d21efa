// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/hostcollector.h"

#include <re2/re2.h>

// go.mod:  require HOST/path v1.2.3        go.sum:  HOST/path v1.2.3/go.mod h1:…
// Modules come from a proxy that no file of the repository names: go itself is asked for it. Their
// own hosts are noted for the modules that no proxy serves.

namespace Glovebox {

namespace {

constexpr int mostModules = 5000;

} // namespace

void readGoFile(const QString &name, const QString &path, const QByteArray &bytes,
                HostCollector *hosts)
{
    Q_UNUSED(path)
    static const RE2 module("^\\s*(?:require\\s+|replace\\s+.*=>\\s*)?"
                            "([a-z0-9-]+(?:\\.[a-z0-9-]+)+(?:/[A-Za-z0-9._~!-]+)*)\\s+v[0-9]");
    QStringList &modules = hosts->result().goModules;
    bool hasModule = false;
    for (const QByteArray &line : bytes.split('\n')) {
        std::string found;
        if (!RE2::PartialMatch(line.toStdString(), module, &found)) {
            continue;
        }
        hasModule = true;
        const QString moduleName = QString::fromStdString(found);
        if (modules.size() < mostModules && (modules.isEmpty() || modules.last() != moduleName)) {
            modules += moduleName;
        }
    }
    if (hasModule || name == QLatin1String("go.mod")) {
        hosts->use(PackageManager::Go);
    }
}

} // namespace Glovebox
