// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/problem.h"

#include <QHash>
#include <QJsonObject>
#include <QList>
#include <QStringList>

#include <chrono>
#include <optional>

namespace Glovebox {

/// A coding agent as a value, read from resources/agents/ID.json or DATA_DIR/agents/ID.json.
struct Agent
{
    struct Install
    {
        QString npm;     ///< package, empty = not on npm
        QString program; ///< what is looked up on PATH
        QString minimum; ///< lowest version that works
        bool scripts = false;
    };
    struct Key
    {
        QString name;  ///< environment variable
        QString anyOf; ///< one of each group is needed
    };
    enum class Root { Runs, Lift };

    QString id;
    QString name;
    Install install;
    QStringList version; ///< argv that prints the version
    QStringList command; ///< argv, "{options}" and "{value}" stand for what the task chose
    QHash<QString, QStringList>
        options; ///< model budget turns resume: argv with "{value}"; absent = it can't
    bool taskOnStdin = true;
    QList<std::pair<QString, QString>> environment;
    QList<Key> keys;
    QStringList hosts;      ///< that it needs in locked-down
    QString configVariable; ///< environment name of its settings folder, a fresh one per run
    Root root = Root::Runs;
    QList<std::pair<QString, QString>> rootEnvironment; ///< lifts its refusal of root
    QString transcript;  ///< parser id: "claude-stream-json", "codex-jsonl", "plain"
    QJsonObject endDone; ///< event matches, see transcript.h
    QJsonObject endFailed;
    QJsonObject endBudget;
    QJsonObject endTurns;
    std::chrono::seconds grace{0};   ///< after the last event, before it is ended
    std::chrono::seconds silence{0}; ///< no output for so long ends it; half of it warns
    QString source;                  ///< the file it was read from
};

/// What a task chose of it.
struct AgentOptions
{
    QString model;
    std::optional<double> budgetUsd;
    std::optional<int> turns;
    QString command; ///< for "custom"
};

/// The exact argv for a task: placeholders filled, options that the agent cannot take left out.
[[nodiscard]] QStringList agentCommand(const Agent &agent, const AgentOptions &options);

/// Reads one agent file. Unknown keys are errors in ours, warnings in a user's.
[[nodiscard]] Result<Agent> parseAgent(const QByteArray &json, const QString &source, bool ours,
                                       QList<Problem> *problems);

/// The agents there are: ours, then the user's, which replace ours by id.
class AgentCatalog final
{
public:
    /// \a userFolder may be missing. A file that cannot be read is a problem, the others stay.
    [[nodiscard]] static AgentCatalog load(const QString &userFolder);
    [[nodiscard]] const QList<Agent> &agents() const { return m_agents; }
    [[nodiscard]] const Agent *find(const QString &id) const;
    [[nodiscard]] const QList<Problem> &problems() const { return m_problems; }

private:
    QList<Agent> m_agents;
    QList<Problem> m_problems;
};

} // namespace Glovebox
