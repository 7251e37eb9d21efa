// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"

#include "core/base/terminaltext.h"

#include <QCoreApplication>
#include <QJsonDocument>

namespace Glovebox {

namespace {

int exitCodeFor(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Cancelled:
        return ExitCancelled;
    case ErrorCode::InvalidRequest:
    case ErrorCode::NotFound:
    case ErrorCode::AlreadyExists:
    case ErrorCode::PolicyNotEnforceable:
        return ExitUsage;
    default:
        return ExitFailed;
    }
}

/// Text of tasks and repositories is among what is shown, and a terminal obeys what it reads. The
/// blanks and line breaks of our own sentences stay.
QString harmless(const QString &text)
{
    static const QString blanks = QStringLiteral(" \n") + QChar(0x00a0) + QChar(0x202f);
    QString shown;
    QString word;
    for (const QChar c : text) {
        if (!blanks.contains(c)) {
            word += c;
            continue;
        }
        shown += displayText(word) + c;
        word.clear();
    }
    return shown + displayText(word);
}

} // namespace

Console::Console(bool json)
    : m_json(json)
    , m_out(stdout)
    , m_err(stderr)
{
}

void Console::document(const QJsonObject &object)
{
    if (m_json) {
        m_out << QString::fromUtf8(QJsonDocument(object).toJson());
        m_out.flush();
    }
}

void Console::result(const QString &line)
{
    if (!m_json) {
        m_out << harmless(line) << '\n';
        m_out.flush();
    }
}

void Console::progress(const QString &line)
{
    m_err << harmless(line) << '\n';
    m_err.flush();
}

void Console::log(const QByteArray &bytes)
{
    TerminalText text;
    for (const TerminalLine &line : text.feed(bytes) + text.finish()) {
        m_err << displayText(line.text) << '\n';
    }
    m_err.flush();
}

int Console::error(const Error &error)
{
    document(
        {{QStringLiteral("error"), QJsonObject{{QStringLiteral("code"), errorCodeName(error.code)},
                                               {QStringLiteral("message"), error.message},
                                               {QStringLiteral("detail"), error.detail}}}});
    progress(QStringLiteral("glovebox-cli: %1").arg(error.message));
    if (!error.detail.isEmpty()) {
        progress(displayText(error.detail));
    }
    return exitCodeFor(error.code);
}

} // namespace Glovebox
