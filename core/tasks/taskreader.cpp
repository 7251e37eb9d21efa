// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/taskreader.h"

#include "core/tasks/names.h"
#include "core/tasks/yamltext.h"

#include <QCoreApplication>

#include <cmath>

#include <re2/re2.h>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(TaskReader)
};

constexpr double highestBudget = 100'000;
constexpr int highestTurns = 10'000;
constexpr int highestAttempts = 20;

bool matches(const QString &text, const re2::RE2 &shape)
{
    return re2::RE2::FullMatch(text.toStdString(), shape);
}

std::vector<const YamlNode *> itemsOf(const YamlNode &node)
{
    if (node.kind != YamlNode::Kind::Sequence) {
        return {&node}; // one item, written without a list
    }
    std::vector<const YamlNode *> items;
    items.reserve(node.items.size());
    for (const YamlNode &item : node.items) {
        items.push_back(&item);
    }
    return items;
}

QString commandExpected()
{
    return Tr::tr("Expected a command, or a map with name, run and timeout.");
}

/// The two forms that a text field takes anywhere: what the key is for, and what it must look like.
QString expectedLine(const QString &key)
{
    return Tr::tr("Expected one line of text for \"%1\".").arg(key);
}

} // namespace

TaskReader::TaskReader(const QByteArray &text)
    : m_text(text)
    , m_locator(text)
{
}

const QHash<QString, TaskReader::FieldReader> &TaskReader::fields()
{
    static const QHash<QString, FieldReader> table{
        {QStringLiteral("acceptance"), &TaskReader::readAcceptance},
        {QStringLiteral("agent"), &TaskReader::readAgent},
        {QStringLiteral("turns"), &TaskReader::readTurns},
        {QStringLiteral("network"), &TaskReader::readNetwork},
        {QStringLiteral("budget_usd"), &TaskReader::readBudget},
        {QStringLiteral("timeout"), &TaskReader::readTimeout},
        {QStringLiteral("env"), &TaskReader::readEnvironment},
        {QStringLiteral("verify"), &TaskReader::readVerify},
        {QStringLiteral("attempts"), &TaskReader::readAttempts},
    };
    return table;
}

TaskReading TaskReader::read(const YamlNode &root)
{
    if (root.kind != YamlNode::Kind::Mapping) {
        complain(root, Severity::Error, QStringLiteral("not-a-map"),
                 Tr::tr("Expected \"key: value\" lines between the two \"---\" lines."));
        return std::move(m_reading);
    }
    QSet<QString> seen;
    for (const YamlEntry &entry : root.entries) {
        readEntry(entry, &seen);
    }
    return std::move(m_reading);
}

void TaskReader::readEntry(const YamlEntry &entry, QSet<QString> *seen)
{
    const QString key = entry.key.text;
    if (seen->contains(key)) {
        refuseRepeated(entry);
        return;
    }
    seen->insert(key);
    if (!TaskDocument::knownKeys().contains(key)) {
        warnUnknown(entry.key, TaskDocument::knownKeys());
        return;
    }
    m_reading.positions.insert(key, m_locator.position(entry.key.begin, entry.key.end));
    if (isMissing(entry.value)) {
        return;
    }
    TaskFile &task = m_reading.task;
    const QHash<QString, QString *> lines{{QStringLiteral("title"), &task.title},
                                          {QStringLiteral("model"), &task.model},
                                          {QStringLiteral("backend"), &task.backend},
                                          {QStringLiteral("base"), &task.base},
                                          {QStringLiteral("branch"), &task.branch},
                                          {QStringLiteral("template"), &task.imageTemplate}};
    const QHash<QString, QStringList *> lists{{QStringLiteral("scope"), &task.scope},
                                              {QStringLiteral("forbid"), &task.forbid},
                                              {QStringLiteral("setup"), &task.setup}};
    if (QString *target = lines.value(key)) {
        *target = (key == QLatin1String("title") ? line(entry.value, expectedLine(key))
                                                 : word(entry.value, expectedLine(key)))
                      .value_or(*target);
    } else if (QStringList *list = lists.value(key)) {
        readList(entry.value, key,
                 key == QLatin1String("setup") ? Tr::tr("Expected a command.")
                                               : Tr::tr("Expected a path pattern."),
                 list);
    } else {
        (this->*fields().value(key))(entry.value);
    }
}

Problem &TaskReader::complain(const YamlNode &node, Severity severity, const QString &code,
                              const QString &message)
{
    Problem problem{severity, code, message, 0, 0, 0, {}};
    placeProblem(&problem, m_locator.position(node.begin, node.end));
    m_reading.problems << problem;
    return m_reading.problems.last();
}

