// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/objectdump.h"

#include "core/base/files.h"

#include <QCoreApplication>
#include <QFile>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(ObjectDump)
};

#ifdef Q_OS_UNIX
constexpr int killedByFileLimit = 128 + 25; // SIGXFSZ
#endif

tl::unexpected<Error> unreadable(const QString &detail)
{
    return fail(ErrorCode::UnexpectedReply,
                Tr::tr("git answered something that could not be read."), detail);
}

/// `<id> <type> <size>` or `<id> missing`.
bool parseLine(const QByteArray &line, DumpedObject &object)
{
    const QList<QByteArray> words = line.trimmed().split(' ');
    object.id = words.at(0);
    if (words.size() == 2 && words.at(1) == "missing") {
        return true;
    }
    bool ok = false;
    object.size = words.size() == 3 ? words.at(2).toLongLong(&ok) : -1;
    object.type = words.size() == 3 ? words.at(1) : QByteArray();
    return ok && object.size >= 0;
}

} // namespace

QCoro::Task<Result<void>> dumpObjects(DumpRequest request, std::stop_token stop)
{
    if (request.ids.isEmpty()) {
        co_return writeFile(request.file, {}); // an empty line would be a name to git
    }
    GitRequest git;
    git.gitFolder = request.gitFolder;
    git.arguments = {QStringLiteral("cat-file"), QStringLiteral("--batch"),
                     QStringLiteral("--buffer")};
    git.input = request.ids.join('\n') + '\n';
    git.outputFile = request.file;
    git.limit = request.limit;
    git.resources.fileSize = request.maximum;
    const Result<ProcessResult> result = co_await runGit(git, stop);
    if (!result) {
        co_return fail(result.error());
    }
#ifdef Q_OS_UNIX
    if (result->exitCode == killedByFileLimit) {
        co_return fail(ErrorCode::TooLarge, Tr::tr("The objects to look at are too large."));
    }
#endif
    if (result->exitCode != 0) {
        const QString words = QString::fromUtf8(result->error.left(2000));
        const bool full = words.contains(QLatin1String("No space left"));
        const bool large = words.contains(QLatin1String("File too large"));
        co_return fail(full    ? ErrorCode::DiskFull
                       : large ? ErrorCode::TooLarge
                               : ErrorCode::CommandFailed,
                       Tr::tr("git could not read the objects of the bundle."), words);
    }
    co_return Result<void>();
}

Result<void> readDump(const QString &path, qint64 keep,
                      const std::function<bool(DumpedObject &&)> &visit)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(ErrorCode::FileError,
                    Tr::tr("A scratch file could not be read: %1").arg(file.errorString()));
    }
    while (!file.atEnd()) {
        DumpedObject object;
        if (!parseLine(file.readLine(256), object)) {
            return unreadable({});
        }
        if (!object.type.isEmpty()) {
            object.bytes = file.read(qMin(object.size, keep));
            const qint64 rest = object.size - object.bytes.size();
            char end = 0;
            if (file.skip(rest) != rest || !file.getChar(&end) || end != '\n') {
                return unreadable(QString::fromLatin1(object.id.left(40)));
            }
        }
        if (!visit(std::move(object))) {
            break;
        }
    }
    return {};
}

QCoro::Task<Result<QHash<QByteArray, QByteArray>>> typesOf(QString gitFolder, QList<QByteArray> ids,
                                                           std::stop_token stop)
{
    QHash<QByteArray, QByteArray> types;
    if (ids.isEmpty()) {
        co_return types;
    }
    GitRequest git;
    git.gitFolder = gitFolder;
    git.arguments = {QStringLiteral("cat-file"), QStringLiteral("--batch-check"),
                     QStringLiteral("--buffer")};
    git.input = ids.join('\n') + '\n';
    git.outputLimit = 256LL << 20;
    const Result<QByteArray> output = co_await gitOutput(git, stop);
    if (!output) {
        co_return fail(output.error());
    }
    for (const QByteArray &line : output->split('\n')) {
        DumpedObject object;
        if (line.isEmpty()) {
            continue;
        }
        if (!parseLine(line, object)) {
            co_return unreadable(QString::fromLatin1(line.left(80)));
        }
        if (!object.type.isEmpty()) {
            types.insert(object.id, object.type);
        }
    }
    co_return types;
}

} // namespace Glovebox
