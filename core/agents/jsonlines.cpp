// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/jsonlines.h"

#include <QJsonDocument>

namespace Glovebox {

namespace {

constexpr qsizetype keptOfBadLine = 2048;

std::optional<QJsonObject> objectOf(const QByteArray &line)
{
    if (!isFlatEnough(line, JsonLines::deepest)) {
        return std::nullopt;
    }
    const QJsonDocument document = QJsonDocument::fromJson(line);
    return document.isObject() ? std::optional(document.object()) : std::nullopt;
}

} // namespace

bool isFlatEnough(QByteArrayView json, int deepest)
{
    int depth = 0;
    bool inString = false;
    for (qsizetype i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inString) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                inString = false;
            }
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > deepest) {
                return false;
            }
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return true;
}

QList<JsonLine> JsonLines::feed(const QByteArray &bytes)
{
    QList<JsonLine> lines;
    qsizetype from = 0;
    for (qsizetype end = bytes.indexOf('\n'); end >= 0; end = bytes.indexOf('\n', from)) {
        append(QByteArrayView(bytes).sliced(from, end - from));
        endLine(&lines);
        from = end + 1;
    }
    append(QByteArrayView(bytes).sliced(from));
    return lines;
}

QList<JsonLine> JsonLines::finish()
{
    QList<JsonLine> lines;
    endLine(&lines);
    return lines;
}

void JsonLines::append(QByteArrayView bytes)
{
    if (m_tooLong || m_line.size() + bytes.size() > longestLine) {
        m_tooLong = true;
        m_line += bytes.first(qBound<qsizetype>(0, keptOfBadLine - m_line.size(), bytes.size()));
        m_line.truncate(keptOfBadLine);
        m_line.squeeze();
        return;
    }
    m_line += bytes;
}

void JsonLines::endLine(QList<JsonLine> *lines)
{
    QByteArray line = std::exchange(m_line, {});
    const bool tooLong = std::exchange(m_tooLong, false);
    if (line.startsWith("\xef\xbb\xbf")) {
        line.remove(0, 3);
    }
    line = line.trimmed();
    if (line.isEmpty()) {
        return;
    }
    JsonLine result;
    if (!tooLong) {
        result.object = objectOf(line);
    }
    if (!result.object) {
        result.raw = line.first(qMin(line.size(), keptOfBadLine));
    }
    lines->append(result);
}

} // namespace Glovebox
