// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/taskvalues.h"

#include <QHash>

#include <functional>

namespace Glovebox {

namespace {

using MaybeValue = std::optional<YamlValue>;
using Maker = std::function<MaybeValue(const TaskFile &)>;

YamlValue scalar(YamlValue::Kind kind, const QString &text)
{
    YamlValue value;
    value.kind = kind;
    value.text = text;
    return value;
}

YamlValue text(const QString &words)
{
    return scalar(YamlValue::Kind::Text, words);
}

MaybeValue textOrNothing(const QString &words)
{
    return words.isEmpty() ? std::nullopt : MaybeValue(text(words));
}

MaybeValue listOrNothing(const QStringList &words)
{
    YamlValue list;
    list.kind = YamlValue::Kind::List;
    for (const QString &word : words) {
        list.items.push_back(text(word));
    }
    return words.isEmpty() ? std::nullopt : MaybeValue(list);
}

YamlValue duration(std::chrono::seconds value)
{
    return scalar(YamlValue::Kind::Duration, durationText(value));
}

YamlValue commandValue(const AcceptanceCommand &command)
{
    const bool ownName = !command.name.isEmpty() && command.name != command.run;
    const bool usualTime = command.timeout == AcceptanceCommand().timeout;
    YamlValue map;
    map.kind = YamlValue::Kind::Map;
    map.members = {
        {QStringLiteral("name"), ownName ? textOrNothing(command.name) : std::nullopt, false},
        {QStringLiteral("run"), text(command.run), false},
        {QStringLiteral("timeout"), duration(command.timeout), usualTime}};
    if (!ownName && usualTime) {
        map.shortForm = command.run;
    }
    return map;
}

MaybeValue acceptanceValue(const TaskFile &task)
{
    YamlValue list;
    list.kind = YamlValue::Kind::List;
    for (const AcceptanceCommand &command : task.acceptance) {
        list.items.push_back(commandValue(command));
    }
    return task.acceptance.isEmpty() ? std::nullopt : MaybeValue(list);
}

MaybeValue agentValue(const TaskFile &task)
{
    if (task.agent.id != QLatin1String("custom")) {
        return text(task.agent.id);
    }
    YamlValue map;
    map.kind = YamlValue::Kind::Map;
    map.members = {{QStringLiteral("command"), text(task.agent.command), false}};
    return map;
}

MaybeValue networkValue(const TaskFile &task)
{
    const NetworkChoice &network = task.network;
    YamlValue map;
    map.kind = YamlValue::Kind::Map;
    map.members = {
        {QStringLiteral("preset"), text(network.preset), network.preset == NetworkChoice().preset},
        {QStringLiteral("allow"), listOrNothing(network.allow), false},
        {QStringLiteral("deny"), listOrNothing(network.deny), false}};
    if (network.allow.isEmpty() && network.deny.isEmpty()) {
        map.shortForm = network.preset;
    }
    return map;
}

MaybeValue verifyValue(const TaskFile &task)
{
    const VerifyChoice &verify = task.verify;
    if (!verify.in && !verify.onBase && verify.baseTests.isEmpty()) {
        return std::nullopt;
    }
    const QString in =
        verify.in == VerifyIn::Clean ? QStringLiteral("clean") : QStringLiteral("same");
    YamlValue map;
    map.kind = YamlValue::Kind::Map;
    map.members = {{QStringLiteral("in"), verify.in ? MaybeValue(text(in)) : std::nullopt, false},
                   {QStringLiteral("base"),
                    scalar(YamlValue::Kind::Flag,
                           verify.onBase ? QStringLiteral("true") : QStringLiteral("false")),
                    !verify.onBase},
                   {QStringLiteral("base_tests"), listOrNothing(verify.baseTests), false}};
    if (verify.in && !verify.onBase && verify.baseTests.isEmpty()) {
        map.shortForm = in;
    }
    return map;
}

MaybeValue turnsValue(const TaskFile &task)
{
    return task.turns ? MaybeValue(scalar(YamlValue::Kind::Number, QString::number(*task.turns)))
                      : std::nullopt;
}

MaybeValue budgetValue(const TaskFile &task)
{
    return task.budgetUsd
               ? scalar(YamlValue::Kind::Number, QString::number(*task.budgetUsd, 'g', 12))
               : text(QStringLiteral("none"));
}

bool sameCommands(const TaskFile &a, const TaskFile &b)
{
    const auto shownName = [](const AcceptanceCommand &command) {
        return command.name.isEmpty() ? command.run : command.name;
    };
    return std::equal(a.acceptance.begin(), a.acceptance.end(), b.acceptance.begin(),
                      b.acceptance.end(), [&](const auto &left, const auto &right) {
                          return left.run == right.run && left.timeout == right.timeout &&
                                 shownName(left) == shownName(right);
                      });
}

using Comparison = std::function<bool(const TaskFile &, const TaskFile &)>;

struct KeyRules
{
    Maker value;
    Comparison same;
};

template<typename Field>
Comparison equal(Field field)
{
    return [field](const TaskFile &a, const TaskFile &b) {
        return field(a) == field(b);
    };
}

KeyRules textRules(QString TaskFile::*field)
{
    return {[field](const TaskFile &t) { return textOrNothing(t.*field); },
            equal(std::mem_fn(field))};
}

KeyRules listRules(QStringList TaskFile::*field)
{
    return {[field](const TaskFile &t) { return listOrNothing(t.*field); },
            equal(std::mem_fn(field))};
}

QHash<QString, KeyRules> makeRules()
{
    const auto network = [](const TaskFile &t) {
        return std::tuple(t.network.preset, t.network.allow, t.network.deny);
    };
    const auto verify = [](const TaskFile &t) {
        return std::tuple(t.verify.in, t.verify.onBase, t.verify.baseTests);
    };
    const auto agent = [](const TaskFile &t) {
        return std::pair(t.agent.id, t.agent.command);
    };
    return {
        {QStringLiteral("title"), textRules(&TaskFile::title)},
        {QStringLiteral("acceptance"), {acceptanceValue, sameCommands}},
        {QStringLiteral("scope"), listRules(&TaskFile::scope)},
        {QStringLiteral("forbid"), listRules(&TaskFile::forbid)},
        {QStringLiteral("setup"), listRules(&TaskFile::setup)},
        {QStringLiteral("agent"), {agentValue, equal(agent)}},
        {QStringLiteral("model"), textRules(&TaskFile::model)},
        {QStringLiteral("turns"), {turnsValue, equal(std::mem_fn(&TaskFile::turns))}},
        {QStringLiteral("backend"), textRules(&TaskFile::backend)},
        {QStringLiteral("template"), textRules(&TaskFile::imageTemplate)},
        {QStringLiteral("network"), {networkValue, equal(network)}},
        {QStringLiteral("budget_usd"), {budgetValue, equal(std::mem_fn(&TaskFile::budgetUsd))}},
        {QStringLiteral("timeout"),
         {[](const TaskFile &t) { return duration(t.timeout); },
          equal(std::mem_fn(&TaskFile::timeout))}},
        {QStringLiteral("base"), textRules(&TaskFile::base)},
        {QStringLiteral("branch"), textRules(&TaskFile::branch)},
        {QStringLiteral("env"), listRules(&TaskFile::environment)},
        {QStringLiteral("verify"), {verifyValue, equal(verify)}},
        {QStringLiteral("attempts"),
         {[](const TaskFile &t) {
              return scalar(YamlValue::Kind::Number, QString::number(t.attempts));
          },
          equal(std::mem_fn(&TaskFile::attempts))}},
    };
}

const KeyRules &rulesOf(const QString &key)
{
    static const QHash<QString, KeyRules> rules = makeRules();
    const auto found = rules.constFind(key);
    Q_ASSERT(found != rules.constEnd());
    return *found;
}

} // namespace

bool saysSame(const QString &key, const TaskFile &a, const TaskFile &b)
{
    return rulesOf(key).same(a, b);
}

std::optional<YamlValue> valueOf(const QString &key, const TaskFile &task)
{
    return rulesOf(key).value(task);
}

} // namespace Glovebox
