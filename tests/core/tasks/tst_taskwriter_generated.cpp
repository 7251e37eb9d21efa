// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/taskfile.h"
#include "core/tasks/taskvalues.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>

using namespace Glovebox;

/// Task files in every layout that a person may choose, each key changed in turn: nothing but that
/// key may change, neither its meaning nor a byte or comment elsewhere.
class TestTaskWriterGenerated final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameTaskSameBytes_data();
    void sameTaskSameBytes();
    void oneKeyChanges_data();
    void oneKeyChanges();

private:
    void seeds();
};

namespace {

class Generator final
{
public:
    explicit Generator(quint32 seed)
        : m_random(seed)
    {
    }

    QByteArray file();
    TaskFile changed(TaskFile task, const QString &key);

private:
    int pick(int count) { return static_cast<int>(m_random.bounded(count)); }
    QString word();
    QString path();
    QString command();
    QStringList several(QString (Generator::*make)());
    QByteArray quoted(const QString &text);
    QByteArray comment() { return pick(3) == 0 ? QByteArrayLiteral("   # a note") : QByteArray(); }
    QByteArray scalarLine(const QString &key, const QByteArray &value);
    QByteArray listLines(const QString &key, const QStringList &items);
    QByteArray acceptanceLines();
    QByteArray keyLines(const QString &key);
    QByteArray mapLines(const QString &key,
                        const QList<std::pair<QByteArray, QByteArray>> &members);
    AcceptanceCommand acceptanceCommand();

