// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/ownsecrets.h"

#include "core/base/pool.h"

#include <QCoreApplication>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(OwnSecrets)
};

constexpr qint64 longestList = 256LL << 20; // a million objects in lines of less than 100 bytes
constexpr qint64 headerRoom = 128;          // `<id> <type> <size>`, and the line end of the content

struct Batch
{
    QByteArray ids; ///< one a line
    qint64 bytes = 0;
};

QCoro::Task<Result<QByteArray>> newObjects(OwnSecretsRequest request, std::stop_token stop)
{
    GitRequest git;
    git.gitFolder = request.gitFolder;
    git.arguments = QStringList{QStringLiteral("rev-list"), QStringLiteral("--objects"),
                                QStringLiteral("--no-object-names"), request.tip,
                                QStringLiteral("^") + request.base};
    git.outputLimit = longestList;
    co_return co_await gitOutput(git, stop);
}

/// The objects with their sizes, `<id> <size>` a line.
QCoro::Task<Result<QByteArray>> sizesOf(OwnSecretsRequest request, QByteArray ids,
                                        std::stop_token stop)
{
    GitRequest git;
    git.gitFolder = request.gitFolder;
    git.arguments = QStringList{QStringLiteral("cat-file"), QStringLiteral("--buffer"),
                                QStringLiteral("--batch-check=%(objectname) %(objectsize)")};
    git.input = std::move(ids);
    git.outputLimit = longestList;
    co_return co_await gitOutput(git, stop);
}

Result<QList<Batch>> batchesOf(const QByteArray &sizes, qint64 most)
{
    QList<Batch> batches;
    for (const QByteArray &line : sizes.split('\n')) {
        if (line.isEmpty()) {
            continue;
        }
        const qsizetype blank = line.indexOf(' ');
        bool ok = false;
        const qint64 size = line.mid(blank + 1).toLongLong(&ok);
        if (blank < 0 || !ok || size < 0) {
            return fail(ErrorCode::UnexpectedReply,
                        Tr::tr("The returned objects could not be searched for keys."),
                        QString::fromLatin1(line.left(100)));
        }
        const qint64 needed = size + headerRoom;
        if (batches.isEmpty() || batches.last().bytes + needed > most) {
            batches << Batch();
        }
        batches.last().ids += line.left(blank) + '\n';
        batches.last().bytes += needed;
    }
    return batches;
}

QCoro::Task<Result<QStringList>> searchBatch(OwnSecretsRequest request, Batch batch,
                                             std::stop_token stop)
{
    GitRequest git;
    git.gitFolder = request.gitFolder;
    git.arguments = QStringList{QStringLiteral("cat-file"), QStringLiteral("--batch"),
                                QStringLiteral("--buffer")};
    git.input = batch.ids;
    git.outputLimit = batch.bytes;
    const Result<QByteArray> contents = co_await gitOutput(git, stop);
    if (!contents) {
        co_return fail(contents.error());
    }
    const auto find = [forms = request.secrets, bytes = *contents] {
        return forms->find(bytes);
    };
    const QStringList names = co_await runInPool(find);
    co_return names;
}

} // namespace

QCoro::Task<Result<QStringList>> ownSecretsIn(OwnSecretsRequest request, std::stop_token stop)
{
    QStringList found;
    if (request.secrets->isEmpty()) {
        co_return found;
    }
    const Result<QByteArray> ids = co_await newObjects(request, stop);
    if (!ids) {
        co_return fail(ids.error());
    }
    const Result<QByteArray> sizes = co_await sizesOf(request, *ids, stop);
    if (!sizes) {
        co_return fail(sizes.error());
    }
    const Result<QList<Batch>> batches = batchesOf(*sizes, request.batch);
    if (!batches) {
        co_return fail(batches.error());
    }
    for (const Batch &batch : *batches) {
        const Result<QStringList> names = co_await searchBatch(request, batch, stop);
        if (!names) {
            co_return fail(names.error());
        }
        found << *names;
    }
    found.removeDuplicates();
    co_return found;
}

} // namespace Glovebox
