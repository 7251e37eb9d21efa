// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/tokens.h"

#include <QWidget>

namespace Glovebox {

/// One line of plain text in one of the few sizes, cut with dots where there is no room; the
/// tooltip and the accessible name hold all of it. Never rich text, whatever the text looks like.
class ElidedLabel final : public QWidget
{
    Q_OBJECT
public:
    enum class Size { Body, Strong, Small, Title, Figure, Code };

    explicit ElidedLabel(Size size, QWidget *parent = nullptr);

    void setText(const QString &text);
    [[nodiscard]] const QString &text() const { return m_text; }
    void setToken(Token token);
    void setElide(Qt::TextElideMode mode);
    [[nodiscard]] bool isElided() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    [[nodiscard]] QFont textFont() const;
    void updateToolTip();

    QString m_text;
    Size m_size;
    Token m_token = Token::Text;
    Qt::TextElideMode m_elide = Qt::ElideRight;
};

/// A label of several lines, plain text, selectable where wanted: what hostile text goes into.
[[nodiscard]] class QLabel *makePlainLabel(const QString &text, QWidget *parent);

} // namespace Glovebox
