// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/stateglyph.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace Glovebox {

class ElidedLabel;

/// One sentence with a strong start in a soft frame, and at most one button: an outcome, a warning,
/// an error. Text is plain.
class Banner final : public QWidget
{
    Q_OBJECT
public:
    enum class Size { Line, Outcome };

    explicit Banner(Size size, QWidget *parent = nullptr);

    void setMessage(const Glyph &glyph, const QString &strong, const QString &rest = {});
    /// An empty text hides it.
    void setButton(const QString &text);
    /// Something of the page's own at the right end, an evidence badge for example. Takes it over.
    void setTrailing(QWidget *widget);
    [[nodiscard]] QString strongText() const;
    [[nodiscard]] QString restText() const;

Q_SIGNALS:
    void buttonClicked();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Size m_size;
    Glyph m_glyph;
    ElidedLabel *m_strong;
    QLabel *m_rest;
    QHBoxLayout *m_row;
    QPushButton *m_button;
};

} // namespace Glovebox
