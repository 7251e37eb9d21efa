// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tasks/textlocator.h"
#include "core/tasks/yamltree.h"

#include <QSet>

namespace Glovebox {

/// A front matter as a value, and what was wrong with it.
struct TaskReading
{
    TaskFile task;
    QList<Problem> problems;
    QHash<QString, KeyPosition> positions;
    QHash<QString, QList<KeyPosition>> items; ///< in step with the lists of task
};

/// Reads the keys of a front matter. What cannot be read is a problem and keeps its default.
/// Messages never repeat a value, which could be a secret in the wrong place; names they do.
class TaskReader final
{
public:
    explicit TaskReader(const QByteArray &text);

    [[nodiscard]] TaskReading read(const YamlNode &root);

private:
    using FieldReader = void (TaskReader::*)(const YamlNode &);
    [[nodiscard]] static const QHash<QString, FieldReader> &fields();

    void readAcceptance(const YamlNode &node);
    void readAcceptanceItem(const YamlNode &node);
    void readAgent(const YamlNode &node);
    void readTurns(const YamlNode &node);
    void readNetwork(const YamlNode &node);
    void readPreset(const YamlNode &node);
    void readBudget(const YamlNode &node);
    void readTimeout(const YamlNode &node);
    void readEnvironment(const YamlNode &node);
    void readVerify(const YamlNode &node);
    void readVerifyIn(const YamlNode &node);
    void readAttempts(const YamlNode &node);

    void readEntry(const YamlEntry &entry, QSet<QString> *seen);
    /// The members of a nested map by name; unknown and repeated ones are problems.
    [[nodiscard]] QHash<QString, const YamlNode *> membersOf(const YamlNode &map,
                                                             const QStringList &known);
    [[nodiscard]] std::optional<QString> word(const YamlNode &node, const QString &expected);
    [[nodiscard]] std::optional<QString> line(const YamlNode &node, const QString &expected);
    [[nodiscard]] std::optional<int> number(const YamlNode &node, int least, int most);
    [[nodiscard]] std::optional<std::chrono::seconds> duration(const YamlNode &node);
    void readList(const YamlNode &node, const QString &key, const QString &expected,
                  QStringList *into);
    void noteItem(const QString &key, const YamlNode &node);
    void warnUnknown(const YamlNode &key, const QStringList &known);
    void refuseRepeated(const YamlEntry &entry);
    [[nodiscard]] bool isMissing(const YamlNode &node);
    Problem &complain(const YamlNode &node, Severity severity, const QString &code,
                      const QString &message);

    const QByteArray m_text;
    const TextLocator m_locator;
    TaskReading m_reading;
};

} // namespace Glovebox