    QRandomGenerator m_random;
};

QString Generator::word()
{
    static const QStringList words{
        QStringLiteral("alpha"), QStringLiteral("no"),         QStringLiteral("it's"),
        QStringLiteral("a: b"),  QStringLiteral("x #y"),       QStringLiteral("12"),
        QStringLiteral("ж中"),   QStringLiteral("say \"hi\""), QStringLiteral("null"),
        QStringLiteral("[x]"),   QStringLiteral("a, b"),       QStringLiteral("back\\slash")};
    return words.at(pick(static_cast<int>(words.size()))) + QString::number(pick(100));
}

QString Generator::path()
{
    return QStringLiteral("%1/%2").arg(word(), pick(2) ? QStringLiteral("**") : word());
}

QString Generator::command()
{
    const QString line = QStringLiteral("run ") + word();
    return pick(4) == 0 ? line + QStringLiteral("\nthen  ") + word() : line;
}

QStringList Generator::several(QString (Generator::*make)())
{
    QStringList items;
    const int count = 1 + pick(4);
    for (int i = 0; i < count; ++i) {
        items << (this->*make)();
    }
    return items;
}

QByteArray Generator::quoted(const QString &text)
{
    if (pick(2) == 0 && !text.contains(QLatin1Char('\n'))) {
        QString inner = text;
        return '\'' + inner.replace(QLatin1Char('\''), QLatin1String("''")).toUtf8() + '\'';
    }
    QString inner = text;
    inner.replace(QLatin1Char('\\'), QLatin1String("\\\\"));
    inner.replace(QLatin1Char('"'), QLatin1String("\\\""));
    inner.replace(QLatin1Char('\n'), QLatin1String("\\n"));
    return '"' + inner.toUtf8() + '"';
}

QByteArray Generator::scalarLine(const QString &key, const QByteArray &value)
{
    return key.toUtf8() + ':' + QByteArray(1 + pick(2), ' ') + value + comment() + '\n';
}

QByteArray Generator::listLines(const QString &key, const QStringList &items)
{
    if (pick(3) == 0) {
        QByteArrayList parts;
        for (const QString &item : items) {
            parts << quoted(item);
        }
        const QByteArray separator = pick(2) ? QByteArray(", ") : QByteArray(",  # why\n     ");
        return key.toUtf8() + ": [" + parts.join(separator) + ']' + comment() + '\n';
    }
    const QByteArray indent(pick(3) * 2, ' ');
    QByteArray lines = key.toUtf8() + ':' + comment() + '\n';
    for (const QString &item : items) {
        lines += pick(3) == 0 ? indent + "# about the next\n" : QByteArray();
        lines += indent + "- " + quoted(item) + comment() + '\n';
        lines += pick(5) == 0 ? QByteArray("\n") : QByteArray();
    }
    return lines;
}

QByteArray Generator::acceptanceLines()
{
    QByteArray lines("acceptance:" + comment() + '\n');
    const int count = 1 + pick(3);
    for (int i = 0; i < count; ++i) {
        const int form = pick(4);
        if (form == 0) {
            lines += "  - " + quoted(command()) + comment() + '\n';
        } else if (form == 1) {
            lines += "  - {run: " + quoted(command()) + ", timeout: 5m}" + comment() + '\n';
        } else if (form == 2) {
            lines += "  - name: " + quoted(word()) + comment() +
                     "\n    # how\n    run: |\n      one\n"
                     "      two\n\n    timeout: 90s\n";
        } else {
            lines += "  - run: " + quoted(command()) + comment() + "\n    unknown: [1, 2]\n";
        }
    }
    return lines;
}

QByteArray Generator::mapLines(const QString &key,
                               const QList<std::pair<QByteArray, QByteArray>> &members)
{
    const bool flow = pick(2) == 0;
    QByteArrayList parts;
    for (const auto &[name, value] : members) {
        parts << (flow ? name + ": " + value : "  " + name + ": " + value + comment() + '\n');
    }
    return flow ? key.toUtf8() + ": {" + parts.join(", ") + '}' + comment() + '\n'
                : key.toUtf8() + ":\n" + parts.join(pick(2) ? "  # between\n" : "");
}

QByteArray Generator::keyLines(const QString &key)
{
    static const QStringList lists{QStringLiteral("scope"), QStringLiteral("forbid")};
    if (lists.contains(key)) {
        return listLines(key, several(&Generator::path));
    }
    if (key == QLatin1String("setup")) {
        return listLines(key, several(&Generator::command));
    }
    if (key == QLatin1String("env")) {
        return pick(2) ? QByteArray("env: [CI, HOME_URL]\n") : QByteArray("env:\n- CI # c\n- TZ\n");
    }
    if (key == QLatin1String("acceptance")) {
        return acceptanceLines();
    }
    if (key == QLatin1String("agent")) {
        return pick(2) ? scalarLine(key, "codex") : mapLines(key, {{"command", quoted(command())}});
    }
    if (key == QLatin1String("network")) {
        return pick(2)
                   ? scalarLine(key, "open")
                   : mapLines(key, {{"preset", "open"}, {"x", "1"}, {"allow", "[a.example.com]"}});
    }
    if (key == QLatin1String("verify")) {
        return pick(2) ? scalarLine(key, "clean")
                       : mapLines(key, {{"in", "same"}, {"base", "yes"}, {"base_tests", "[t/**]"}});
    }
    if (key == QLatin1String("timeout")) {
        return scalarLine(key, "45m");
    }
    if (key == QLatin1String("turns") || key == QLatin1String("budget_usd") ||
        key == QLatin1String("attempts")) {
        return scalarLine(key, QByteArray::number(1 + pick(9)));
    }
    return scalarLine(key, key == QLatin1String("backend") ? QByteArray("e2b") : quoted(word()));
}

QByteArray Generator::file()
{
    QStringList keys = TaskDocument::knownKeys();
    std::shuffle(keys.begin(), keys.end(), m_random);
    keys = keys.mid(0, 1 + pick(static_cast<int>(keys.size())));
    QByteArray yaml = pick(2) ? QByteArray("# at the top\n\n") : QByteArray();
    for (const QString &key : keys) {
        yaml += pick(3) == 0 ? QByteArray("# about a key\n") : QByteArray();
        yaml += keyLines(key);
        yaml += pick(4) == 0 ? QByteArray("\n") : QByteArray();
        yaml +=
            pick(6) == 0 ? "own-" + QByteArray::number(yaml.size()) + ": {a: [b]}\n" : QByteArray();
    }
    QByteArray text = "---\n" + yaml + "# at the end\n---\n\n# Heading\n\nDo it.\n";
    if (pick(3) == 0) {
        text.replace("\n", "\r\n");
    }
    return text;
}

AcceptanceCommand Generator::acceptanceCommand()
{
    AcceptanceCommand made;
    made.run = command();
    made.name = pick(2) ? made.run : word();
    made.timeout = std::chrono::minutes(pick(2) ? 15 : 1 + pick(90));
    return made;
}

/// A task with another value for one key: sometimes an item more, less or changed, sometimes all
/// new.
TaskFile Generator::changed(TaskFile task, const QString &key)
{
    const auto changeList = [this](QStringList *list, QString (Generator::*make)()) {
        if (!list->isEmpty() && pick(3) == 0) {
            list->removeAt(pick(static_cast<int>(list->size())));
        } else if (!list->isEmpty() && pick(2) == 0) {
            (*list)[pick(static_cast<int>(list->size()))] = (this->*make)();
        } else {
            list->insert(pick(static_cast<int>(list->size()) + 1), (this->*make)());
        }
    };
    const QHash<QString, QString *> texts{{QStringLiteral("title"), &task.title},
                                          {QStringLiteral("model"), &task.model},
                                          {QStringLiteral("base"), &task.base},
                                          {QStringLiteral("branch"), &task.branch},
                                          {QStringLiteral("template"), &task.imageTemplate}};
    if (QString *text = texts.value(key)) {
        *text = word();
    } else if (key == QLatin1String("scope")) {
        changeList(&task.scope, &Generator::path);
    } else if (key == QLatin1String("forbid")) {
        changeList(&task.forbid, &Generator::path);
    } else if (key == QLatin1String("setup")) {
        changeList(&task.setup, &Generator::command);
    } else if (key == QLatin1String("acceptance")) {
        const int at = pick(static_cast<int>(task.acceptance.size()) + 1);
        if (at < task.acceptance.size() && pick(2)) {
            task.acceptance.removeAt(at);
        } else {
            task.acceptance.insert(at, acceptanceCommand());
        }
    } else if (key == QLatin1String("agent")) {
        task.agent = pick(2) ? AgentChoice{QStringLiteral("custom"), command()}
                             : AgentChoice{QStringLiteral("other"), {}};
    } else if (key == QLatin1String("backend")) {
        task.backend = QStringLiteral("sbx");
    } else if (key == QLatin1String("network")) {
        changeList(&task.network.allow, &Generator::path);
        changeList(&task.network.deny, &Generator::path);
    } else if (key == QLatin1String("verify")) {
        task.verify = {pick(2) ? std::optional(VerifyIn::Same) : std::nullopt, pick(2) == 0,
                       several(&Generator::path)};
    } else if (key == QLatin1String("env")) {
        task.environment << QStringLiteral("NEW_%1").arg(pick(9));
    } else if (key == QLatin1String("timeout")) {
        task.timeout = std::chrono::seconds(1 + pick(9999));
    } else if (key == QLatin1String("turns")) {
        task.turns = 10 + pick(99);
    } else if (key == QLatin1String("budget_usd")) {
        task.budgetUsd = pick(3) ? std::optional(0.25 * (50 + pick(99))) : std::nullopt;
    } else {
        task.attempts = 10 + pick(9);
    }
    return task;
}

/// Lines of before that are neither at the same place from the top nor from the bottom in after.
QByteArrayList changedLines(const QByteArray &before, const QByteArray &after, qsizetype *first)
{
    const QByteArrayList a = before.split('\n');
    const QByteArrayList b = after.split('\n');
    qsizetype head = 0;
    while (head < a.size() && head < b.size() && a.at(head) == b.at(head)) {
        ++head;
    }
    qsizetype tail = 0;
    while (tail < a.size() - head && tail < b.size() - head &&
           a.at(a.size() - 1 - tail) == b.at(b.size() - 1 - tail)) {
        ++tail;
    }
    *first = head + 1;
    return a.mid(head, a.size() - head - tail);
}

/// A new key only adds lines; else those that went or changed begin with the key's own and hold no
/// other key's.
bool touchesOnly(const QString &key, const QByteArray &before, const QByteArray &after)
{
    qsizetype first = 0;
    const QByteArrayList gone = changedLines(before, after, &first);
    const std::optional<KeyPosition> place = TaskDocument::parse(before).positionOf(key);
    if (!place || gone.isEmpty()) {
        return gone.isEmpty();
    }
    return first >= place->line && std::all_of(gone.begin(), gone.end(), [&key](const auto &line) {
               const bool belongsToKey = line.trimmed().isEmpty() || line.startsWith(' ') ||
                                         line.startsWith('-') || line.startsWith('#');
               return belongsToKey || line.startsWith(key.toUtf8() + ':');
           });
}

} // namespace

