// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options.h"

#include <QCoreApplication>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

struct OptionRow
{
    const char *name;
    const char *value; ///< what it takes, null = a flag
    const char *help;
};

constexpr OptionRow optionRows[] = {
    {"json", nullptr,
     QT_TRANSLATE_NOOP("CommandLine", "print one JSON document on standard output")},
    {"data-dir", "DIR",
     QT_TRANSLATE_NOOP("CommandLine", "keep database, runs and settings in DIR")},
    {"repo", "DIR",
     QT_TRANSLATE_NOOP(
         "CommandLine",
         "the repository (default: the one that holds the task, else the current one)")},
    {"accept-unenforced", nullptr,
     QT_TRANSLATE_NOOP("CommandLine",
                       "start although the backend cannot enforce the network preset")},
    {"accept-open", nullptr,
     QT_TRANSLATE_NOOP("CommandLine", "start with an open network and no questions asked")},
    {"confirm-env", "NAME",
     QT_TRANSLATE_NOOP("CommandLine", "let this variable of the task go in (repeatable)")},
    {"history", nullptr,
     QT_TRANSLATE_NOOP("CommandLine", "send the whole history in, not the base commit alone")},
    {"base", "COMMIT",
     QT_TRANSLATE_NOOP("CommandLine", "the commit that the bundle must descend from")},
    {"ref", "REF",
     QT_TRANSLATE_NOOP("CommandLine", "the bundle's ref to take (default: its only branch)")},
    {"agent-email", "E", QT_TRANSLATE_NOOP("CommandLine", "whose commits are expected")},
    {"quiet", nullptr, QT_TRANSLATE_NOOP("CommandLine", "show the phases, not the output")},
    {"help", nullptr, QT_TRANSLATE_NOOP("CommandLine", "show this")},
    {"version", nullptr, QT_TRANSLATE_NOOP("CommandLine", "print the version")},
};

struct VerbRow
{
    const char *name;
    const char *usage;
    int least;
    int most;
    const char *options; ///< names with blanks between, beside those of every verb
    const char *help;
};

constexpr VerbRow verbRows[] = {
    {"run", "run TASK", 1, 1, "repo accept-unenforced accept-open confirm-env history quiet",
     QT_TRANSLATE_NOOP("CommandLine", "run a task in a sandbox and bring back a checked branch")},
    {"plan", "plan TASK", 1, 1, "repo accept-unenforced accept-open confirm-env history",
     QT_TRANSLATE_NOOP("CommandLine",
                       "show everything that would go in, be reached, run and come back")},
    {"lint", "lint TASK…", 1, 1000, "repo accept-open",
     QT_TRANSLATE_NOOP("CommandLine", "check task files")},
    {"doctor", "doctor", 0, 0, "",
     QT_TRANSLATE_NOOP("CommandLine", "say what is installed and what is missing")},
    {"backends", "backends", 0, 0, "",
     QT_TRANSLATE_NOOP("CommandLine", "list the sandbox backends and what they can do")},
    {"runs", "runs list | show RUN | export RUN DIR", 1, 3, "",
     QT_TRANSLATE_NOOP("CommandLine", "list runs, show one, or export its dossier")},
    {"review", "review RUN | A..B", 1, 1, "repo",
     QT_TRANSLATE_NOOP("CommandLine", "files, counts, scope and hazards of a branch")},
    {"import", "import BUNDLE", 1, 1, "repo base ref agent-email",
     QT_TRANSLATE_NOOP("CommandLine", "take a bundle through quarantine, as a run does")},
    {"demo", "demo DIR", 1, 1, "",
     QT_TRANSLATE_NOOP("CommandLine", "make a demo repository with task files")},
};

const OptionRow *optionOf(const QString &name)
{
    for (const OptionRow &row : optionRows) {
        if (name == QLatin1String(row.name)) {
            return &row;
        }
    }
    return nullptr;
}

const VerbRow *verbOf(const QString &name)
{
    for (const VerbRow &row : verbRows) {
        if (name == QLatin1String(row.name)) {
            return &row;
        }
    }
    return nullptr;
}

