// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/agents/agent.h"
#include "core/agents/transcript.h"
#include "core/sandbox/networkpolicy.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

// An agent file, cut down (the whole format is in resources/agents/README.md):
//   {"id": "claude", "name": "Claude Code", "install": {"npm": "@anthropic-ai/claude-code", …},
//    "command": ["claude", "-p", "{options}"], "options": {"model": ["--model", "{value}"]}, …}

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(AgentFile)
};

/// One object of the file while it is read: knows which keys were asked for, so that the others can
/// be told. The first thing that is wrong is kept; what comes after it does no harm.
class Reader final
{
public:
    Reader(QJsonObject object, QString path, std::optional<QString> *wrong)
        : m_object(std::move(object))
        , m_path(std::move(path))
        , m_wrong(wrong)
    {
    }

    [[nodiscard]] bool has(const QString &key) const { return m_object.contains(key); }
    [[nodiscard]] QJsonValue take(const QString &key)
    {
        m_asked += key;
        return m_object.value(key);
    }
    [[nodiscard]] QString text(const QString &key);
    [[nodiscard]] bool yes(const QString &key);
    [[nodiscard]] QStringList list(const QString &key);
    [[nodiscard]] std::chrono::seconds seconds(const QString &key);
    [[nodiscard]] QJsonObject object(const QString &key);
    [[nodiscard]] Reader inner(const QString &key)
    {
        return Reader(object(key), m_path + key + QLatin1Char('.'), m_wrong);
    }
    [[nodiscard]] QStringList keys() const { return m_object.keys(); }
    [[nodiscard]] QStringList unknown() const;
    void say(const QString &sentence)
    {
        if (!*m_wrong) {
            *m_wrong = sentence;
        }
    }
    void expect(const QString &key, const QString &what)
    {
        say(Tr::tr("\"%1\" has to be %2.").arg(m_path + key, what));
    }

private:
    QJsonObject m_object;
    QString m_path;
    QStringList m_asked;
    std::optional<QString> *m_wrong;
};

QString Reader::text(const QString &key)
{
    const QJsonValue value = take(key);
    if (!value.isUndefined() && !value.isNull() && !value.isString()) {
        expect(key, Tr::tr("a text"));
    }
    return value.toString();
}

bool Reader::yes(const QString &key)
{
    const QJsonValue value = take(key);
    if (!value.isUndefined() && !value.isBool()) {
        expect(key, Tr::tr("true or false"));
    }
    return value.toBool();
}

QStringList Reader::list(const QString &key)
{
    const QJsonValue value = take(key);
    if (!value.isUndefined() && !value.isArray()) {
        expect(key, Tr::tr("a list of texts"));
    }
    QStringList texts;
    for (const QJsonValue entry : value.toArray()) {
        if (!entry.isString() || entry.toString().contains(QChar(0))) {
            expect(key, Tr::tr("a list of texts"));
        }
        texts += entry.toString();
    }
    return texts;
}

std::chrono::seconds Reader::seconds(const QString &key)
{
    const QJsonValue value = take(key);
    const int number = value.toInt(-1);
    if (value.isUndefined()) {
        return std::chrono::seconds(0);
    }
    if (number < 0 || number > 24 * 3600) {
        expect(key, Tr::tr("a whole number of seconds from 0 to 86400"));
        return std::chrono::seconds(0);
    }
    return std::chrono::seconds(number);
}

QJsonObject Reader::object(const QString &key)
{
    const QJsonValue value = take(key);
    if (!value.isUndefined() && !value.isObject()) {
        expect(key, Tr::tr("an object"));
    }
    return value.toObject();
}

QStringList Reader::unknown() const
{
    QStringList names;
    for (const QString &key : m_object.keys()) {
        if (!m_asked.contains(key)) {
            names += m_path + key;
        }
    }
    return names;
}

bool isVariableName(const QString &name)
{
    static const QRegularExpression pattern(QStringLiteral("\\A[A-Za-z_][A-Za-z0-9_]{0,127}\\z"));
    return pattern.match(name).hasMatch();
}

