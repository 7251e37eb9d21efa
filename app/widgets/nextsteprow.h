// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/stateglyph.h"

#include <QWidget>

#include <optional>

class QPushButton;

namespace Glovebox {

class ElidedLabel;

/// One thing that can be done: icon, what, its effect, and the button that does it.
class NextStepRow final : public QWidget
{
    Q_OBJECT
public:
    NextStepRow(const QString &icon, const QString &what, const QString &effect,
                const QString &button, QWidget *parent = nullptr);
    void setTexts(const QString &what, const QString &effect, const QString &button);
    /// Instead of an icon.
    void setGlyph(const Glyph &glyph);
    void setPrimary(bool primary);

Q_SIGNALS:
    void clicked();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_icon;
    std::optional<Glyph> m_glyph;
    ElidedLabel *m_what;
    ElidedLabel *m_effect;
    QPushButton *m_button;
};

} // namespace Glovebox
