// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options.h"
#include "tests/support/testing.h"

using namespace Glovebox;

/// The command line: what is read from it, and what is said about a wrong one.
class OptionsTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void helps();
};

void OptionsTest::reads_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("verb");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("values"); ///< "name=a,b name"
    const auto row = [](const char *line, const char *verb, const char *arguments,
                        const char *values) {
        QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(verb)
                            << QString::fromLatin1(arguments) << QString::fromLatin1(values);
    };
    row("doctor", "doctor", "", "");
    row("run a.task.md", "run", "a.task.md", "");
    row("run --json a.task.md", "run", "a.task.md", "json=");
    row("--json run a.task.md --quiet", "run", "a.task.md", "json= quiet=");
    row("--data-dir D run a", "run", "a", "data-dir=D");
    row("run a --data-dir=D=E", "run", "a", "data-dir=D=E");
    row("run a --confirm-env A --confirm-env=B", "run", "a", "confirm-env=A,B");
    row("run -- --odd", "run", "--odd", "");
    row("-- run a", "run", "a", "");
    row("lint a b c", "lint", "a b c", "");
    row("runs export 123456 out", "runs", "export 123456 out", "");
    row("review A..B --repo R", "review", "A..B", "repo=R");
    row("import b --base C --ref refs/heads/x --agent-email e", "import", "b",
        "agent-email=e base=C ref=refs/heads/x");
    row("--help", "", "", "help=");
    row("run --help", "run", "", "help=");
    row("--version", "", "", "version=");
}

void OptionsTest::reads()
{
    QFETCH(QString, line);
    const Result<CliOptions> options = parseCommandLine(line.split(QLatin1Char(' ')));
    VERIFY_RESULT(options);
    QTEST(options->verb, "verb");
    QTEST(options->arguments.join(QLatin1Char(' ')), "arguments");
    QStringList values;
    for (auto it = options->values.cbegin(); it != options->values.cend(); ++it) {
        values << it.key() + QLatin1Char('=') + it.value().join(QLatin1Char(','));
        QVERIFY(options->has(it.key()));
        QCOMPARE(options->value(it.key()), it.value().value(0));
    }
    values.sort();
    QTEST(values.join(QLatin1Char(' ')), "values");
}

void OptionsTest::refuses_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("says");
    const auto row = [](const char *line, const char *says) {
        QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(says);
    };
    row("--json", "A verb is missing");
    row("fly", "There is no verb fly");
    row("run", "Usage: glovebox-cli run TASK");
    row("run a b", "Usage: glovebox-cli run TASK");
    row("doctor a", "Usage: glovebox-cli doctor");
    row("run a --no-such", "There is no option --no-such");
    row("run a --no-such=1", "There is no option --no-such");
    row("run a --json=1", "--json takes no value");
    row("run a --repo", "--repo needs a value: DIR");
    row("doctor --repo R", "doctor does not take --repo");
    row("lint a --confirm-env A", "lint does not take --confirm-env");
    row("runs list --quiet", "runs does not take --quiet");
    row("run a --=x", "There is no option --.");
}

void OptionsTest::refuses()
{
    QFETCH(QString, line);
    QFETCH(QString, says);
    const Result<CliOptions> options = parseCommandLine(line.split(QLatin1Char(' ')));
    QVERIFY(!options);
    QCOMPARE(options.error().code, ErrorCode::InvalidRequest);
    QVERIFY2(options.error().message.contains(says), qPrintable(options.error().message));
}

void OptionsTest::helps()
{
    const QString all = helpText();
    for (const char *word : {"run TASK", "doctor", "demo DIR", "--json", "--confirm-env NAME"}) {
        QVERIFY2(all.contains(QLatin1String(word)), word);
    }
    const QString one = helpText(QStringLiteral("import"));
    QVERIFY(one.contains(QLatin1String("import BUNDLE")) &&
            one.contains(QLatin1String("--base COMMIT")));
    QVERIFY(one.contains(QLatin1String("--json")));
    QVERIFY(!one.contains(QLatin1String("run TASK")) && !one.contains(QLatin1String("--quiet")));
}

QTEST_GUILESS_MAIN(OptionsTest)
#include "tst_options.moc"
