// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/demo.h"

#include "core/git/gitcommand.h"

#include <QDirIterator>
#include <QTemporaryDir>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Demo)
};

const QString source = QStringLiteral(":/glovebox/demo/");

Result<void> copyFiles(const QString &folder)
{
    QDirIterator files(source, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        const QString target = folder + QLatin1Char('/') + file.mid(source.size());
        const bool copied =
            QDir().mkpath(QFileInfo(target).absolutePath()) && QFile::copy(file, target) &&
            QFile::setPermissions(target, QFile::permissions(target) | QFileDevice::WriteOwner);
        if (!copied) {
            return fail(ErrorCode::FileError, Tr::tr("%1 could not be written.").arg(target));
        }
    }
    return {};
}

bool isDemo(const QDir &folder)
{
    return folder.exists(QStringLiteral(".git")) && folder.exists(QStringLiteral("demo.task.md"));
}

QCoro::Task<Result<void>> commitFiles(QString folder, std::stop_token stop)
{
    const QList<QStringList> steps{
        {QStringLiteral("init"), QStringLiteral("-q"), QStringLiteral("--template="),
         QStringLiteral("--initial-branch=main")},
        {QStringLiteral("add"), QStringLiteral("-A")},
        {QStringLiteral("commit"), QStringLiteral("-q"), QStringLiteral("--no-verify"),
         QStringLiteral("-m"), QStringLiteral("Start the greeter")}};
    for (const QStringList &step : steps) {
        GitRequest request;
        request.gitFolder = folder + QStringLiteral("/.git");
        request.arguments = step;
        request.environment = {
            {QStringLiteral("GIT_WORK_TREE"), folder},
            {QStringLiteral("GIT_AUTHOR_NAME"), QStringLiteral("Glovebox demo")},
            {QStringLiteral("GIT_AUTHOR_EMAIL"), QStringLiteral("demo@example.com")},
            {QStringLiteral("GIT_COMMITTER_NAME"), QStringLiteral("Glovebox demo")},
            {QStringLiteral("GIT_COMMITTER_EMAIL"), QStringLiteral("demo@example.com")}};
        const Result<QByteArray> done = co_await gitOutput(request, stop);
        if (!done) {
            co_return fail(done.error());
        }
    }
    co_return Result<void>();
}

} // namespace

QCoro::Task<Result<void>> makeDemo(QString folder, std::stop_token stop)
{
    const QDir target(QDir(folder).absolutePath());
    if (isDemo(target)) {
        co_return Result<void>();
    }
    if (target.exists() &&
        !target.isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)) {
        co_return fail(
            ErrorCode::AlreadyExists,
            Tr::tr("%1 is not empty. Choose a new folder for the demo.").arg(target.path()));
    }
    const QString above = QFileInfo(target.path()).absolutePath();
    const bool hasPlace = QDir().mkpath(above);
    // Beside it, so that it is there whole or not at all.
    const QTemporaryDir draft(above + QStringLiteral("/.glovebox-demo-XXXXXX"));
    if (!hasPlace || !draft.isValid()) {
        co_return fail(ErrorCode::FileError, Tr::tr("%1 could not be written.").arg(above));
    }
    const QString made = draft.filePath(QStringLiteral("demo"));
    const Result<void> copied = copyFiles(made);
    if (!copied) {
        co_return copied;
    }
    const Result<void> committed = co_await commitFiles(made, stop);
    if (!committed) {
        co_return committed;
    }
    const bool free = !target.exists() || QDir().rmdir(target.path());
    if (!free || !QDir().rename(made, target.path())) {
        co_return fail(ErrorCode::FileError, Tr::tr("%1 could not be written.").arg(target.path()));
    }
    co_return Result<void>();
}

} // namespace Glovebox
