// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/sandbox/runnersandbox.h"

#include "core/base/files.h"
#include "core/base/ids.h"
#include "core/sandbox/frames.h"
#include "core/sandbox/jobscript.h"
#include "core/sandbox/runnerfiles.h"
#include "core/sandbox/runnerverbs.h"

#include <QCoreApplication>
#include <QFile>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(RunnerSandbox)
};

// A follow that brings only nonsense is asked again so often, and no more.
constexpr qsizetype nonsenseTries = 3;
constexpr int sweepGrace = 2;

Result<int> readLeft(const QList<QByteArray> &words)
{
    bool isNumber = false;
    const int left = words.value(1).toInt(&isNumber);
    if (words.front() == "left" && isNumber && left >= 0) {
        return left;
    }
    if (words.value(1) == "proc") {
        return fail(ErrorCode::NotSupported,
                    Tr::tr("The processes of this sandbox cannot be seen from inside, so they "
                           "cannot be ended one by one."));
    }
    return fail(ErrorCode::UnexpectedReply, Tr::tr("The sandbox did not say what it ended."),
                cleanedReply(words.join(' ')));
}

bool isInsidePath(const QString &path)
{
    return path.startsWith(QLatin1Char('/')) && !path.endsWith(QLatin1Char('/')) &&
           !path.contains(QChar::Null);
}

/// Hands the bytes of one follow on to the log. Its errors are kept apart: they are ours, not the
/// connection's, and are not worth another try.
class FollowSink final : public LineSink
{
public:
    FollowSink(std::shared_ptr<OutputSink> sink)
        : m_reader(sink->received(Stream::Output), sink->received(Stream::Error))
        , m_sink(std::move(sink))
    {
    }

    QCoro::Task<Result<void>> line(QByteArray text, std::stop_token stop) override
    {
        const Result<QList<OutputChunk>> chunks = m_reader.take(text);
        if (!chunks) {
            co_return fail(chunks.error());
        }
        for (qsizetype i = 0; i < chunks->size(); ++i) {
            const OutputChunk chunk = chunks->at(i);
            const Result<void> written = co_await m_sink->write(chunk, stop);
            if (!written) {
                m_sinkError = written.error();
                co_return fail(written.error());
            }
            m_moved = true;
        }
        co_return Result<void>();
    }

    [[nodiscard]] const FrameReader &reader() const { return m_reader; }
    [[nodiscard]] const std::optional<Error> &sinkError() const { return m_sinkError; }
    [[nodiscard]] bool moved() const { return m_moved; } ///< something new was written

private:
    FrameReader m_reader;
    std::shared_ptr<OutputSink> m_sink;
    std::optional<Error> m_sinkError;
    bool m_moved = false;
};

/// Why a follow that brought no last line counts as failed.
Error cutShort(const FrameReader &reader)
{
    if (!reader.sawFrames() && !reader.noise().isEmpty()) {
        return {ErrorCode::UnexpectedReply,
                Tr::tr("The sandbox answered something that is not understood."), reader.noise()};
    }
    return {ErrorCode::ConnectionLost, Tr::tr("The connection to the sandbox was cut."), {}};
}

qsizetype followTries(const Error &error, const RetryPlan &plan)
{
    const bool nonsense =
        error.code == ErrorCode::DamagedInTransit || error.code == ErrorCode::UnexpectedReply;
    return nonsense ? qMin(nonsenseTries, plan.waits.size()) : furtherTries(error, plan);
}

} // namespace

struct RunnerSandbox::Private
{
    using Self = std::shared_ptr<Private>;

    SandboxId id;
    RunnerFolders folders;
    QStringList keptNames;
    RunnerVerbs verbs;
    QString info;
    QByteArray
        baseline; ///< "PID START" lines; what a command could have changed inside is not used

    [[nodiscard]] QString job(const CommandId &command) const
    {
        return folders.base + QLatin1Char('/') + command.value;
    }
    [[nodiscard]] QString sidePath() const { return freshSidePath(folders.base); }
    [[nodiscard]] QString baselinePath() const
    {
        return folders.base + QStringLiteral("/baseline");
    }
    [[nodiscard]] QStringList startWords(const CommandId &id, const QString &side,
                                         const Command &command) const;

