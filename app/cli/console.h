// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QJsonObject>
#include <QTextStream>

namespace Glovebox {

/// Exit codes of every verb but run, whose codes follow the outcome.
enum ExitCode {
    ExitDone = 0,
    ExitProblems = 1,
    ExitUsage = 2,
    ExitFailed = 4,
    ExitCancelled = 130
};

/// Where the command line writes. With --json: one document on standard output, everything else on
/// standard error; without it: results on standard output, progress on standard error.
class Console final
{
public:
    explicit Console(bool json);

    [[nodiscard]] bool isJson() const { return m_json; }
    /// The one document; nothing when not in JSON mode.
    void document(const QJsonObject &object);
    /// A line of the result; nothing in JSON mode.
    void result(const QString &line);
    /// A line of progress, on standard error in either mode.
    void progress(const QString &line);
    /// Bytes of a log, made harmless, on standard error.
    void log(const QByteArray &bytes);
    /// Says the error once: as text, or as {"error": {code, message, detail}}; answers its exit
    /// code.
    int error(const Error &error);

private:
    bool m_json;
    QTextStream m_out;
    QTextStream m_err;
};

} // namespace Glovebox
