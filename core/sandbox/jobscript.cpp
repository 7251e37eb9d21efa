// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/sandbox/jobscript.h"

#include <QCoreApplication>

#include <algorithm>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(JobScript)
};

constexpr qsizetype largestInput = 16LL * 1024 * 1024;

bool isLetterOrDigit(char16_t c)
{
    return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9');
}

bool isVariableName(const QString &name)
{
    const auto fits = [](QChar c) {
        return isLetterOrDigit(c.unicode()) || c == u'_';
    };
    return !name.isEmpty() && !name.front().isDigit() &&
           std::all_of(name.cbegin(), name.cend(), fits);
}

Result<void> refuse(const QString &why)
{
    return fail(ErrorCode::InvalidRequest, why);
}

Result<void> checkArguments(const QStringList &argv)
{
    if (argv.isEmpty() || argv.front().isEmpty()) {
        return refuse(Tr::tr("A command needs the name of a program."));
    }
    if (argv.front().startsWith(QLatin1Char('-'))) {
        return refuse(
            Tr::tr("The name of a program cannot begin with a dash: %1.").arg(argv.front()));
    }
    for (const QString &argument : argv) {
        if (argument.contains(QChar::Null)) {
            return refuse(Tr::tr("An argument of a command holds a NUL character."));
        }
    }
    return {};
}

Result<void> checkEnvironment(const QList<EnvironmentVariable> &environment)
{
    for (const EnvironmentVariable &variable : environment) {
        if (!isVariableName(variable.name)) {
            return refuse(
                Tr::tr("“%1” cannot be the name of an environment variable.").arg(variable.name));
        }
        if (variable.name == QLatin1String("GLOVEBOX_JOB")) {
            return refuse(Tr::tr("The environment variable GLOVEBOX_JOB is reserved."));
        }
        if (variable.value.reveal().contains('\0')) {
            return refuse(Tr::tr("The value of the environment variable %1 holds a NUL character.")
                              .arg(variable.name));
        }
    }
    return {};
}

} // namespace

QByteArray shellQuoted(const QByteArray &bytes)
{
    QByteArray quoted = bytes;
    return "'" + quoted.replace("'", "'\\''") + "'";
}

QByteArray octalPath(const QString &path)
{
    const QByteArray bytes = path.toUtf8();
    QByteArray digits;
    digits.reserve(bytes.size() * 3);
    for (const char c : bytes) {
        digits += QByteArray::number(static_cast<unsigned char>(c), 8).rightJustified(3, '0');
    }
    return digits;
}

bool isRunnerWord(const QString &text)
{
    const auto fits = [](QChar c) {
        return isLetterOrDigit(c.unicode()) || c == u'/' || c == u'_' || c == u'.' || c == u'-';
    };
    return !text.isEmpty() && std::all_of(text.cbegin(), text.cend(), fits);
}

bool isCommandId(const CommandId &id)
{
    const auto fits = [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9');
    };
    return id.value.size() == 26 && std::all_of(id.value.cbegin(), id.value.cend(), fits);
}

Result<void> checkCommand(const Command &command)
{
    if (Result<void> arguments = checkArguments(command.argv); !arguments) {
        return arguments;
    }
    if (!command.directory.startsWith(QLatin1Char('/')) ||
        command.directory.contains(QChar::Null)) {
        return refuse(
            Tr::tr("A command needs an absolute folder, not “%1”.").arg(command.directory));
    }
    if (command.limit <= std::chrono::seconds(0) || command.outputLimit < 0) {
        return refuse(Tr::tr("A command needs a time limit above zero."));
    }
    if (command.standardInput.size() > largestInput) {
        return refuse(Tr::tr("A command takes at most 16 MiB on its standard input."));
    }
    return checkEnvironment(command.environment);
}

QByteArray jobScript(const Command &command)
{
    QByteArray script = "cd " + shellQuoted(command.directory.toUtf8()) + " || exit 125\n";
    script += "unset OLDPWD SHLVL\n"; // what the shell itself added
    for (const EnvironmentVariable &variable : command.environment) {
        script += "export " + variable.name.toLatin1() + '=' +
                  shellQuoted(variable.value.reveal()) + '\n';
    }
    script += "set --";
    for (const QString &argument : command.argv) {
        script += ' ' + shellQuoted(argument.toUtf8());
    }
    return script + '\n';
}

} // namespace Glovebox