    static QCoro::Task<Result<void>> putRunner(Self d, std::stop_token stop);
    static QCoro::Task<Result<void>> takeBaseline(Self d, std::stop_token stop);
    static QCoro::Task<Result<void>> prepare(Self d, std::stop_token stop);
    static QCoro::Task<Result<void>> start(Self d, CommandId id, Command command,
                                           std::stop_token stop);
    static QCoro::Task<Result<CommandResult>>
    wait(Self d, CommandId id, std::shared_ptr<OutputSink> sink, std::stop_token stop);
    static QCoro::Task<Result<int>> end(Self d, CommandId id, std::chrono::seconds grace,
                                        std::stop_token stop);
    static QCoro::Task<Result<void>> setLimit(Self d, CommandId id, std::chrono::seconds limit,
                                              std::stop_token stop);
    static QCoro::Task<Result<int>> sweep(Self d, std::stop_token stop);
    static QCoro::Task<Result<int>> endAll(Self d, EndScope scope, std::stop_token stop);
};

RunnerSandbox::RunnerSandbox(SandboxId id, std::shared_ptr<SandboxChannel> channel,
                             RunnerFolders folders, QStringList keptNames, RunnerPace pace)
    : d(std::make_shared<Private>())
{
    Q_ASSERT(isRunnerWord(folders.base) && isRunnerWord(folders.work));
    d->id = std::move(id);
    d->folders = std::move(folders);
    d->keptNames = std::move(keptNames);
    d->verbs.channel = std::move(channel);
    d->verbs.pace = std::move(pace);
}

RunnerSandbox::~RunnerSandbox() = default;

// --- the runner itself ---------------------------------------------------------------------------

QCoro::Task<Result<void>> RunnerSandbox::Private::putRunner(Self d, std::stop_token stop)
{
    const Result<QByteArray> script = readFile(QStringLiteral(":/glovebox/runner.sh"));
    if (!script) {
        co_return fail(script.error());
    }
    const QString path = d->folders.base + QStringLiteral("/r") + newId();
    const Result<void> put = co_await putBytes(d->verbs, path, *script, stop);
    if (!put) {
        co_return fail(put.error());
    }
    d->verbs.runner = path;
    const RunnerQuestion question{"info", {}, {"gbx"}, d->verbs.pace.callLimit};
    const Result<QList<QByteArray>> words = co_await ask(d->verbs, question, stop);
    if (!words) {
        co_return fail(words.error());
    }
    if (words->value(1) != "1") {
        co_return fail(ErrorCode::UnexpectedReply,
                       Tr::tr("The sandbox runs another version of the runner."));
    }
    d->info = cleanedReply(words->join(' '));
    co_return Result<void>();
}

QCoro::Task<Result<void>> RunnerSandbox::Private::takeBaseline(Self d, std::stop_token stop)
{
    const RunnerQuestion question{"baseline", {}, {}, d->verbs.pace.callLimit};
    const Result<QByteArray> text = co_await askText(d->verbs, question, stop);
    if (!text) {
        co_return fail(text.error());
    }
    d->baseline = *text;
    Result<void> put = co_await putBytes(d->verbs, d->baselinePath(), *text, stop);
    co_return put;
}

QCoro::Task<Result<void>> RunnerSandbox::Private::prepare(Self d, std::stop_token stop)
{
    const Result<void> put = co_await putRunner(d, stop);
    if (!put) {
        co_return fail(put.error());
    }
    Result<void> taken = co_await takeBaseline(d, stop);
    co_return taken;
}

QCoro::Task<Result<int>> RunnerSandbox::Private::sweep(Self d, std::stop_token stop)
{
    // Both anew: what runs inside could have changed the runner and the list that spares it.
    const Result<void> fresh = co_await putRunner(d, stop);
    if (!fresh) {
        co_return fail(fresh.error());
    }
    QString list = d->baselinePath();
    if (!d->baseline.isEmpty()) {
        list = d->sidePath();
        const Result<void> put = co_await putBytes(d->verbs, list, d->baseline, stop);
        if (!put) {
            co_return fail(put.error());
        }
    }
    const RunnerQuestion question{
        "sweep", {list, QString::number(sweepGrace)}, {"left", "failed"}, d->verbs.pace.callLimit};
    const Result<QList<QByteArray>> words = co_await ask(d->verbs, question, stop);
    if (!words) {
        co_return fail(words.error());
    }
    co_return readLeft(*words);
}

QCoro::Task<Result<int>> RunnerSandbox::Private::endAll(Self d, EndScope scope,
                                                        std::stop_token stop)
{
    const Result<std::optional<int>> ended = co_await d->verbs.channel->endAll(scope, stop);
    if (!ended) {
        co_return fail(ended.error());
    }
    const bool byChannel = ended->has_value();
    Result<int> left = ended->value_or(0);
    if (!byChannel) {
        left = co_await sweep(d, stop);
    }
    if (!left) {
        co_return left;
    }
    Result<void> fresh;
    if (byChannel) {
        fresh = co_await prepare(d, stop); // even what the backend itself runs is new now
    } else {
        fresh = co_await putRunner(d, stop); // who survived a sweep does not become one of us
    }
    if (!fresh) {
        co_return fail(fresh.error());
    }
    co_return left;
}