bool takes(const VerbRow &verb, const QString &option)
{
    static const QStringList everywhere{QStringLiteral("json"), QStringLiteral("data-dir"),
                                        QStringLiteral("help"), QStringLiteral("version")};
    return everywhere.contains(option) ||
           QString::fromLatin1(verb.options).split(QLatin1Char(' ')).contains(option);
}

Result<void> takeOption(CliOptions *options, const QStringList &words, qsizetype *i)
{
    const QString word = words.at(*i).mid(2);
    const QString name = word.section(QLatin1Char('='), 0, 0);
    const OptionRow *row = optionOf(name);
    if (!row) {
        return fail(ErrorCode::InvalidRequest, Tr::tr("There is no option --%1.").arg(name));
    }
    QStringList &values = options->values[name];
    if (!row->value) {
        if (word.contains(QLatin1Char('='))) {
            return fail(ErrorCode::InvalidRequest, Tr::tr("--%1 takes no value.").arg(name));
        }
        return {};
    }
    if (word.contains(QLatin1Char('='))) {
        values << word.section(QLatin1Char('='), 1);
    } else if (*i + 1 < words.size()) {
        values << words.at(++*i);
    } else {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("--%1 needs a value: %2.").arg(name, QString::fromLatin1(row->value)));
    }
    return {};
}

Result<void> checkVerb(const CliOptions &options)
{
    const VerbRow *verb = verbOf(options.verb);
    if (!verb) {
        return fail(
            ErrorCode::InvalidRequest,
            Tr::tr("There is no verb %1. `glovebox-cli --help` lists them.").arg(options.verb));
    }
    for (auto it = options.values.cbegin(); it != options.values.cend(); ++it) {
        if (!takes(*verb, it.key())) {
            return fail(ErrorCode::InvalidRequest,
                        Tr::tr("%1 does not take --%2.").arg(options.verb, it.key()));
        }
    }
    const qsizetype count = options.arguments.size();
    if (count < verb->least || count > verb->most) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("Usage: glovebox-cli %1").arg(QString::fromUtf8(verb->usage)));
    }
    return {};
}

QString optionLine(const OptionRow &row)
{
    const QString left =
        row.value ? QStringLiteral("--%1 %2").arg(QLatin1String(row.name), QLatin1String(row.value))
                  : QStringLiteral("--%1").arg(QLatin1String(row.name));
    return QStringLiteral("  %1 %2\n").arg(left, -22).arg(Tr::tr(row.help));
}

} // namespace

Result<CliOptions> parseCommandLine(const QStringList &words)
{
    CliOptions options;
    bool onlyArguments = false;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString &word = words.at(i);
        if (!onlyArguments && word == QLatin1String("--")) {
            onlyArguments = true;
        } else if (!onlyArguments && word.startsWith(QLatin1String("--"))) {
            const Result<void> taken = takeOption(&options, words, &i);
            if (!taken) {
                return fail(taken.error());
            }
        } else if (options.verb.isEmpty()) {
            options.verb = word;
        } else {
            options.arguments << word;
        }
    }
    if (options.has(QStringLiteral("help")) || options.has(QStringLiteral("version"))) {
        return options;
    }
    if (options.verb.isEmpty()) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("A verb is missing. `glovebox-cli --help` lists them."));
    }
    const Result<void> checked = checkVerb(options);
    if (!checked) {
        return fail(checked.error());
    }
    return options;
}

QString helpText(const QString &verb)
{
    QString text = Tr::tr("glovebox-cli VERB [ARGUMENTS] [OPTIONS]") + QStringLiteral("\n\n");
    for (const VerbRow &row : verbRows) {
        if (verb.isEmpty() || verb == QLatin1String(row.name)) {
            text += QStringLiteral("  %1 %2\n")
                        .arg(QString::fromUtf8(row.usage), -38)
                        .arg(Tr::tr(row.help));
        }
    }
    text += QLatin1Char('\n');
    const VerbRow *one = verbOf(verb);
    for (const OptionRow &row : optionRows) {
        if (!one || takes(*one, QString::fromLatin1(row.name))) {
            text += optionLine(row);
        }
    }
    return text;
}

} // namespace Glovebox
