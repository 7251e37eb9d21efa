// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/runview.h"

#include <QWidget>

namespace Glovebox {

class Banner;
class RecordTable;

/// The Return door: what quarantine said about what came back.
class ReturnPage final : public QWidget
{
    Q_OBJECT
public:
    explicit ReturnPage(QWidget *parent = nullptr);
    void setRun(const RunView &view);

Q_SIGNALS:
    void reviewRequested();

private:
    void setHazards(const RunView &view);
    void setOutside(const RunView &view);

    Banner *m_banner;
    RecordTable *m_imports;
    RecordTable *m_hazards;
    RecordTable *m_outside;
};

} // namespace Glovebox
