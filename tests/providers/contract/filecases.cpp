// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "tests/providers/contract/contractcases.h"
#include "tests/support/temporaryfolder.h"

namespace Glovebox::Testing {

namespace {

QString uploads(CaseContext &context)
{
    MAKE_SANDBOX(context);
    Testing::TemporaryFolder here;
    const QString path = context.sandbox->workFolder() + QStringLiteral("/up");
    for (const qint64 size : {qint64(0), qint64(1), largeBytes()}) {
        QFile file(here.filePath(QStringLiteral("f%1").arg(size)));
        EXPECT(file.open(QIODevice::WriteOnly) && file.resize(size), "cannot write a file here");
        file.seek(qMax(qint64(0), size - 1));
        file.write(QByteArray(size > 0 ? 1 : 0, 'x'));
        file.close();
        EXPECT_RESULT(
            await(context.sandbox->upload({path, LocalFile{file.fileName()}, false}, {})));
        const QByteArray digest = sha256OfFile(file.fileName()).value_or(QByteArray());
        Command command = context.shell(QStringLiteral("sha256sum <up"));
        EXPECT_RESULT(context.run(command));
        EXPECT(context.sink->output.left(64) == digest, "the file has changed on its way in");
        const QString back = here.filePath(QStringLiteral("b%1").arg(size));
        const auto got = await(context.sandbox->download(path, {back}, size, {}));
        EXPECT_RESULT(got);
        EXPECT(*got == digest && sha256OfFile(back).value_or(QByteArray()) == digest,
               "the file has changed on its way out");
    }
    return {};
}

QString brokenUpload(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const QString path = context.sandbox->workFolder() + QStringLiteral("/whole");
    context.control().damageUploads();
    const auto done = await(context.sandbox->upload({path, QByteArray(100'000, 'x'), false}, {}));
    EXPECT(!done, "a damaged upload counts as done");
    EXPECT(done.error().code == ErrorCode::DamagedInTransit, "it is not called damaged");
    context.control().reset();
    EXPECT_RESULT(context.run(context.shell(QStringLiteral("ls"))));
    EXPECT(!context.sink->output.contains("whole"), "a damaged upload left a file of that name");
    EXPECT_RESULT(await(context.sandbox->upload({path, QByteArray("x"), false}, {})));
    return {};
}

QString hostileDownload(CaseContext &context)
{
    MAKE_SANDBOX(context);
    Testing::TemporaryFolder here;
    const QString work = context.sandbox->workFolder();
    EXPECT_RESULT(context.run(context.shell(
        QStringLiteral("echo x >real; ln -s real link; ln -s /etc/passwd out; mkfifo pipe; "
                       "mkdir dir; head -c 100001 /dev/zero >large"))));
    const QList<QString> refused{work + QStringLiteral("/link"),  work + QStringLiteral("/out"),
                                 work + QStringLiteral("/pipe"),  work + QStringLiteral("/dir"),
                                 work + QStringLiteral("/large"), work + QStringLiteral("/missing"),
                                 QStringLiteral("/dev/zero")};
    for (const QString &path : refused) {
        const LocalFile target{here.filePath(QStringLiteral("got"))};
        const auto got = await(context.sandbox->download(path, target, 100'000, {}));
        if (got || QFile::exists(target.path)) {
            return QStringLiteral("%1 was fetched").arg(path);
        }
    }
    const CommandId id{newId()};
    EXPECT_RESULT(await(context.sandbox->start(
        id, context.shell(QStringLiteral("while :; do echo growing >>grows; done")), {})));
    const LocalFile target{here.filePath(QStringLiteral("grows"))};
    const auto got =
        await(context.sandbox->download(work + QStringLiteral("/grows"), target, 5000, {}));
    EXPECT_RESULT(await(context.sandbox->end(id, std::chrono::seconds(1), {})));
    EXPECT(!got || QFileInfo(target.path).size() <= 5000, "more was fetched than allowed");
    return {};
}

QString oddPaths(CaseContext &context)
{
    MAKE_SANDBOX(context);
    Testing::TemporaryFolder here;
    int number = 0;
    for (const QString &name :
         {QStringLiteral("two words"), QStringLiteral("it's \"quoted\" $HOME `id`"),
          QStringLiteral("中文"), QStringLiteral("a new\nline"), QStringLiteral("-n *?[x]\\")}) {
        const QString folder = context.sandbox->workFolder() + u'/' + name;
        const QString path = folder + u'/' + name;
        const QByteArray bytes = name.toUtf8();
        EXPECT_RESULT(await(context.sandbox->upload({path, bytes, false}, {})));
        Command command = context.shell(QString());
        command.directory = folder;
        command.argv = {QStringLiteral("cat"), QStringLiteral("./") + name};
        EXPECT_RESULT(context.run(command));
        EXPECT(context.sink->output == bytes, "the file is elsewhere");
        const LocalFile target{here.filePath(QString::number(++number))};
        EXPECT_RESULT(await(context.sandbox->download(path, target, 1000, {})));
        EXPECT(readFile(target.path).value_or(QByteArray()) == bytes, "another file was fetched");
    }
    return {};
}

QString lateAnswers(CaseContext &context)
{
    MAKE_SANDBOX(context);
    context.control().answerLate();
    std::vector<QCoro::Task<Result<CommandResult>>> tasks;
    std::vector<std::shared_ptr<TextSink>> sinks;
    for (int i = 0; i < 3; ++i) {
        sinks.push_back(std::make_shared<TextSink>());
        tasks.push_back(runCommand(context.sandbox, {newId()},
                                   context.shell(QStringLiteral("echo late %1").arg(i)),
                                   sinks.back(), {}));
    }
    QString wrong;
    for (size_t i = 0; i < tasks.size(); ++i) {
        const auto result = await(std::move(tasks.at(i)));
        if (!result) {
            wrong = errorText(result.error());
        } else if (sinks.at(i)->output !=
                   "late " + QByteArray::number(static_cast<int>(i)) + '\n') {
            wrong = QStringLiteral("a late answer was taken for another's");
        }
    }
    return wrong;
}

} // namespace

QList<ContractCase> fileCases()
{
    return {{QStringLiteral("C18"), QStringLiteral("upload"), uploads},
            {QStringLiteral("C19"), QStringLiteral("upload-broken"), brokenUpload,
             ContractCase::Needs::Control},
            {QStringLiteral("C20"), QStringLiteral("download-hostile"), hostileDownload},
            {QStringLiteral("C21"), QStringLiteral("odd-paths"), oddPaths},
            {QStringLiteral("C22"), QStringLiteral("late-answers"), lateAnswers,
             ContractCase::Needs::Control}};
}

} // namespace Glovebox::Testing
