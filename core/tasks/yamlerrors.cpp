// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/yamlerrors.h"

#include "core/tasks/yamltext.h"

#include <QCoreApplication>

#include <re2/re2.h>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(YamlErrors)
};

/// A value of the line at \a offset put in quotes. Nothing where the line is no "key: value" or
/// "- value", or its value is quoted already.
QList<Fix> quoteValueFix(const QByteArray &text, const TextLocator &locator, qsizetype offset)
{
    static const re2::RE2 shape("^( *(?:- +)*(?:[A-Za-z_]+: +)?)([^\"'|> \\t].*?)[ \\t]*$");
    const qsizetype start = locator.lineStart(offset);
    const std::string line = text.mid(start, locator.lineTextEnd(offset) - start).toStdString();
    std::string prefix;
    std::string value;
    if (!re2::RE2::FullMatch(line, shape, &prefix, &value) || prefix.empty() ||
        prefix.find_first_not_of(' ') == std::string::npos) {
        return {};
    }
    const QString plain = QString::fromStdString(value);
    const QByteArray quoted = quotedYaml(plain, YamlNode::Style::SingleQuoted);
    const TextEdit edit{start + static_cast<qsizetype>(prefix.size()),
                        static_cast<qsizetype>(value.size()), quoted};
    return {Fix{Tr::tr("Put the value in quotes"), {edit}}};
}

bool isIndent(const QByteArray &text, const TextLocator &locator, qsizetype offset)
{
    const QByteArray before =
        text.mid(locator.lineStart(offset), offset + 1 - locator.lineStart(offset));
    return before.contains('\t') && before.trimmed().isEmpty();
}

Fix untabFix(const QByteArray &text, const TextLocator &locator, const YamlComplaint &complaint)
{
    Fix fix{Tr::tr("Indent with spaces"), {}};
    qsizetype line = complaint.begin;
    while (line < complaint.end) {
        for (qsizetype i = line; i < complaint.end && (text.at(i) == ' ' || text.at(i) == '\t');
             ++i) {
            if (text.at(i) == '\t') {
                fix.edits << TextEdit{i, 1, QByteArrayLiteral("  ")};
            }
        }
        line = locator.lineEnd(line);
    }
    return fix;
}

/// The line above that lacks its colon, when the one that libyaml stopped in has only the one at
/// \a colon: both were read as one long key. Else -1.
qsizetype lineWithoutColon(const QByteArray &text, const TextLocator &locator, qsizetype begin,
                           qsizetype colon)
{
    const qsizetype start = locator.lineStart(colon);
    if (start <= begin || text.mid(start, colon - start).contains(':')) {
        return -1;
    }
    const qsizetype above = locator.lineStart(start - 1);
    const QByteArray line = text.mid(above, start - above).trimmed();
    return line.isEmpty() || line.contains(':') || line.startsWith('#') ? -1 : above;
}

Problem problemAt(const TextLocator &locator, const char *code, const QString &message,
                  qsizetype offset)
{
    Problem problem{Severity::Error, QString::fromLatin1(code), message, 0, 0, 0, {}};
    placeProblem(&problem, locator.position(offset, offset + 1));
    return problem;
}

/// A sentence for each of libyaml's usual complaints; the place may move to where the thing began.
struct Explanation
{
    const char *words; ///< part of libyaml's text
    QString sentence;
    bool atContext = false;
    bool wantsQuotes = false;
};

QList<Explanation> explanations()
{
    return {
        {"mapping values are not allowed",
         Tr::tr("A second \": \" on one line: a value that holds one must be in quotes."), false,
         true},
        {"expected alphabetic or numeric",
         Tr::tr("A value that begins with * or & must be in quotes."), true, true},
        {"cannot start any token",
         Tr::tr("A value that begins with this character must be in "
                "quotes."),
         false, true},
        {"could not find expected ':'",
         Tr::tr("Expected \"key: value\" or \"- item\" here; the colon is missing."), true, false},
        {"unexpected end of stream", Tr::tr("A quote is opened here and never closed."), true,
         false},
        {"expected ',' or",
         Tr::tr("A list or map is opened here with a bracket and not closed; a "
                "text that begins with one must be in quotes."),
         true, true},
        {"expected '-' indicator",
         Tr::tr("Expected another \"- item\" at the same indentation as those above."), false,
         true},
        {"did not find expected key",
         Tr::tr("Expected \"key: value\" at the same indentation as the keys above."), false, true},
        {"control characters are not allowed",
         Tr::tr("A control character stands here; remove it."), false, false},
        {"unknown escape character",
         Tr::tr("In double quotes, \"\\\" begins an escape; write \"\\\\\" or use single quotes."),
         false, false},
        {"expected <document start>",
         Tr::tr("Expected \"key: value\" lines only between the two \"---\" lines."), false, true},
    };
}

} // namespace

Problem explainYamlError(const QByteArray &text, const TextLocator &locator,
                         const YamlComplaint &complaint)
{
    const qsizetype at = qBound(complaint.begin, complaint.offset, complaint.end);
    const bool tab = complaint.problem.contains("found a tab character");
    if (tab || (at < complaint.end && isIndent(text, locator, at))) {
        Problem problem = problemAt(locator, "yaml-tab",
                                    Tr::tr("Indent with spaces; YAML takes no tabs here."), at);
        const Fix fix = untabFix(text, locator, complaint);
        if (!fix.edits.isEmpty()) {
            problem.fixes << fix;
        }
        return problem;
    }
    if (complaint.problem.contains("mapping values are not allowed")) {
        const qsizetype above = lineWithoutColon(text, locator, complaint.begin, at);
        if (above >= 0) {
            return problemAt(
                locator, "yaml",
                Tr::tr("Expected \"key: value\" or \"- item\" here; the colon is missing."), above);
        }
    }
    for (const Explanation &known : explanations()) {
        if (!complaint.problem.contains(known.words)) {
            continue;
        }
        const qsizetype place = known.atContext ? complaint.contextOffset : at;
        Problem problem = problemAt(locator, "yaml", known.sentence, place);
        if (known.wantsQuotes) {
            problem.fixes = quoteValueFix(text, locator, place);
        }
        return problem;
    }
    return problemAt(
        locator, "yaml",
        Tr::tr("This is not valid YAML: %1.").arg(QString::fromUtf8(complaint.problem)), at);
}

Problem explainYamlExtra(const QByteArray &text, const TextLocator &locator, qsizetype offset)
{
    Problem problem = problemAt(
        locator, "yaml-alias",
        Tr::tr("Anchors (&), aliases (*) and tags (!) are not taken in task files; a text that "
               "begins with one of these must be in quotes."),
        offset);
    problem.fixes = quoteValueFix(text, locator, offset);
    return problem;
}

} // namespace Glovebox
