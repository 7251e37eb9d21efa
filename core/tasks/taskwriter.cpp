// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// The writing half of TaskDocument: what each key says as YAML, and where it goes.
#include "core/tasks/frontmatter.h"
#include "core/tasks/taskfile.h"
#include "core/tasks/taskvalues.h"
#include "core/tasks/yamleditor.h"

namespace Glovebox {

namespace {

/// Whether \a bytes say for \a key what \a wanted does, and for every other key what \a before
/// does.
struct Outcome
{
    bool othersKept = false;
    bool keySet = false;
};

Outcome outcomeOf(const QByteArray &bytes, const QString &key, const TaskFile &before,
                  const TaskFile &wanted)
{
    const TaskDocument document = TaskDocument::parse(bytes);
    Outcome outcome{document.canChange() && document.task().instructions == before.instructions,
                    document.canChange()};
    for (const QString &name : TaskDocument::knownKeys()) {
        if (name == key) {
            outcome.keySet = outcome.keySet && saysSame(name, document.task(), wanted);
        } else if (name != QLatin1String("title") || document.positionOf(name)) {
            // a title that isn't written comes from the text, whatever the front matter says
            outcome.othersKept = outcome.othersKept && saysSame(name, document.task(), before);
        }
    }
    return outcome;
}

enum class Manner { PieceByPiece, Rewrite };

QByteArray edited(const QByteArray &bytes, const QString &key, const TaskFile &task, Manner manner)
{
    const TaskParts parts = splitTaskText(bytes);
    const YamlDocument yaml = readYaml(bytes, parts.yamlBegin, parts.yamlEnd - parts.yamlBegin);
    YamlEditor editor(bytes, yaml, parts.lineEnd);
    const YamlMember member{key, valueOf(key, task), false};
    const QStringList &order = TaskDocument::knownKeys();
    if (!yaml.root || yaml.root->isNull() || yaml.root->entries.empty()) {
        if (member.value) {
            editor.insertAt(parts.yamlBegin, member);
        }
    } else if (manner == Manner::Rewrite) {
        editor.rewriteMember(*yaml.root, member, order);
    } else {
        editor.setMember(*yaml.root, member, order);
    }
    return editor.result().value_or(bytes);
}

} // namespace

QByteArray TaskDocument::withKey(const QString &key, const TaskFile &task) const
{
    Q_ASSERT(knownKeys().contains(key));
    if (!m_changeable || !knownKeys().contains(key) || saysSame(key, m_task, task)) {
        return m_bytes;
    }
    if (!splitTaskText(m_bytes).hasFrontMatter) {
        return withFrontMatter(key, task);
    }
    const QByteArray careful = edited(m_bytes, key, task, Manner::PieceByPiece);
    const Outcome first = outcomeOf(careful, key, m_task, task);
    if (first.othersKept && first.keySet) {
        return careful;
    }
    // Either a layout that can't be edited piece by piece, or a value that no file can say (a
    // number out of range): that one is written as it is, and lint tells.
    const QByteArray rewritten = edited(m_bytes, key, task, Manner::Rewrite);
    const Outcome second = outcomeOf(rewritten, key, m_task, task);
    if (second.othersKept && (second.keySet || !first.othersKept)) {
        return rewritten;
    }
    return first.othersKept ? careful : m_bytes;
}

QByteArray TaskDocument::withFrontMatter(const QString &key, const TaskFile &task) const
{
    const TaskParts parts = splitTaskText(m_bytes);
    const TaskFile defaults;
    QByteArray lines;
    for (const QString &name : knownKeys()) {
        const TaskFile &source = name == key ? task : m_task;
        const std::optional<YamlValue> value = valueOf(name, source);
        if (value && !saysSame(name, source, defaults)) {
            lines += name.toUtf8() + ':' +
                     yamlBehindColon(*value, YamlLayout{false, 0, parts.lineEnd}) + parts.lineEnd;
        }
    }
    const QByteArray fence = "---" + parts.lineEnd;
    return m_bytes.left(parts.textBegin) + fence + lines + fence + parts.lineEnd +
           m_bytes.mid(parts.textBegin);
}

} // namespace Glovebox
