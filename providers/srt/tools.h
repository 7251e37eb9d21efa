// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/sandbox/sandbox.h"

#include <optional>

namespace Glovebox::Srt {

/// Where Node and srt are on this machine. Both come from npm, in one folder that
/// installers/bootstrap fills: node_modules/node and node_modules/@anthropic-ai/sandbox-runtime.
struct Tools
{
    QString node;    ///< absolute path of the program
    QString script;  ///< dist/cli.js of srt
    QString folder;  ///< holds both packages; has to stay readable inside
    QString version; ///< of srt, from its package.json: `--version` lies in older ones
};

/// The version that this provider is made for; of another 0.0.x the facts are not known.
[[nodiscard]] QString expectedVersion();

/// Looks into \a folder where one is given; else into GLOVEBOX_TOOLS_DIR, the folder that was
/// installed beside the program, and on the PATH. NotInstalled says what to do.
[[nodiscard]] Result<Tools> findTools(const QString &folder);

/// The PATH inside: Node's folder first (agents are started by it), then \a programFolders, then
/// the system's, then where srt's own helpers are.
[[nodiscard]] QString pathInside(const Tools &tools, const QStringList &programFolders);

/// What the standard error of an srt that could not start means, with the next step.
[[nodiscard]] Error explainFailure(const QByteArray &standardError);

/// Whether the programs that srt needs are there: node, srt, bwrap, socat, rg, bash.
[[nodiscard]] QList<Readiness> checkPrograms(const Result<Tools> &tools);

} // namespace Glovebox::Srt
