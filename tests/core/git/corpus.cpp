// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/git/corpus.h"

#include "core/base/files.h"
#include "tests/support/testing.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>

namespace Glovebox::Testing {

namespace {

constexpr int buildTime = 300'000; // milliseconds

QString scriptFolder()
{
    return QStringLiteral(GLOVEBOX_TEST_DATA "/corpus");
}

QString scriptPath()
{
    return scriptFolder() + QStringLiteral("/make-hostile.sh");
}

/// Of the script and of all that it is made of, so that a corpus of an older one is not used.
QByteArray scriptDigest()
{
    QStringList files{scriptPath()};
    QDirIterator parts(scriptFolder() + QStringLiteral("/hostile"), {QStringLiteral("*.py")},
                       QDir::Files);
    while (parts.hasNext()) {
        files.append(parts.next());
    }
    files.sort();
    QCryptographicHash whole(QCryptographicHash::Sha256);
    for (const QString &file : files) {
        whole.addData(sha256OfFile(file).value());
    }
    return whole.result().toHex().left(16);
}

/// Builds beside the final place and renames, so that a cut build is never taken for a whole one.
QString buildOnce()
{
    const QString root = qEnvironmentVariable("GLOVEBOX_BUILD_DIR") + QStringLiteral("/corpus");
    QDir().mkpath(root);
    const QString folder = root + QLatin1Char('/') + QString::fromLatin1(scriptDigest());
    QLockFile lock(folder + QStringLiteral(".lock"));
    lock.setStaleLockTime(buildTime);
    if (!lock.tryLock(buildTime)) {
        QTest::qFail("another suite builds the corpus for too long", __FILE__, __LINE__);
        return {};
    }
    if (!QFile::exists(folder)) {
        const QString part = folder + QStringLiteral(".part");
        QDir(part).removeRecursively();
        run(QStringLiteral("bash"), {scriptPath(), part});
        QDir().rename(part, folder);
    }
    return folder;
}

} // namespace

Corpus Corpus::build()
{
    Corpus corpus;
    corpus.folder = buildOnce();
    const Result<QByteArray> bytes = readFile(corpus.folder + QStringLiteral("/manifest.json"));
    const QJsonObject manifest = QJsonDocument::fromJson(bytes.value_or(QByteArray())).object();
    const auto text = [](const QJsonObject &object, const char *key) {
        return object.value(QLatin1String(key)).toString();
    };
    corpus.baseRepository = corpus.folder + QLatin1Char('/') + text(manifest, "base");
    corpus.baseCommit = text(manifest, "base_commit");
    corpus.reference = text(manifest, "expected_ref");
    for (const QJsonValue &value : manifest.value(QLatin1String("cases")).toArray()) {
        const QJsonObject object = value.toObject();
        corpus.cases.append({text(object, "id"), text(object, "kind"), text(object, "expect"),
                             text(object, "code"), text(object, "threat"),
                             corpus.folder + QLatin1Char('/') + text(object, "file")});
    }
    return corpus;
}

CorpusCase Corpus::find(const QString &id) const
{
    for (const CorpusCase &one : cases) {
        if (one.id == id) {
            return one;
        }
    }
    QTest::qFail(qPrintable(QStringLiteral("the corpus has no case ") + id), __FILE__, __LINE__);
    return {};
}

ImportRequest Corpus::request(const QString &file, const QString &repository,
                              const QString &requestFolder) const
{
    ImportRequest request;
    request.gitFolder = repository;
    request.bundle = file;
    request.base = baseCommit;
    request.reference = reference;
    request.agentEmail = QStringLiteral("agent@sandbox.example");
    request.folder = requestFolder;
    request.limits.bundleBytes = 16LL << 20;
    request.limits.objects = 20'000;
    return request;
}

QHash<QString, QByteArray> snapshot(const QString &folder)
{
    QHash<QString, QByteArray> found;
    QDirIterator entries(folder,
                         QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                         QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        const QString path = entries.next();
        const QFileInfo info(path);
        QByteArray what = info.isSymLink() ? "link " + info.symLinkTarget().toUtf8()
                          : info.isDir()   ? QByteArray("folder")
                                           : sha256OfFile(path).value_or("unreadable");
        found.insert(path.mid(folder.size()), what + ' ' + QByteArray::number(info.permissions()));
    }
    return found;
}

QSet<QString> namesBelow(const QString &folder)
{
    QSet<QString> names;
    QDirIterator entries(folder,
                         QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
                         QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        names.insert(entries.next());
    }
    return names;
}

void copyFolder(const QString &from, const QString &to)
{
    run(QStringLiteral("cp"), {QStringLiteral("-a"), from, to});
}

QSet<QByteArray> linesOf(const QString &repository, const QStringList &arguments)
{
    const QList<QByteArray> lines =
        run(QStringLiteral("git"), QStringList{QStringLiteral("-C"), repository} + arguments)
            .split('\n');
    QSet<QByteArray> found(lines.begin(), lines.end());
    found.remove(QByteArray());
    return found;
}

QStringList codesOf(const ImportReport &report)
{
    QStringList codes;
    for (const ImportHazard &hazard : report.hazards) {
        if (!codes.contains(hazard.code)) {
            codes.append(hazard.code);
        }
    }
    return codes;
}

} // namespace Glovebox::Testing
