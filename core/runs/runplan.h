// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/agents/agent.h"
#include "core/git/bundle.h"
#include "core/sandbox/sandbox.h"
#include "core/tasks/taskfile.h"

#include <QJsonObject>

namespace Glovebox {

/// A host that a run may reach, and why.
struct PlanHost
{
    QString rule;
    QString reason;
};

/// A variable that goes in. Never its value.
struct PlanVariable
{
    QString name;
    QString source;      ///< "environment", "memory", "agent", "glovebox"
    bool secret = false; ///< its value is redacted from everything
};

/// What the user accepted by an explicit tick; the receipt records it.
struct PlanTicks
{
    bool unenforced = false;
    bool open = false;
    QStringList confirmedVariables;
};

/// A task resolved for one backend and one agent: all that goes in, may be reached, runs and comes
/// back. Shown before the start as the audit, never changed afterwards, kept in the receipt.
struct RunPlan
{
    QString run;      ///< the run's id
    QString taskPath; ///< as given, absolute
    QByteArray taskText;
    QByteArray taskDigest; ///< SHA-256 of the text, hexadecimal
    TaskFile task;
    QString repository; ///< work tree, or git folder of a bare one
    QString gitFolder;  ///< the common git folder
    QString branch;     ///< wanted short name: "agent/…"
    BaseBundle bundle;  ///< its file is below the run's folder
    Agent agent;
    QStringList agentCommand;
    QString program; ///< the agent's program on this machine, empty when it is not needed here
    QString provider;
    SandboxSpec sandbox; ///< without labels' created time; role is added per sandbox
    CompiledPolicy policy;
    QList<PlanHost> hosts;
    QList<PlanVariable> variables;
    VerifyIn verifyIn = VerifyIn::Clean;
    PlanTicks ticks;
    QStringList cannot; ///< what this backend or agent can't do, translated sentences
    QStringList notes;  ///< dirty tree, short secrets, …: said, not refused

    [[nodiscard]] QString base() const { return bundle.base; }
};

/// The plan as JSON, keys in snake_case, documented in app/cli/README.md.
[[nodiscard]] QJsonObject toJson(const RunPlan &plan);
/// The canonical form (sorted keys, no blanks) and its SHA-256.
[[nodiscard]] QByteArray canonicalJson(const QJsonObject &object);
[[nodiscard]] QByteArray planDigest(const RunPlan &plan);

/// One row of the audit table.
struct PlanRow
{
    enum class Group { GoesIn, MayReach, Runs, ComesBack };
    Group group = Group::GoesIn;
    QString what;
    QString value;
    QString measure;
    QString warning; ///< a row that weakens safety says so
};

/// The audit: every row, nothing folded. Translated.
[[nodiscard]] QList<PlanRow> planRows(const RunPlan &plan);
[[nodiscard]] QString groupText(PlanRow::Group group);
/// "1.9 MB".
[[nodiscard]] QString sizeText(qint64 bytes);

} // namespace Glovebox
