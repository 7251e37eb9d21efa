// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>

namespace Glovebox::Testing {

using Fault = std::function<std::optional<Error>(const QString &, const QString &)>;

inline Error errorOf(ErrorCode code)
{
    return {code, QStringLiteral("as the test wants"), {}};
}

/// Answers \a code to the calls \a verb about something that holds \a word, \a times of them.
inline Fault failing(const char *verb, const char *word, ErrorCode code, int times = 1000)
{
    const auto left = std::make_shared<int>(times);
    return [=](const QString &seen, const QString &what) -> std::optional<Error> {
        if (seen != QLatin1String(verb) || !what.contains(QLatin1String(word)) || --*left < 0) {
            return std::nullopt;
        }
        return errorOf(code);
    };
}

/// The calls \a verb about something that holds \a word.
inline std::function<bool(const QString &, const QString &)> on(const char *verb,
                                                                const QString &word)
{
    return [=](const QString &seen, const QString &what) {
        return seen == QLatin1String(verb) && what.contains(word);
    };
}

} // namespace Glovebox::Testing