QList<std::pair<QString, QString>> readVariables(Reader reader, QStringList *unknown)
{
    QList<std::pair<QString, QString>> variables;
    for (const QString &name : reader.keys()) {
        if (!isVariableName(name)) {
            reader.expect(name, Tr::tr("the name of an environment variable"));
        }
        variables += {name, reader.text(name)};
    }
    *unknown += reader.unknown();
    return variables;
}

void readInstall(Reader reader, Agent *agent, QStringList *unknown)
{
    agent->install.npm = reader.text(QStringLiteral("npm"));
    agent->install.program = reader.text(QStringLiteral("program"));
    agent->install.minimum = reader.text(QStringLiteral("minimum"));
    agent->install.scripts = reader.yes(QStringLiteral("scripts"));
    if (agent->install.program.isEmpty()) {
        reader.expect(QStringLiteral("program"), Tr::tr("the name of the agent's program"));
    }
    *unknown += reader.unknown();
}

void readOptions(Reader reader, Agent *agent, QStringList *unknown)
{
    static const QStringList names = {QStringLiteral("model"), QStringLiteral("budget"),
                                      QStringLiteral("turns"), QStringLiteral("resume")};
    for (const QString &name : names) {
        if (reader.has(name)) {
            agent->options.insert(name, reader.list(name));
        }
    }
    *unknown += reader.unknown();
}

void readKeys(Reader *reader, Agent *agent, QStringList *unknown)
{
    const QJsonValue keys = reader->take(QStringLiteral("keys"));
    if (!keys.isUndefined() && !keys.isArray()) {
        reader->expect(QStringLiteral("keys"), Tr::tr("a list of objects"));
    }
    for (const QJsonValue entry : keys.toArray()) {
        const QJsonObject object = entry.toObject();
        const Agent::Key key{object.value(QLatin1String("name")).toString(),
                             object.value(QLatin1String("anyOf")).toString()};
        if (!isVariableName(key.name)) {
            reader->expect(QStringLiteral("keys.name"),
                           Tr::tr("the name of an environment variable"));
        }
        for (const QString &name : object.keys()) {
            if (name != QLatin1String("name") && name != QLatin1String("anyOf")) {
                *unknown += QStringLiteral("keys.") + name;
            }
        }
        agent->keys += key;
    }
}

void readHosts(Reader *reader, Agent *agent)
{
    agent->hosts = reader->list(QStringLiteral("hosts"));
    for (const QString &host : agent->hosts) {
        if (!parseHostRule(host)) {
            reader->expect(QStringLiteral("hosts"),
                           Tr::tr("a list of hosts such as example.com or example.com:443"));
        }
    }
}

void readRoot(Reader *reader, Agent *agent, QStringList *unknown)
{
    const QString key = QStringLiteral("root");
    if (reader->has(key) && reader->take(key).isObject()) {
        agent->root = Agent::Root::Lift;
        agent->rootEnvironment = readVariables(reader->inner(key), unknown);
        return;
    }
    const QString policy = reader->text(key);
    if (!policy.isEmpty() && policy != QLatin1String("runs")) {
        reader->expect(key, Tr::tr("\"runs\", or the variables that lift a refusal"));
    }
}

void readConfig(Reader reader, Agent *agent, QStringList *unknown)
{
    agent->configVariable = reader.text(QStringLiteral("variable"));
    if (!agent->configVariable.isEmpty() && !isVariableName(agent->configVariable)) {
        reader.expect(QStringLiteral("variable"), Tr::tr("the name of an environment variable"));
    }
    // The folder is always made: a fresh one per run has nobody else to make it.
    if (reader.has(QStringLiteral("create")) && !reader.yes(QStringLiteral("create"))) {
        reader.expect(QStringLiteral("create"), Tr::tr("true"));
    }
    *unknown += reader.unknown();
}

