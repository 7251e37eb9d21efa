// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/taskfile.h"

#include "core/tasks/frontmatter.h"
#include "core/tasks/plainform.h"
#include "core/tasks/taskreader.h"
#include "core/tasks/textlocator.h"
#include "core/tasks/yamltree.h"

#include <QCoreApplication>

#include <algorithm>

#include <re2/re2.h>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(TaskFile)
};

constexpr qsizetype largestFile = 1024LL * 1024;
constexpr std::chrono::seconds longestDuration = std::chrono::hours(100);

/// Where the first byte stands that is no UTF-8, or -1.
qsizetype firstInvalidByte(const QByteArray &bytes)
{
    if (QUtf8StringView(bytes).isValidUtf8()) {
        return -1;
    }
    qsizetype at = 0;
    while (at < bytes.size()) {
        const auto lead = static_cast<unsigned char>(bytes.at(at));
        const qsizetype wanted = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        const qsizetype length = std::min(wanted, bytes.size() - at);
        if (!QUtf8StringView(bytes.constData() + at, length).isValidUtf8()) {
            break;
        }
        at += length;
    }
    return at;
}

Problem problemAt(const TextLocator &locator, const char *code, const QString &message,
                  qsizetype begin, qsizetype end)
{
    Problem problem{Severity::Error, QString::fromLatin1(code), message, 0, 0, 0, {}};
    placeProblem(&problem, locator.position(begin, end));
    return problem;
}

/// What makes the bytes unreadable as text at all.
std::optional<Problem> encodingProblem(const QByteArray &bytes, const TextLocator &locator)
{
    if (bytes.startsWith("\xFF\xFE") || bytes.startsWith("\xFE\xFF")) {
        return problemAt(
            locator, "encoding",
            Tr::tr("This file is UTF-16; save it as UTF-8, which a task file must be."), 0, 0);
    }
    const qsizetype invalid = firstInvalidByte(bytes);
    if (invalid >= 0) {
        return problemAt(locator, "encoding",
                         Tr::tr("A byte here is not UTF-8; save the file as UTF-8."), invalid,
                         invalid + 1);
    }
    const qsizetype nul = bytes.indexOf('\0');
    if (nul >= 0) {
        return problemAt(locator, "encoding",
                         Tr::tr("A NUL byte stands here, so this is no text file."), nul, nul + 1);
    }
    return std::nullopt;
}

} // namespace

const QStringList &TaskDocument::knownKeys()
{
    static const QStringList keys{
        QStringLiteral("title"),    QStringLiteral("acceptance"), QStringLiteral("scope"),
        QStringLiteral("forbid"),   QStringLiteral("setup"),      QStringLiteral("agent"),
        QStringLiteral("model"),    QStringLiteral("turns"),      QStringLiteral("backend"),
        QStringLiteral("template"), QStringLiteral("network"),    QStringLiteral("budget_usd"),
        QStringLiteral("timeout"),  QStringLiteral("base"),       QStringLiteral("branch"),
        QStringLiteral("env"),      QStringLiteral("verify"),     QStringLiteral("attempts")};
    return keys;
}

TaskDocument TaskDocument::parse(const QByteArray &bytes)
{
    TaskDocument document;
    document.m_bytes = bytes;
    document.readParts();
    std::stable_sort(document.m_problems.begin(), document.m_problems.end(),
                     [](const Problem &a, const Problem &b) {
                         return std::pair(a.line, a.column) < std::pair(b.line, b.column);
                     });
    return document;
}

static Problem tooLarge()
{
    return {Severity::Error,
            QStringLiteral("too-large"),
            Tr::tr("A task file can have at most 1 MiB; put long material into files of the "
                   "repository."),
            0,
            0,
            0,
            {}};
}

