// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/commitscan.h"

#include "core/git/textrules.h"

namespace Glovebox {

namespace {

constexpr qsizetype shownMessage = 64LL * 1024;

/// `Agent <agent@example.com> 1700000000 +0000`
CommitPerson parsePerson(const QByteArray &value)
{
    CommitPerson person;
    const qsizetype open = value.indexOf('<');
    const qsizetype close = value.lastIndexOf('>');
    if (open < 0 || close < open) {
        return person;
    }
    person.name = value.left(open).trimmed();
    person.email = value.mid(open + 1, close - open - 1);
    person.time = value.mid(close + 1).trimmed().split(' ').value(0).toLongLong();
    return person;
}

void readLine(const QByteArray &line, ScannedCommit &commit)
{
    const qsizetype blank = line.indexOf(' ');
    const QByteArray key = line.left(blank);
    const QByteArray value = line.mid(blank + 1);
    if (key == "tree") {
        commit.tree = value;
    } else if (key == "parent") {
        commit.parents.append(value);
    } else if (key == "author") {
        commit.author = parsePerson(value);
    } else if (key == "committer") {
        commit.committer = parsePerson(value);
    } else if (key == "encoding") {
        const QByteArray name = value.trimmed().toUpper();
        commit.hasOddEncoding = name != "UTF-8" && name != "UTF8";
    }
}

} // namespace

ScannedCommit scanCommit(const QByteArray &id, const QByteArray &bytes, qint64 size)
{
    ScannedCommit commit;
    commit.id = id;
    qsizetype position = 0;
    while (position < bytes.size() && bytes.at(position) != '\n') {
        qsizetype end = bytes.indexOf('\n', position);
        end = end < 0 ? bytes.size() : end;
        readLine(bytes.mid(position, end - position), commit);
        position = end + 1;
    }
    const QByteArray message = bytes.mid(position + 1, shownMessage);
    const QByteArray names = commit.author.name + '\n' + commit.author.email + '\n' +
                             commit.committer.name + '\n' + commit.committer.email;
    commit.hasLongMessage = size - position - 1 > shownMessage;
    commit.hasControls = TextRules::hasControls(message) || TextRules::hasControls(names);
    const int cutBytes = commit.hasLongMessage ? 3 : 0; // the cut may lie inside a character
    commit.hasOddEncoding =
        commit.hasOddEncoding || !TextRules::isUtf8(message, cutBytes) || !TextRules::isUtf8(names);
    return commit;
}

} // namespace Glovebox
