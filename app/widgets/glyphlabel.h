// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/stateglyph.h"

#include <QWidget>

class QLabel;

namespace Glovebox {

/// A glyph and, beside it, plain text that may wrap.
class GlyphLabel final : public QWidget
{
    Q_OBJECT
public:
    GlyphLabel(const Glyph &glyph, const QString &text, QWidget *parent = nullptr);
    void set(const Glyph &glyph, const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Glyph m_glyph;
    QLabel *m_text;
};

} // namespace Glovebox
