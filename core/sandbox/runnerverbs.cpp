// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/sandbox/runnerverbs.h"

#include "core/sandbox/frames.h"
#include "core/sandbox/jobscript.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(RunnerVerbs)
};

QString scratchFolder()
{
    const QFileInfo memory(QStringLiteral("/dev/shm"));
    return memory.isDir() && memory.isWritable() ? memory.filePath() : QDir::tempPath();
}

} // namespace

Result<std::shared_ptr<PrivateFile>> PrivateFile::create(const QByteArray &bytes)
{
    auto file = std::make_shared<PrivateFile>();
    file->m_file.setFileTemplate(scratchFolder() + QStringLiteral("/glovebox-XXXXXX"));
    if (!file->m_file.open() || file->m_file.write(bytes) != bytes.size() ||
        !file->m_file.flush()) {
        return fail(
            ErrorCode::FileError,
            Tr::tr("A temporary file could not be written: %1").arg(file->m_file.errorString()));
    }
    file->m_file.close(); // stays until the object goes
    return file;
}

QByteArray RunnerVerbs::line(const QByteArray &verb, const QStringList &words) const
{
    QByteArray text = "sh " + runner.toLatin1() + ' ' + verb;
    for (const QString &word : words) {
        Q_ASSERT(isRunnerWord(word));
        text += ' ' + word.toLatin1();
    }
    return text;
}

Result<QList<QByteArray>> readAnswer(const QByteArray &reply, const QList<QByteArray> &answers)
{
    for (const QByteArray &line : reply.split('\n')) {
        const QList<QByteArray> words = line.trimmed().split(' ');
        if (answers.contains(words.front())) {
            return words;
        }
    }
    if (reply.trimmed().isEmpty()) {
        return fail(ErrorCode::ConnectionLost, Tr::tr("The sandbox did not answer."));
    }
    return fail(ErrorCode::UnexpectedReply,
                Tr::tr("The sandbox answered something that is not understood."),
                cleanedReply(reply));
}

QCoro::Task<Result<QByteArray>> askText(RunnerVerbs verbs, RunnerQuestion question,
                                        std::stop_token stop)
{
    const QByteArray line = verbs.line(question.verb, question.words);
    std::function<QCoro::Task<Result<QByteArray>>()> attempt = [channel = verbs.channel, line,
                                                                limit = question.limit, stop] {
        return channel->call(line, limit, stop);
    };
    Result<QByteArray> reply = co_await retried(attempt, verbs.pace.retries, stop);
    co_return reply;
}

QCoro::Task<Result<QList<QByteArray>>> ask(RunnerVerbs verbs, RunnerQuestion question,
                                           std::stop_token stop)
{
    for (qsizetype tries = 0;; ++tries) {
        const Result<QByteArray> reply = co_await askText(verbs, question, stop);
        if (!reply) {
            co_return fail(reply.error());
        }
        Result<QList<QByteArray>> words = readAnswer(*reply, question.answers);
        if (words || tries >= furtherTries(words.error(), verbs.pace.retries)) {
            co_return words;
        }
        const std::chrono::milliseconds wait = verbs.pace.retries.waits.at(tries);
        const Result<void> paused = co_await pause(wait, stop);
        if (!paused) {
            co_return fail(paused.error());
        }
    }
}

QCoro::Task<Result<void>> putFile(RunnerVerbs verbs, QString path, LocalFile source,
                                  std::stop_token stop)
{
    std::function<QCoro::Task<Result<void>>()> attempt = [channel = verbs.channel, path, source,
                                                          stop] {
        return channel->put(path, source, stop);
    };
    Result<void> done = co_await retried(attempt, verbs.pace.retries, stop);
    co_return done;
}

QCoro::Task<Result<void>> putBytes(RunnerVerbs verbs, QString path, QByteArray bytes,
                                   std::stop_token stop)
{
    const Result<std::shared_ptr<PrivateFile>> file = PrivateFile::create(bytes);
    if (!file) {
        co_return fail(file.error());
    }
    const LocalFile source = (*file)->file();
    Result<void> done = co_await putFile(verbs, path, source, stop);
    co_return done;
}

} // namespace Glovebox
