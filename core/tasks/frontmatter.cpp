// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/frontmatter.h"

#include "core/tasks/textlocator.h"

namespace Glovebox {

namespace {

bool isFence(const QByteArray &line)
{
    return line.startsWith("---") && line.mid(3).trimmed().isEmpty();
}

} // namespace

TaskParts splitTaskText(const QByteArray &bytes)
{
    const TextLocator locator(bytes);
    const auto lineAt = [&](qsizetype at) {
        return bytes.mid(at, locator.lineTextEnd(at) - at);
    };
    TaskParts parts;
    parts.textBegin = bytes.startsWith("\xEF\xBB\xBF") ? 3 : 0;
    if (bytes.mid(locator.lineTextEnd(0)).startsWith("\r\n")) {
        parts.lineEnd = "\r\n";
    }
    parts.bodyBegin = parts.textBegin;
    if (!isFence(lineAt(parts.textBegin))) {
        qsizetype at = parts.textBegin;
        while (at < bytes.size() && lineAt(at).trimmed().isEmpty()) {
            at = locator.lineEnd(at);
        }
        parts.lateFence = at < bytes.size() && isFence(lineAt(at)) ? at : -1;
        return parts;
    }
    parts.hasFrontMatter = true;
    parts.yamlBegin = locator.lineEnd(parts.textBegin);
    qsizetype at = parts.yamlBegin;
    while (at < bytes.size() && !isFence(lineAt(at))) {
        at = locator.lineEnd(at);
    }
    parts.isClosed = at < bytes.size();
    parts.yamlEnd = at;
    parts.bodyBegin = parts.isClosed ? locator.lineEnd(at) : parts.yamlBegin;
    return parts;
}

QString readableBody(const QByteArray &bytes)
{
    QString text = QString::fromUtf8(bytes);
    text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
    text.replace(QLatin1Char('\r'), QLatin1Char('\n'));
    qsizetype begin = 0;
    for (qsizetype i = 0; i < text.size() && text.at(i).isSpace(); ++i) {
        if (text.at(i) == QLatin1Char('\n')) {
            begin = i + 1;
        }
    }
    qsizetype end = text.size();
    while (end > begin && text.at(end - 1).isSpace()) {
        --end;
    }
    return text.mid(begin, end - begin);
}

} // namespace Glovebox
