// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QList>

#include <optional>

namespace Glovebox {

/// One line of a stream of JSON objects.
struct JsonLine
{
    std::optional<QJsonObject> object; ///< nothing when it was none
    QByteArray raw;                    ///< the beginning of a line that was none, at most 2 KiB
};

/// Cuts a hostile stream into JSON objects, one a line, in pieces of any size. A line over 1 MiB,
/// nested deeper than 64, or not one object is answered without an object, and the stream goes on.
/// Empty lines, a byte order mark and CR are no matter.
class JsonLines final
{
public:
    [[nodiscard]] QList<JsonLine> feed(const QByteArray &bytes);
    [[nodiscard]] QList<JsonLine> finish();

    static constexpr qsizetype longestLine = 1024LL * 1024;
    static constexpr int deepest = 64;

private:
    void append(QByteArrayView bytes);
    void endLine(QList<JsonLine> *lines);

    QByteArray m_line;
    bool m_tooLong = false;
};

/// Whether brackets outside of strings nest no deeper than \a deepest. Asked before a parser that
/// recurses sees the text.
[[nodiscard]] bool isFlatEnough(QByteArrayView json, int deepest);

} // namespace Glovebox
