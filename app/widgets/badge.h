// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/stateglyph.h"

#include <QWidget>

namespace Glovebox {

/// A small outlined fact with a glyph: evidence ("Accepted · exit 0 · 8be31a7"), the state of a
/// boundary. Stale evidence is grey and dashed, whatever it said.
class Badge final : public QWidget
{
    Q_OBJECT
public:
    enum class Look { Outlined, Chip };
    enum class Validity { Current, Stale };

    explicit Badge(Look look, QWidget *parent = nullptr);

    void show(const Glyph &glyph, const QString &text, Validity validity = Validity::Current);
    using QWidget::show;
    [[nodiscard]] const QString &text() const { return m_text; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Look m_look;
    Glyph m_glyph;
    QString m_text;
    Validity m_validity = Validity::Current;
};

/// Paints a chip (20 high, radius 10) with its top left corner at \a corner; answers its width.
int paintChip(QPainter *painter, const QPoint &corner, const Glyph &glyph, const QString &text,
              const QFont &font, const Tokens &tokens);
[[nodiscard]] int chipWidth(const QString &text, const QFont &font);

/// How much of something is used up, or left.
class Meter final : public QWidget
{
    Q_OBJECT
public:
    explicit Meter(QWidget *parent = nullptr);
    /// \a share from 0 to 1; \a description is what a screen reader says.
    void setShare(double share, const QString &description);
    void setToken(Token token);
    [[nodiscard]] double share() const { return m_share; }
    [[nodiscard]] QSize sizeHint() const override { return {120, 6}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    double m_share = 0;
    Token m_token = Token::Accent;
};

} // namespace Glovebox
