// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>

namespace Glovebox {

/// Where a text stops being UTF-8.
struct BadByte
{
    qsizetype offset = 0; ///< in bytes, from 0
    int line = 1;         ///< from 1
    int value = 0;        ///< the byte itself
};

/// The first byte that cannot be read as UTF-8, or nothing.
[[nodiscard]] std::optional<BadByte> firstBadByte(const QByteArray &bytes);

/// A text file's bytes and the lines an editor shows of them. What was not edited is written back
/// byte for byte: a byte order mark, each line's own end, no-break spaces, line separators.
class TaskText final
{
public:
    TaskText() = default;
    explicit TaskText(const QByteArray &bytes);

    /// For QPlainTextEdit::setPlainText(): without the mark, lines joined by line feeds.
    [[nodiscard]] QString shown() const;
    /// The bytes for a text as QTextDocument::toRawText() gives it. Lines that are still those that
    /// were read keep their ends, others take the end that most lines have.
    [[nodiscard]] QByteArray written(const QString &rawText) const;

private:
    struct Line
    {
        QString text;
        QByteArray end; ///< empty at the last one
    };
    [[nodiscard]] QList<QByteArray> endsFor(const QStringList &now) const;
    void matchMiddle(const QStringList &now, qsizetype from, qsizetype before,
                     QList<QByteArray> *ends) const;
    [[nodiscard]] QByteArray commonEnd() const;

    QList<Line> m_lines{Line{}};
    bool m_mark = false; ///< it begins with a byte order mark
};

} // namespace Glovebox
