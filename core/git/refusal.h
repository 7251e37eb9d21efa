// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>
#include <tl/expected.hpp>

namespace Glovebox {

/// Why a bundle is not imported. No Error: refusing hostile bytes is what the import is for.
struct Refusal
{
    QString stage;  ///< header limits pack objects tip history
    QString code;   ///< stable: "bundle-bad-header"
    QString reason; ///< one translated sentence that holds no raw bytes of the bundle
};

/// A value, or the refusal that stood in its way.
template<typename T>
using Checked = tl::expected<T, Refusal>;

/// Nothing, or a refusal.
using Verdict = std::optional<Refusal>;

[[nodiscard]] inline Refusal refusal(const char *stage, const char *code, QString reason)
{
    return Refusal{QString::fromLatin1(stage), QString::fromLatin1(code), std::move(reason)};
}

[[nodiscard]] inline tl::unexpected<Refusal> refuse(const char *stage, const char *code,
                                                    QString reason)
{
    return tl::unexpected<Refusal>(refusal(stage, code, std::move(reason)));
}

} // namespace Glovebox