void TestTaskWriterGenerated::seeds()
{
    QTest::addColumn<quint32>("seed");
    for (quint32 block = 0; block < 20; ++block) {
        QTest::addRow("files-%u", block) << block * 1000;
    }
}

void TestTaskWriterGenerated::sameTaskSameBytes_data()
{
    seeds();
}

void TestTaskWriterGenerated::sameTaskSameBytes()
{
    QFETCH(quint32, seed);
    for (quint32 i = seed; i < seed + 10; ++i) {
        const QByteArray bytes = Generator(i).file();
        const TaskDocument document = TaskDocument::parse(bytes);
        QVERIFY2(document.canChange() && !hasErrors(document.problems()), bytes.constData());
        for (const QString &key : TaskDocument::knownKeys()) {
            QCOMPARE(document.withKey(key, document.task()), bytes);
        }
    }
}

void TestTaskWriterGenerated::oneKeyChanges_data()
{
    seeds();
}

void TestTaskWriterGenerated::oneKeyChanges()
{
    QFETCH(quint32, seed);
    for (quint32 i = seed; i < seed + 10; ++i) {
        Generator generator(i);
        const QByteArray bytes = generator.file();
        const TaskDocument document = TaskDocument::parse(bytes);
        for (const QString &key : TaskDocument::knownKeys()) {
            const TaskFile wanted = generator.changed(document.task(), key);
            const QByteArray written = document.withKey(key, wanted);
            const QByteArray report = key.toUtf8() + "\n" + bytes + "\n=>\n" + written;
            const TaskDocument again = TaskDocument::parse(written);
            QVERIFY2(!hasErrors(again.problems()), report.constData());
            QCOMPARE(again.task().instructions, wanted.instructions);
            for (const QString &other : TaskDocument::knownKeys()) {
                QVERIFY2(saysSame(other, again.task(), wanted), report.constData());
            }
            QVERIFY2(touchesOnly(key, bytes, written), report.constData());
        }
    }
}

QTEST_GUILESS_MAIN(TestTaskWriterGenerated)
#include "tst_taskwriter_generated.moc"
