// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/runview.h"

#include <QWidget>

class QBoxLayout;

namespace Glovebox {

class Badge;
class ElidedLabel;
class Meter;

/// The right column of the Build door: time left, spent, network, checkpoints, changed so far.
class LiveSide final : public QWidget
{
    Q_OBJECT
public:
    explicit LiveSide(QWidget *parent = nullptr);
    void setRun(const RunView &view, const QDateTime &now);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Section
    {
        ElidedLabel *value = nullptr;
        Meter *meter = nullptr;
        ElidedLabel *fact = nullptr;
    };
    enum class WithMeter { No, Yes };
    [[nodiscard]] Section addSection(QBoxLayout *column, const QString &title, WithMeter meter);
    void updateTime(const RunView &view, const QDateTime &now);
    void updateMoney(const RunView &view);
    void updateNetwork(const RunView &view);

    Section m_time;
    Section m_spent;
    Section m_network;
    Badge *m_boundary;
    Section m_checkpoints;
    Section m_changed;
};

} // namespace Glovebox
