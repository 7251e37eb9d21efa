// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/hostcollector.h"

namespace Glovebox {

/// What a package manager printed about itself, read into hosts. Each answers whether it named
/// where packages come from. Pure; the text is the user's own, but read as strictly as any.

/// `npm config list --json`
[[nodiscard]] bool readNpmConfiguration(const QByteArray &output, HostCollector *hosts);
/// `yarn config get …`, `pnpm config get registry`: an address on a line of its own.
[[nodiscard]] bool readBareAddress(const QByteArray &output, const QString &manager,
                                   HostCollector *hosts);
/// `pip config list`
[[nodiscard]] bool readPipConfigList(const QByteArray &output, HostCollector *hosts);
/// `pip install --help`, which names the index it uses when nothing is configured.
[[nodiscard]] bool readPipHelp(const QByteArray &output, HostCollector *hosts);
/// `go env GOPROXY GOSUMDB GOPRIVATE GONOPROXY`, a line each.
[[nodiscard]] bool readGoEnvironment(const QByteArray &output, HostCollector *hosts);
/// The folder in which cargo keeps what it knows of registries: registry/index/HOST-DIGEST, with a
/// config.json that names where crates are fetched from.
[[nodiscard]] bool readCargoHome(const QString &cargoHome, HostCollector *hosts);

} // namespace Glovebox