// --- commands ------------------------------------------------------------------------------------

QStringList RunnerSandbox::Private::startWords(const CommandId &command, const QString &side,
                                               const Command &what) const
{
    return QStringList{job(command), side, QString::number(what.limit.count()),
                       QString::number(what.outputLimit),
                       what.streams == Streams::Merged ? QStringLiteral("1")
                                                       : QStringLiteral("0")} +
           keptNames;
}

QCoro::Task<Result<void>> RunnerSandbox::Private::start(Self d, CommandId id, Command command,
                                                        std::stop_token stop)
{
    // A side name of its own for each start: a second one never touches what the first one reads.
    const QString side = d->sidePath();
    if (!command.standardInput.isEmpty()) {
        const QString inputPath = side + QStringLiteral(".in");
        const Result<void> input =
            co_await putBytes(d->verbs, inputPath, command.standardInput, stop);
        if (!input) {
            co_return fail(input.error());
        }
    }
    const QString scriptPath = side + QStringLiteral(".sh");
    const QByteArray text = jobScript(command);
    const Result<void> script = co_await putBytes(d->verbs, scriptPath, text, stop);
    if (!script) {
        co_return fail(script.error());
    }
    const RunnerQuestion question{"start",
                                  d->startWords(id, side, command),
                                  {"ok", "again", "failed"},
                                  d->verbs.pace.callLimit};
    const Result<QList<QByteArray>> words = co_await ask(d->verbs, question, stop);
    if (!words) {
        co_return fail(words.error());
    }
    if (words->front() == "failed") {
        co_return fail(ErrorCode::UnexpectedReply,
                       Tr::tr("The sandbox could not start the command."));
    }
    co_return Result<void>();
}

QCoro::Task<Result<CommandResult>> RunnerSandbox::Private::wait(Self d, CommandId id,
                                                                std::shared_ptr<OutputSink> sink,
                                                                std::stop_token stop)
{
    qsizetype failures = 0;
    while (true) {
        const auto turn = std::make_shared<FollowSink>(sink);
        const QStringList words{d->job(id), QString::number(sink->received(Stream::Output)),
                                QString::number(sink->received(Stream::Error))};
        const QByteArray line = d->verbs.line("follow", words);
        Result<void> followed = co_await d->verbs.channel->follow(line, turn, stop);
        if (turn->sinkError()) {
            co_return fail(*turn->sinkError());
        }
        switch (turn->reader().state()) {
        case FrameReader::State::Ended:
            co_return turn->reader().result();
        case FrameReader::State::Lost:
            co_return CommandResult();
        case FrameReader::State::Unknown:
            co_return fail(ErrorCode::NotFound,
                           Tr::tr("This command was never started in the sandbox."));
        case FrameReader::State::Running:
            failures = 0;
            break;
        case FrameReader::State::Open:
            const Error error = followed ? cutShort(turn->reader()) : followed.error();
            failures = turn->moved() ? 0 : failures;
            if (failures >= followTries(error, d->verbs.pace.retries)) {
                co_return fail(error);
            }
            const std::chrono::milliseconds pauseFor = d->verbs.pace.retries.waits.at(failures);
            ++failures;
            const Result<void> paused = co_await pause(pauseFor, stop);
            if (!paused) {
                co_return fail(paused.error());
            }
        }
        if (stop.stop_requested()) {
            co_return fail(cancelledError());
        }
    }
}

QCoro::Task<Result<int>>
RunnerSandbox::Private::end(Self d, CommandId id, std::chrono::seconds grace, std::stop_token stop)
{
    const RunnerQuestion question{"kill",
                                  {d->job(id), QString::number(grace.count())},
                                  {"left"},
                                  d->verbs.pace.callLimit + grace};
    const Result<QList<QByteArray>> words = co_await ask(d->verbs, question, stop);
    if (!words) {
        co_return fail(words.error());
    }
    co_return readLeft(*words);
}