bool TaskReader::isMissing(const YamlNode &node)
{
    if (!node.isNull()) {
        return false;
    }
    complain(node, Severity::Warning, QStringLiteral("no-value"),
             Tr::tr("No value stands here, so the default is used; write one or remove the key."));
    return true;
}

void TaskReader::warnUnknown(const YamlNode &key, const QStringList &known)
{
    const QString nearest = nearestName(key.text, known);
    const QString shown = key.text.left(64).simplified();
    if (nearest.isEmpty()) {
        complain(key, Severity::Warning, QStringLiteral("unknown-key"),
                 Tr::tr("\"%1\" is not known and changes nothing. Known are: %2.")
                     .arg(shown, known.join(QLatin1String(", "))));
        return;
    }
    Problem &problem = complain(key, Severity::Warning, QStringLiteral("unknown-key"),
                                Tr::tr("\"%1\" is not known and changes nothing; did you mean "
                                       "\"%2\"?")
                                    .arg(shown, nearest));
    problem.fixes << Fix{Tr::tr("Use %1").arg(nearest),
                         {TextEdit{key.begin, key.end - key.begin, nearest.toUtf8()}}};
}

void TaskReader::refuseRepeated(const YamlEntry &entry)
{
    Problem &problem =
        complain(entry.key, Severity::Error, QStringLiteral("repeated-key"),
                 Tr::tr("\"%1\" stands here a second time; only the first one is read.")
                     .arg(entry.key.text.left(64).simplified()));
    const qsizetype begin = m_locator.lineStart(entry.key.begin);
    const QByteArray before = m_text.mid(begin, entry.key.begin - begin);
    if (before.trimmed().isEmpty()) {
        const qsizetype end = m_locator.lineEnd(entry.value.end);
        problem.fixes << Fix{Tr::tr("Remove the second one"), {TextEdit{begin, end - begin, {}}}};
    }
}

void TaskReader::noteItem(const QString &key, const YamlNode &node)
{
    m_reading.items[key] << m_locator.position(node.begin, node.end);
}

std::optional<QString> TaskReader::line(const YamlNode &node, const QString &expected)
{
    const QString text = node.isScalar() ? node.text.trimmed() : QString();
    const auto isControl = [](QChar c) {
        return c.category() == QChar::Other_Control;
    };
    if (text.isEmpty() || std::any_of(text.begin(), text.end(), isControl)) {
        complain(node, Severity::Error, QStringLiteral("wrong-type"), expected);
        return std::nullopt;
    }
    return text;
}

/// A line that goes to a program as one argument or name, so it must not look like an option.
std::optional<QString> TaskReader::word(const YamlNode &node, const QString &expected)
{
    const std::optional<QString> text = line(node, expected);
    if (text && text->startsWith(QLatin1Char('-'))) {
        complain(node, Severity::Error, QStringLiteral("wrong-value"),
                 Tr::tr("This cannot begin with \"-\": a program would take it for an option."));
        return std::nullopt;
    }
    return text;
}

std::optional<int> TaskReader::number(const YamlNode &node, int least, int most)
{
    static const re2::RE2 shape("[0-9]{1,9}");
    const bool whole = node.isScalar() && matches(node.text, shape);
    const int value = whole ? node.text.toInt() : 0;
    if (!whole) {
        complain(node, Severity::Error, QStringLiteral("wrong-type"),
                 Tr::tr("Expected a whole number from %1 to %2.").arg(least).arg(most));
        return std::nullopt;
    }
    if (value < least || value > most) {
        complain(node, Severity::Error, QStringLiteral("out-of-range"),
                 Tr::tr("Expected a whole number from %1 to %2.").arg(least).arg(most));
        return std::nullopt;
    }
    return value;
}

std::optional<std::chrono::seconds> TaskReader::duration(const YamlNode &node)
{
    const std::optional<std::chrono::seconds> value =
        node.isScalar() ? parseDuration(node.text) : std::nullopt;
    if (value) {
        return value;
    }
    Problem &problem =
        complain(node, Severity::Error, QStringLiteral("wrong-value"),
                 Tr::tr("Expected a duration such as 90s, 15m, 1h or 1h30m, at most 100h."));
    const QString seconds = node.text + QLatin1Char('s');
    if (node.isScalar() && parseDuration(seconds)) {
        const QString text = durationText(*parseDuration(seconds));
        problem.fixes << Fix{Tr::tr("Use %1").arg(text),
                             {TextEdit{node.begin, node.end - node.begin, text.toUtf8()}}};
    }
    return std::nullopt;
}

