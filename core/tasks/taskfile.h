// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/problem.h"

#include <QHash>
#include <QString>
#include <QStringList>

#include <chrono>
#include <optional>

namespace Glovebox {

/// One command whose exit code 0 says that the work is done. Run by the harness as `sh -c RUN`.
struct AcceptanceCommand
{
    QString name; ///< what it is called on screen; the command itself when none was given
    QString run;
    std::chrono::seconds timeout{15 * 60};
};

struct AgentChoice
{
    QString id = QStringLiteral("claude"); ///< of AgentCatalog; "custom" for an own command
    QString command;                       ///< only for "custom": a shell line
};

struct NetworkChoice
{
    QString preset = QStringLiteral("balanced"); ///< "open", "balanced", "locked-down"
    QStringList allow;                           ///< as written; parseHostRule() reads them
    QStringList deny;
};

enum class VerifyIn { Same, Clean };

struct VerifyChoice
{
    std::optional<VerifyIn> in; ///< nothing = as the backend's capabilities say
    bool onBase = false;        ///< run the checks on the base too
    QStringList baseTests;      ///< globs: run the branch also with the base's files that match

    /// How often setup and checks run: for the branch, and for each option.
    [[nodiscard]] int rounds() const
    {
        return 1 + (onBase ? 1 : 0) + (baseTests.isEmpty() ? 0 : 1);
    }
};

/// What to do, and how to tell that it was done. A value: knows nothing of files on disk.
struct TaskFile
{
    QString title;
    QList<AcceptanceCommand> acceptance;
    QStringList scope;  ///< globs that may change; empty = any
    QStringList forbid; ///< globs that may not
    QStringList setup;  ///< shell lines before the agent
    AgentChoice agent;
    QString model;
    std::optional<int> turns;
    QString backend = QStringLiteral("srt");
    QString imageTemplate;
    NetworkChoice network;
    std::optional<double> budgetUsd = 5.0; ///< nothing = no limit, written as "none"
    std::chrono::seconds timeout{60 * 60};
    QString base;            ///< a revision; empty = HEAD
    QString branch;          ///< what stands after agent/; empty = a slug of the title
    QStringList environment; ///< names, never values
    VerifyChoice verify;
    int attempts = 1;
    QString instructions; ///< the Markdown below the front matter: what the agent reads
};

/// Where a key of the front matter stands, for underlining and for jumping to it.
struct KeyPosition
{
    int line = 0;   ///< from 1
    int column = 0; ///< from 1
    int length = 0;
};

/// A task file as text and as a value, always in step. Reading never fails: what could not be read
/// is a Problem and the field keeps its default. Writing changes only the lines of the field that
/// changed; unchanged bytes stay as they were (comments, order, unknown keys, line ends).
class TaskDocument final
{
public:
    /// \a bytes: UTF-8. Both forms: YAML front matter, and the plain one (Task:, Acceptance:,
    /// Constraints:).
    [[nodiscard]] static TaskDocument parse(const QByteArray &bytes);

    [[nodiscard]] const TaskFile &task() const { return m_task; }
    [[nodiscard]] const QList<Problem> &problems() const { return m_problems; }
    [[nodiscard]] const QByteArray &bytes() const { return m_bytes; }
    [[nodiscard]] bool isPlainForm() const { return m_plain; }
    /// Of a top-level key ("acceptance"), or nothing where it isn't written.
    [[nodiscard]] std::optional<KeyPosition> positionOf(const QString &key) const;

    /// Of one item of a list as task() has it: "acceptance", "scope", "forbid", "setup", "env",
    /// "network.allow", "network.deny", "verify.base_tests". Nothing where it isn't written.
    [[nodiscard]] std::optional<KeyPosition> positionOf(const QString &key, qsizetype item) const;
    /// False when the front matter cannot be read (a YAML error, wrong bytes, too large): then only
    /// the text can be edited, and withKey() answers it as it is.
    [[nodiscard]] bool canChange() const { return m_changeable; }

    /// The text with one top-level key set to the value that \a task has for it; byte-identical
    /// when that is what it says already, in whatever form. Only lines of that key change, within a
    /// list only those of the items that differ. A value with an empty form (no title, no scope, no
    /// model …) takes the key out; any other default is written where the key stands, and left
    /// unwritten where it doesn't. A plain-form document becomes one with front matter, which then
    /// holds all that was read from it, at the first change. Unknown keys are an assertion.
    [[nodiscard]] QByteArray withKey(const QString &key, const TaskFile &task) const;

    /// All keys a task file knows, in the order in which new ones are written.
    [[nodiscard]] static const QStringList &knownKeys();

private:
    [[nodiscard]] QByteArray withFrontMatter(const QString &key, const TaskFile &task) const;
    void readParts();
    void readPlainParts();
    void deriveTitle();

    QByteArray m_bytes;
    TaskFile m_task;
    QList<Problem> m_problems;
    QHash<QString, KeyPosition> m_positions;
    QHash<QString, QList<KeyPosition>> m_items;
    bool m_plain = false;
    bool m_changeable = true;
};

/// "90s", "15m", "1h", "1h30m". Nothing for anything else, zero, or above 100 h.
[[nodiscard]] std::optional<std::chrono::seconds> parseDuration(const QString &text);
[[nodiscard]] QString durationText(std::chrono::seconds duration);

} // namespace Glovebox
