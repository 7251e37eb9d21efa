// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/bundleheader.h"

#include "core/git/referencename.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(BundleHeader)
};

constexpr qsizetype idLength = 40;

tl::unexpected<Refusal> badHeader()
{
    return refuse("header", "bundle-bad-header",
                  Tr::tr("The file is not a git bundle, or its header is damaged. The download may "
                         "have gone wrong: fetch it again."));
}

tl::unexpected<Refusal> tooBig()
{
    return refuse("header", "bundle-header-too-big",
                  Tr::tr("The bundle's header lists more references or prerequisites than any "
                         "honest run returns."));
}

/// One line of the header after its signature:
///   @object-format=sha1            capability, only in version 3
///   -<id> subject of the commit    prerequisite
///   <id> refs/heads/agent/task     reference
Verdict readLine(const QByteArray &line, int version, BundleHeader &header)
{
    if (line.contains('\0') || line.contains('\r')) {
        return badHeader().value();
    }
    if (line.startsWith('@')) {
        if (version != 3) {
            return badHeader().value();
        }
        if (line == "@object-format=sha1") {
            return std::nullopt;
        }
        if (line.startsWith("@object-format=")) {
            return refusal("header", "bundle-object-format",
                           Tr::tr("The bundle uses another object format than SHA-1."));
        }
        return refusal("header", "bundle-capability",
                       Tr::tr("The bundle asks for a capability that an import never needs."));
    }
    if (line.startsWith('-')) {
        const QByteArray id = line.mid(1, idLength);
        if (!isObjectId(id) || (line.size() > idLength + 1 && line.at(idLength + 1) != ' ')) {
            return badHeader().value();
        }
        header.prerequisites.append(id);
        return std::nullopt;
    }
    const QByteArray id = line.left(idLength);
    if (!isObjectId(id) || line.size() < idLength + 2 || line.at(idLength) != ' ') {
        return badHeader().value();
    }
    header.references.append({id, line.mid(idLength + 1)});
    return std::nullopt;
}

Verdict checkNames(const BundleHeader &header)
{
    QSet<QByteArray> seen;
    for (const BundleHeader::Reference &reference : header.references) {
        const bool safe = reference.name == "HEAD" || isSafeReference(reference.name);
        if (!safe || seen.contains(reference.name)) {
            return refusal("header", "bundle-bad-ref",
                           Tr::tr("The bundle carries a reference whose name is not allowed, or "
                                  "one name twice."));
        }
        seen.insert(reference.name);
    }
    return std::nullopt;
}

} // namespace

Checked<BundleHeader> parseBundleHeader(const QByteArray &start, const ImportLimits &limits)
{
    const QByteArray signature = start.left(qMax<qsizetype>(start.indexOf('\n'), 0));
    if (signature != "# v2 git bundle" && signature != "# v3 git bundle") {
        return badHeader();
    }
    const qsizetype end = start.indexOf("\n\n");
    if (end < 0) {
        return start.size() > limits.headerBytes ? tooBig() : badHeader();
    }
    const int version = signature.at(3) - '0';
    BundleHeader header;
    header.size = end + 2;
    const QList<QByteArray> lines = start.left(end).split('\n');
    for (qsizetype i = 1; i < lines.size(); ++i) {
        if (Verdict verdict = readLine(lines.at(i), version, header)) {
            return tl::unexpected<Refusal>(*verdict);
        }
    }
    if (header.prerequisites.size() > limits.prerequisites ||
        header.references.size() > limits.references) {
        return tooBig();
    }
    if (Verdict verdict = checkNames(header)) {
        return tl::unexpected<Refusal>(*verdict);
    }
    return header;
}

Checked<ChosenReference> chooseReference(const BundleHeader &header, const QByteArray &wanted)
{
    ChosenReference chosen;
    int found = 0;
    for (const BundleHeader::Reference &reference : header.references) {
        const bool matches =
            wanted.isEmpty() ? reference.name.startsWith("refs/heads/") : reference.name == wanted;
        if (matches) {
            ++found;
            chosen.tip = reference.id;
            chosen.name = reference.name;
        } else if (reference.name != "HEAD") {
            chosen.dropped.append(reference.name);
        }
    }
    if (found == 0) {
        return refuse("header", "bundle-ref-missing",
                      Tr::tr("The bundle does not carry the branch that was asked for."));
    }
    if (found > 1) {
        return refuse("header", "bundle-ref-missing",
                      Tr::tr("The bundle carries several branches: say which one to import."));
    }
    return chosen;
}

} // namespace Glovebox
