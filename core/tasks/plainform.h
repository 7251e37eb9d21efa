// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace Glovebox {

/// What a plain text says with lines that begin "Task:", "Acceptance:" and "Constraints:". Free
/// text may stand before them; each part goes on to the next of these lines or to the end.
struct PlainForm
{
    struct Span
    {
        qsizetype begin = 0;
        qsizetype end = 0;
    };
    QString title;                  ///< the task part's first sentence
    QString command;                ///< the first one in back-quotes of the acceptance part
    std::optional<Span> task;       ///< where "Task:" stands, in bytes
    std::optional<Span> acceptance; ///< the command between its back-quotes, else "Acceptance:"
    std::optional<Span> constraints;
};

/// Nothing when no line begins with one of the three words.
[[nodiscard]] std::optional<PlainForm> readPlainForm(const QByteArray &bytes);

} // namespace Glovebox