void readEnds(Reader reader, Agent *agent, QStringList *unknown)
{
    agent->endDone = reader.object(QStringLiteral("done"));
    agent->endFailed = reader.object(QStringLiteral("failed"));
    agent->endBudget = reader.object(QStringLiteral("budget"));
    agent->endTurns = reader.object(QStringLiteral("turns"));
    agent->grace = reader.seconds(QStringLiteral("graceSeconds"));
    agent->silence = reader.seconds(QStringLiteral("silenceSeconds"));
    *unknown += reader.unknown();
}

void readIdentity(Reader *reader, Agent *agent)
{
    static const QRegularExpression idPattern(QStringLiteral("\\A[a-z0-9][a-z0-9-]{0,63}\\z"));
    agent->id = reader->text(QStringLiteral("id"));
    if (!idPattern.match(agent->id).hasMatch()) {
        reader->expect(QStringLiteral("id"), Tr::tr("a name of a-z, 0-9 and -"));
    }
    agent->name = reader->text(QStringLiteral("name"));
    if (agent->name.isEmpty()) {
        agent->name = agent->id;
    }
    agent->transcript = reader->text(QStringLiteral("transcript"));
    if (!transcriptFormats().contains(agent->transcript)) {
        reader->expect(QStringLiteral("transcript"),
                       Tr::tr("one of %1").arg(transcriptFormats().join(QLatin1String(", "))));
    }
}

Agent readAgent(Reader *reader, QStringList *unknown)
{
    Agent agent;
    readIdentity(reader, &agent);
    readInstall(reader->inner(QStringLiteral("install")), &agent, unknown);
    agent.version = reader->list(QStringLiteral("version"));
    agent.command = reader->list(QStringLiteral("command"));
    if (agent.command.isEmpty() || agent.command.first().isEmpty()) {
        reader->expect(QStringLiteral("command"), Tr::tr("a program and its arguments"));
    }
    readOptions(reader->inner(QStringLiteral("options")), &agent, unknown);
    const QString input = reader->text(QStringLiteral("stdin"));
    if (!input.isEmpty() && input != QLatin1String("task") && input != QLatin1String("none")) {
        reader->expect(QStringLiteral("stdin"), Tr::tr("\"task\" or \"none\""));
    }
    agent.taskOnStdin = input != QLatin1String("none");
    agent.environment = readVariables(reader->inner(QStringLiteral("environment")), unknown);
    readKeys(reader, &agent, unknown);
    readHosts(reader, &agent);
    readConfig(reader->inner(QStringLiteral("config")), &agent, unknown);
    readRoot(reader, &agent, unknown);
    readEnds(reader->inner(QStringLiteral("ends")), &agent, unknown);
    *unknown += reader->unknown();
    return agent;
}

} // namespace

Result<Agent> parseAgent(const QByteArray &json, const QString &source, bool ours,
                         QList<Problem> *problems)
{
    QJsonParseError syntax;
    const QJsonDocument document = QJsonDocument::fromJson(json, &syntax);
    if (!document.isObject()) {
        const qsizetype line = json.first(qMin<qsizetype>(syntax.offset, json.size())).count('\n');
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("%1 is not a JSON object (line %2).").arg(source).arg(line + 1),
                    syntax.errorString());
    }
    std::optional<QString> wrong;
    QStringList unknown;
    Reader reader(document.object(), QString(), &wrong);
    Agent agent = readAgent(&reader, &unknown);
    agent.source = source;
    if (!wrong && ours && !unknown.isEmpty()) {
        wrong = Tr::tr("\"%1\" is no key of an agent file.").arg(unknown.first());
    }
    if (wrong) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("The agent file %1 cannot be used: %2").arg(source, *wrong));
    }
    for (const QString &key : std::as_const(unknown)) {
        Problem problem;
        problem.severity = Severity::Warning;
        problem.code = QStringLiteral("unknown-key");
        problem.message =
            Tr::tr("%1: \"%2\" is no key of an agent file and was ignored.").arg(source, key);
        problems->append(problem);
    }
    return agent;
}

} // namespace Glovebox