void TaskDocument::readParts()
{
    if (m_bytes.size() > largestFile) {
        m_problems << tooLarge();
        m_changeable = false;
        return;
    }
    const TextLocator locator(m_bytes);
    const TaskParts parts = splitTaskText(m_bytes);
    m_task.instructions = readableBody(m_bytes.mid(parts.bodyBegin));
    if (const std::optional<Problem> problem = encodingProblem(m_bytes, locator)) {
        m_problems << *problem;
        m_changeable = false;
        return;
    }
    if (parts.lateFence >= 0) {
        Problem late = problemAt(locator, "front-matter-late",
                                 Tr::tr("The settings must begin on the first line; remove the "
                                        "blank lines above \"---\"."),
                                 parts.lateFence, parts.lateFence + 3);
        late.fixes << Fix{Tr::tr("Remove the blank lines"),
                          {TextEdit{parts.textBegin, parts.lateFence - parts.textBegin, {}}}};
        m_problems << late;
        m_changeable = false;
        return;
    }
    if (parts.hasFrontMatter && !parts.isClosed) {
        m_problems << problemAt(locator, "front-matter-open",
                                Tr::tr("The settings begin here and never end: expected a line "
                                       "\"---\" below them."),
                                parts.textBegin, parts.textBegin + 3);
        m_changeable = false;
        return;
    }
    if (!parts.hasFrontMatter) {
        readPlainParts();
        return;
    }
    const YamlDocument yaml = readYaml(m_bytes, parts.yamlBegin, parts.yamlEnd - parts.yamlBegin);
    m_problems << yaml.problems;
    m_changeable = yaml.isReadable;
    if (!yaml.isReadable || !yaml.root || yaml.root->isNull()) {
        deriveTitle();
        return;
    }
    TaskReading reading = TaskReader(m_bytes).read(*yaml.root);
    reading.task.instructions = m_task.instructions;
    m_task = reading.task;
    m_problems << reading.problems;
    m_positions = reading.positions;
    m_items = reading.items;
    m_changeable = yaml.root->kind == YamlNode::Kind::Mapping;
    deriveTitle();
}

void TaskDocument::readPlainParts()
{
    const std::optional<PlainForm> form = readPlainForm(m_bytes);
    m_plain = form.has_value();
    if (!form) {
        deriveTitle();
        return;
    }
    const TextLocator locator(m_bytes);
    const auto place = [&](const QString &key, const std::optional<PlainForm::Span> &span) {
        if (span) {
            m_positions.insert(key, locator.position(span->begin, span->end));
        }
    };
    place(QStringLiteral("title"), form->task);
    place(QStringLiteral("acceptance"), form->acceptance);
    place(QStringLiteral("scope"), form->constraints);
    m_task.title = form->title;
    if (!form->command.isEmpty()) {
        m_task.acceptance = {AcceptanceCommand{form->command, form->command}};
        m_items.insert(QStringLiteral("acceptance"),
                       {m_positions.value(QStringLiteral("acceptance"))});
    }
}

/// A file without a title is called by its first heading.
void TaskDocument::deriveTitle()
{
    if (!m_task.title.isEmpty()) {
        return;
    }
    static const re2::RE2 heading("(?m)^#{1,6}[ \\t]+([^\\n]*?)[ \\t]*#*[ \\t]*$");
    std::string title;
    if (re2::RE2::PartialMatch(m_task.instructions.toStdString(), heading, &title)) {
        m_task.title = QString::fromStdString(title).simplified();
    }
}

std::optional<KeyPosition> TaskDocument::positionOf(const QString &key) const
{
    const auto found = m_positions.constFind(key);
    return found == m_positions.constEnd() ? std::nullopt : std::optional(*found);
}

std::optional<KeyPosition> TaskDocument::positionOf(const QString &key, qsizetype item) const
{
    const QList<KeyPosition> places = m_items.value(key);
    return item >= 0 && item < places.size() ? std::optional(places.at(item)) : std::nullopt;
}

std::optional<std::chrono::seconds> parseDuration(const QString &text)
{
    static const re2::RE2 shape("(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,6})s)?");
    std::string hours;
    std::string minutes;
    std::string seconds;
    if (text.size() > 32 ||
        !re2::RE2::FullMatch(text.toStdString(), shape, &hours, &minutes, &seconds)) {
        return std::nullopt;
    }
    const auto number = [](const std::string &digits) {
        return QByteArray::fromStdString(digits).toInt();
    };
    const std::chrono::seconds sum = std::chrono::hours(number(hours)) +
                                     std::chrono::minutes(number(minutes)) +
                                     std::chrono::seconds(number(seconds));
    if (sum <= std::chrono::seconds(0) || sum > longestDuration) {
        return std::nullopt;
    }
    return sum;
}

QString durationText(std::chrono::seconds duration)
{
    const qint64 all = duration.count();
    if (all < 120 && all != 60) {
        return QStringLiteral("%1s").arg(all);
    }
    QString text;
    const auto add = [&text](qint64 count, const QString &unit) {
        if (count > 0) {
            text += QString::number(count) + unit;
        }
    };
    add(all / 3600, QStringLiteral("h"));
    add(all / 60 % 60, QStringLiteral("m"));
    add(all % 60, QStringLiteral("s"));
    return text;
}

} // namespace Glovebox
