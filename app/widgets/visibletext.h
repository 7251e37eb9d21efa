// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace Glovebox {

/// A hidden character drawn as a box: \a length characters of the shown text stand for one.
struct HiddenBox
{
    int start = 0;
    int length = 0;
    char32_t codePoint = 0;
};

/// A hostile line as it is drawn: what cannot be seen, or would reorder or swallow its neighbours,
/// is replaced by its name ("U+202E", "CR", "NBSP") in stored order. Columns of both forms convert
/// into each other, because selection and copy work on the stored text.
class VisibleText final
{
public:
    [[nodiscard]] static VisibleText of(const QString &stored);

    [[nodiscard]] const QString &shown() const { return m_shown; }
    [[nodiscard]] const QList<HiddenBox> &boxes() const { return m_boxes; }
    [[nodiscard]] int toShown(int storedColumn) const;
    [[nodiscard]] int toStored(int shownColumn) const;

private:
    struct Step
    {
        int shown = 0;
        int stored = 0;
        int shownLength = 0;
        int storedLength = 0;
    };
    void appendBox(char32_t codePoint, int stored, int storedLength);

    QString m_shown;
    QList<HiddenBox> m_boxes;
    QList<Step> m_steps; ///< one for each box, in order
};

/// True for characters that are drawn as a box: controls, direction controls, zero width, fillers.
[[nodiscard]] bool isHidden(char32_t codePoint);

/// A text of several lines for a plain label: hidden characters by name, line ends kept.
[[nodiscard]] QString visibleLines(const QString &text);

/// What stands in the box: "U+202E".
[[nodiscard]] QString hiddenName(char32_t codePoint);

} // namespace Glovebox