QCoro::Task<Result<void>> RunnerSandbox::Private::setLimit(Self d, CommandId id,
                                                           std::chrono::seconds limit,
                                                           std::stop_token stop)
{
    const RunnerQuestion question{"limit",
                                  {d->job(id), QString::number(limit.count())},
                                  {"ok", "failed"},
                                  d->verbs.pace.callLimit};
    const Result<QList<QByteArray>> words = co_await ask(d->verbs, question, stop);
    if (!words) {
        co_return fail(words.error());
    }
    if (words->front() == "failed") {
        co_return fail(ErrorCode::NotFound,
                       Tr::tr("This command was never started in the sandbox."));
    }
    co_return Result<void>();
}

// --- the interface -------------------------------------------------------------------------------

QCoro::Task<Result<void>> RunnerSandbox::prepare(std::stop_token stop)
{
    return Private::prepare(d, std::move(stop));
}

QCoro::Task<Result<void>> RunnerSandbox::rejoin(std::stop_token stop)
{
    return Private::putRunner(d, std::move(stop));
}

SandboxId RunnerSandbox::id() const
{
    return d->id;
}

QString RunnerSandbox::workFolder() const
{
    return d->folders.work;
}

QString RunnerSandbox::runnerInfo() const
{
    return d->info;
}

QCoro::Task<Result<void>> RunnerSandbox::start(CommandId id, Command command, std::stop_token stop)
{
    const Result<void> checked = checkCommand(command);
    if (!isCommandId(id) || !checked) {
        co_return fail(checked ? Error{ErrorCode::InvalidRequest,
                                       Tr::tr("“%1” cannot name a command.").arg(id.value),
                                       {}}
                               : checked.error());
    }
    Result<void> started = co_await Private::start(d, std::move(id), std::move(command), stop);
    co_return started;
}

QCoro::Task<Result<CommandResult>>
RunnerSandbox::wait(CommandId id, std::shared_ptr<OutputSink> sink, std::stop_token stop)
{
    if (!isCommandId(id)) {
        co_return fail(ErrorCode::InvalidRequest,
                       Tr::tr("“%1” cannot name a command.").arg(id.value));
    }
    Result<CommandResult> result = co_await Private::wait(d, std::move(id), std::move(sink), stop);
    co_return result;
}

QCoro::Task<Result<int>> RunnerSandbox::end(CommandId id, std::chrono::seconds grace,
                                            std::stop_token stop)
{
    if (!isCommandId(id) || grace < std::chrono::seconds(0)) {
        co_return fail(ErrorCode::InvalidRequest,
                       Tr::tr("“%1” cannot name a command.").arg(id.value));
    }
    Result<int> left = co_await Private::end(d, std::move(id), grace, stop);
    co_return left;
}

QCoro::Task<Result<void>> RunnerSandbox::setLimit(CommandId id, std::chrono::seconds limit,
                                                  std::stop_token stop)
{
    if (!isCommandId(id) || limit <= std::chrono::seconds(0)) {
        co_return fail(ErrorCode::InvalidRequest,
                       Tr::tr("A command needs a time limit above zero."));
    }
    Result<void> done = co_await Private::setLimit(d, std::move(id), limit, stop);
    co_return done;
}

QCoro::Task<Result<int>> RunnerSandbox::endAll(EndScope scope, std::stop_token stop)
{
    return Private::endAll(d, scope, std::move(stop));
}

QCoro::Task<Result<void>> RunnerSandbox::upload(Upload upload, std::stop_token stop)
{
    if (!isInsidePath(upload.path)) {
        co_return fail(ErrorCode::InvalidRequest,
                       Tr::tr("“%1” is no absolute path of a file.").arg(upload.path));
    }
    Result<void> done = co_await uploadFile(d->verbs, d->folders.base, std::move(upload), stop);
    co_return done;
}

QCoro::Task<Result<QByteArray>> RunnerSandbox::download(QString path, LocalFile target,
                                                        qint64 maximum, std::stop_token stop)
{
    if (!isInsidePath(path) || maximum < 0) {
        co_return fail(ErrorCode::InvalidRequest,
                       Tr::tr("“%1” is no absolute path of a file.").arg(path));
    }
    if (QFile::exists(target.path)) {
        co_return fail(ErrorCode::AlreadyExists, Tr::tr("%1 exists already.").arg(target.path));
    }
    Result<QByteArray> digest = co_await downloadFile(d->verbs, d->folders.base, std::move(path),
                                                      std::move(target), maximum, stop);
    co_return digest;
}

QCoro::Task<Result<QDateTime>> RunnerSandbox::setDeadline(QDateTime, std::stop_token)
{
    co_return fail(ErrorCode::NotSupported,
                   Tr::tr("This backend cannot change when a sandbox ends."));
}

} // namespace Glovebox