void TaskReader::readList(const YamlNode &node, const QString &key, const QString &expected,
                          QStringList *into)
{
    if (node.kind == YamlNode::Kind::Mapping) {
        complain(node, Severity::Error, QStringLiteral("wrong-type"), expected);
        return;
    }
    for (const YamlNode *item : itemsOf(node)) {
        if (!item->isScalar() || item->text.trimmed().isEmpty()) {
            complain(*item, Severity::Error, QStringLiteral("wrong-type"), expected);
            continue;
        }
        into->append(item->text);
        noteItem(key, *item);
    }
}

QHash<QString, const YamlNode *> TaskReader::membersOf(const YamlNode &map,
                                                       const QStringList &known)
{
    QHash<QString, const YamlNode *> members;
    for (const YamlEntry &entry : map.entries) {
        if (members.contains(entry.key.text)) {
            refuseRepeated(entry);
        } else if (!known.contains(entry.key.text)) {
            warnUnknown(entry.key, known);
        } else if (!isMissing(entry.value)) {
            members.insert(entry.key.text, &entry.value);
        }
    }
    return members;
}

void TaskReader::readAcceptance(const YamlNode &node)
{
    for (const YamlNode *item : itemsOf(node)) {
        readAcceptanceItem(*item);
    }
}

void TaskReader::readAcceptanceItem(const YamlNode &node)
{
    if (node.kind == YamlNode::Kind::Sequence ||
        (node.isScalar() && node.text.trimmed().isEmpty())) {
        complain(node, Severity::Error, QStringLiteral("wrong-type"), commandExpected());
        return;
    }
    AcceptanceCommand command;
    if (node.isScalar()) {
        command.run = node.text;
    } else {
        const auto members = membersOf(
            node, {QStringLiteral("name"), QStringLiteral("run"), QStringLiteral("timeout")});
        const YamlNode *run = members.value(QStringLiteral("run"));
        if (!run || !run->isScalar() || run->text.trimmed().isEmpty()) {
            complain(run ? *run : node, Severity::Error, QStringLiteral("wrong-type"),
                     Tr::tr("Expected \"run:\" with a command here."));
            return;
        }
        command.run = run->text;
        if (const YamlNode *name = members.value(QStringLiteral("name"))) {
            command.name = line(*name, expectedLine(QStringLiteral("name"))).value_or(QString());
        }
        if (const YamlNode *timeout = members.value(QStringLiteral("timeout"))) {
            command.timeout = duration(*timeout).value_or(command.timeout);
        }
    }
    if (command.name.isEmpty()) {
        command.name = command.run;
    }
    m_reading.task.acceptance << command;
    noteItem(QStringLiteral("acceptance"), node);
}

