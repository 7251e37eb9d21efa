// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/runs/runview.h"

#include <QWidget>

class QBoxLayout;
class QPushButton;

namespace Glovebox {

class NextStepRow;
class PageHeader;
class Pane;

/// Where the window begins: what needs the user, what works, what was lately; repositories.
class StartPage final : public QWidget
{
    Q_OBJECT
public:
    explicit StartPage(QWidget *parent = nullptr);

    void setRuns(const QList<RunRecord> &runs);
    void setRepositories(const QStringList &recent, const QString &open);
    enum class Demo { Ready, BeingMade };
    void setDemo(Demo state);

Q_SIGNALS:
    void runRequested(const QString &id);
    void openRepositoryRequested();
    void demoRequested();
    void repositoryRequested(const QString &path);

private:
    struct Section
    {
        Pane *pane = nullptr;
        QBoxLayout *rows = nullptr;
        QHash<QString, NextStepRow *> byRun;
    };
    [[nodiscard]] Section addSection(QBoxLayout *column, const QString &title);
    [[nodiscard]] QWidget *makeWelcome();
    /// Rows of runs that stay are kept, with their focus.
    void fill(Section *section, const QList<RunRecord> &runs);
    [[nodiscard]] NextStepRow *rowFor(Section *section, const QString &run);

    PageHeader *m_header;
    QPushButton *m_demo;
    QWidget *m_welcome;
    Section m_needs;
    Section m_working;
    Section m_lately;
    Section m_repositories;
};

} // namespace Glovebox
