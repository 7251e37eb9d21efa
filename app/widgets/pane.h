// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/widgets/tokens.h"

#include <QWidget>

class QBoxLayout;

namespace Glovebox {

class ElidedLabel;

/// A framed part of a page: a head with a title and a fact, and below it what the page puts there.
class Pane final : public QWidget
{
    Q_OBJECT
public:
    explicit Pane(const QString &title, QWidget *parent = nullptr);

    void setFact(const QString &fact);
    /// At the right end of the head.
    void addToHead(QWidget *widget);
    [[nodiscard]] QBoxLayout *body() const { return m_body; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    ElidedLabel *m_fact;
    QBoxLayout *m_head;
    QBoxLayout *m_body;
    QWidget *m_headWidget;
};

/// A strip of one surface colour with an optional line above or below: header, toolbar, decision
/// bar.
class Strip final : public QWidget
{
    Q_OBJECT
public:
    enum class Edge { None, Top, Bottom };
    Strip(Token surface, Edge edge, int height, QWidget *parent = nullptr);
    [[nodiscard]] QBoxLayout *row() const { return m_row; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Token m_surface;
    Edge m_edge;
    QBoxLayout *m_row;
};

} // namespace Glovebox