void TaskReader::readAgent(const YamlNode &node)
{
    static const re2::RE2 shape("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    AgentChoice &agent = m_reading.task.agent;
    if (node.kind == YamlNode::Kind::Mapping) {
        const auto members = membersOf(node, {QStringLiteral("command")});
        const YamlNode *command = members.value(QStringLiteral("command"));
        if (command && command->isScalar() && !command->text.trimmed().isEmpty()) {
            agent = {QStringLiteral("custom"), command->text};
            return;
        }
    } else if (node.isScalar() && node.text != QLatin1String("custom") &&
               matches(node.text, shape)) {
        agent.id = node.text;
        return;
    }
    complain(node, Severity::Error, QStringLiteral("wrong-value"),
             Tr::tr("Expected an agent's id such as claude or codex, or {command: LINE} for a "
                    "command of your own."));
}

void TaskReader::readTurns(const YamlNode &node)
{
    m_reading.task.turns = number(node, 1, highestTurns);
}

void TaskReader::readAttempts(const YamlNode &node)
{
    m_reading.task.attempts = number(node, 1, highestAttempts).value_or(1);
}

void TaskReader::readPreset(const YamlNode &node)
{
    static const QStringList presets{QStringLiteral("open"), QStringLiteral("balanced"),
                                     QStringLiteral("locked-down")};
    if (node.isScalar() && presets.contains(node.text)) {
        m_reading.task.network.preset = node.text;
        return;
    }
    Problem &problem =
        complain(node, Severity::Error, QStringLiteral("wrong-value"),
                 Tr::tr("Expected open, balanced or locked-down, or a map with preset, allow and "
                        "deny."));
    const QString nearest = node.isScalar() ? nearestName(node.text, presets) : QString();
    if (!nearest.isEmpty()) {
        problem.fixes << Fix{Tr::tr("Use %1").arg(nearest),
                             {TextEdit{node.begin, node.end - node.begin, nearest.toUtf8()}}};
    }
}

void TaskReader::readNetwork(const YamlNode &node)
{
    if (node.kind != YamlNode::Kind::Mapping) {
        readPreset(node);
        return;
    }
    const auto members = membersOf(
        node, {QStringLiteral("preset"), QStringLiteral("allow"), QStringLiteral("deny")});
    if (const YamlNode *preset = members.value(QStringLiteral("preset"))) {
        readPreset(*preset);
    }
    const QString expected = Tr::tr("Expected a host, *.host or an address.");
    if (const YamlNode *allow = members.value(QStringLiteral("allow"))) {
        readList(*allow, QStringLiteral("network.allow"), expected, &m_reading.task.network.allow);
    }
    if (const YamlNode *deny = members.value(QStringLiteral("deny"))) {
        readList(*deny, QStringLiteral("network.deny"), expected, &m_reading.task.network.deny);
    }
}

void TaskReader::readBudget(const YamlNode &node)
{
    if (node.isScalar() && node.text == QLatin1String("none")) {
        m_reading.task.budgetUsd = std::nullopt;
        return;
    }
    bool isNumber = false;
    const double value = node.isScalar() ? node.text.toDouble(&isNumber) : 0;
    const QString expected =
        Tr::tr("Expected an amount in US dollars above 0 and up to %1, or none.")
            .arg(highestBudget, 0, 'f', 0);
    if (!isNumber || !std::isfinite(value)) {
        complain(node, Severity::Error, QStringLiteral("wrong-type"), expected);
    } else if (value <= 0 || value > highestBudget) {
        complain(node, Severity::Error, QStringLiteral("out-of-range"), expected);
    } else {
        m_reading.task.budgetUsd = value;
    }
}

void TaskReader::readTimeout(const YamlNode &node)
{
    m_reading.task.timeout = duration(node).value_or(m_reading.task.timeout);
}

void TaskReader::readEnvironment(const YamlNode &node)
{
    static const re2::RE2 shape("[A-Za-z_][A-Za-z0-9_]*");
    static const re2::RE2 assignment("(?s)([A-Za-z_][A-Za-z0-9_]*)[ ]*[=:].*");
    for (const YamlNode *item : itemsOf(node)) {
        if (item->kind == YamlNode::Kind::Mapping) {
            complain(*item, Severity::Error, QStringLiteral("env-value"),
                     Tr::tr("Expected names of variables only; a value here would end up in the "
                            "repository."));
            continue;
        }
        std::string name;
        const std::string text = item->text.toStdString();
        if (item->isScalar() && re2::RE2::FullMatch(text, shape)) {
            m_reading.task.environment << item->text;
            noteItem(QStringLiteral("env"), *item);
        } else if (item->isScalar() && re2::RE2::FullMatch(text, assignment, &name)) {
            Problem &problem = complain(
                *item, Severity::Error, QStringLiteral("env-value"),
                Tr::tr("Expected the name of a variable only; a value here would end up in the "
                       "repository."));
            const QByteArray kept = QByteArray::fromStdString(name);
            problem.fixes << Fix{Tr::tr("Keep only the name %1").arg(QString::fromUtf8(kept)),
                                 {TextEdit{item->begin, item->end - item->begin, kept}}};
        } else {
            complain(*item, Severity::Error, QStringLiteral("env-name"),
                     Tr::tr("Expected the name of a variable: letters, digits and _, not "
                            "beginning with a digit."));
        }
    }
}

void TaskReader::readVerifyIn(const YamlNode &node)
{
    const QString text = node.isScalar() ? node.text : QString();
    if (text == QLatin1String("same")) {
        m_reading.task.verify.in = VerifyIn::Same;
    } else if (text == QLatin1String("clean")) {
        m_reading.task.verify.in = VerifyIn::Clean;
    } else {
        complain(node, Severity::Error, QStringLiteral("wrong-value"),
                 Tr::tr("Expected same or clean, or a map with in, base and base_tests."));
    }
}

void TaskReader::readVerify(const YamlNode &node)
{
    if (node.kind != YamlNode::Kind::Mapping) {
        readVerifyIn(node);
        return;
    }
    VerifyChoice &verify = m_reading.task.verify;
    const auto members = membersOf(
        node, {QStringLiteral("in"), QStringLiteral("base"), QStringLiteral("base_tests")});
    if (const YamlNode *in = members.value(QStringLiteral("in"))) {
        readVerifyIn(*in);
    }
    if (const YamlNode *base = members.value(QStringLiteral("base"))) {
        const QString text = base->isScalar() ? base->text.toLower() : QString();
        verify.onBase = text == QLatin1String("true") || text == QLatin1String("yes");
        if (!verify.onBase && text != QLatin1String("false") && text != QLatin1String("no")) {
            complain(*base, Severity::Error, QStringLiteral("wrong-type"),
                     Tr::tr("Expected true or false."));
        }
    }
    if (const YamlNode *tests = members.value(QStringLiteral("base_tests"))) {
        readList(*tests, QStringLiteral("verify.base_tests"), Tr::tr("Expected a path pattern."),
                 &verify.baseTests);
    }
}

} // namespace Glovebox
