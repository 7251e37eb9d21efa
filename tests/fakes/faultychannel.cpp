// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/files.h"
#include "core/base/pause.h"
#include "tests/fakes/folderprovider.h"

#include <QDir>
#include <QFileInfo>

namespace Glovebox::Testing {

namespace {

constexpr qsizetype largestAnswer = 1024 * 1024;

QByteArray fromOctal(const QByteArray &digits)
{
    QByteArray bytes;
    for (qsizetype i = 0; i + 3 <= digits.size(); i += 3) {
        bytes += static_cast<char>(digits.mid(i, 3).toInt(nullptr, 8));
    }
    return bytes;
}

/// Frames of standard output in which NULs became blanks.
QByteArray withoutNuls(const QByteArray &answer)
{
    QByteArrayList lines = answer.split('\n');
    for (QByteArray &line : lines) {
        QByteArrayList words = line.split(' ');
        if (words.front() == "o" && words.size() == 3) {
            words[2] = QByteArray::fromBase64(words.at(2)).replace('\0', ' ').toBase64();
            line = words.join(' ');
        }
    }
    return lines.join('\n');
}

void changeScript(QByteArray &script, const QByteArray &from, const QByteArray &to)
{
    if (!script.contains(from)) {
        qFatal("the runner has changed: nothing to break any more");
    }
    script.replace(from, to);
}

} // namespace

FaultyChannel::FaultyChannel(std::shared_ptr<FolderService> service, const QString &id)
    : FolderChannel(service->folder(id), {}, service->neighbours())
    , m_service(std::move(service))
    , m_id(id)
{
}

FaultyChannel::~FaultyChannel()
{
    if (breaks("C08")) {
        endProcessesOfFolder(m_service->folder(m_id));
    }
}

std::optional<Error> FaultyChannel::admit(const QString &what) const
{
    const int refusal = m_service->admitCall(m_id, what);
    if (refusal < 0) {
        return Error{ErrorCode::ConnectionLost, QStringLiteral("The connection was reset."), {}};
    }
    if (refusal > 0) {
        return Error{ErrorCode::SandboxGone, QStringLiteral("The sandbox is gone."), {}};
    }
    return std::nullopt;
}

// sh RUNNER start JOB SIDE SECONDS CAP MERGE KEEP… · sh RUNNER follow JOB OUT ERR SECONDS MOST
QByteArray FaultyChannel::breakLine(const QByteArray &line)
{
    QByteArrayList words = line.split(' ');
    const QByteArray verb = words.at(2);
    if (verb == "start") {
        words[7] = breaks("C02") ? QByteArray("1") : words.at(7);
        words[6] = breaks("C11") ? QByteArray("1000000000000") : words.at(6);
        if (breaks("C04")) {
            words.append("GLOVEBOX_FOLDER");
        }
        if (breaks("C07")) {
            QDir(QString::fromLatin1(words.at(3))).removeRecursively();
        }
    }
    if (verb == "follow") {
        if (breaks("C17") && m_following >= 10) {
            std::swap(words[3], m_otherJob);
        }
        m_otherJob = words.at(3);
        if (breaks("C09") && m_wasCut && words.at(4) != "0") {
            words[4] = QByteArray::number(words.at(4).toLongLong() + 1);
        }
    }
    if (verb == "place" && breaks("C19")) {
        QFile::copy(QString::fromLatin1(words.at(3)), QString::fromUtf8(fromOctal(words.at(4))));
    }
    return words.join(' ');
}

QByteArray FaultyChannel::breakAnswer(const QByteArray &verb, QByteArray answer)
{
    if (verb != "follow") {
        return answer;
    }
    if (breaks("C01")) {
        answer.replace("s exit 7 ", "s exit 8 ");
    }
    if (breaks("C03")) {
        answer = withoutNuls(answer);
    }
    if (breaks("C12")) {
        m_queue.append(answer);
    }
    if (breaks("C22") && m_service->answersLate()) {
        std::swap(answer, m_lastAnswer);
    }
    return answer;
}

QByteArray FaultyChannel::breakFile(const QString &path, QByteArray bytes) const
{
    const QString name = QFileInfo(path).fileName();
    if (name.startsWith(u'r')) {
        if (breaks("C13")) {
            changeScript(bytes, "reap targets \"$1\" 5 >/dev/null",
                         "read -r p _ <\"$1/pid\"; kill -KILL \"$p\"");
        } else if (breaks("C14")) {
            changeScript(bytes, "reap targets \"$1\" \"${2:-5}\"",
                         "read -r p _ <\"$1/pid\"; kill -KILL \"$p\"; echo left 0");
        } else if (breaks("C20")) {
            changeScript(bytes, "[ -L \"$path\" ]", "[ -L / ]");
        } else if (breaks("C21")) {
            changeScript(bytes, "path=${path%.}", "path=${path%.} path=${path%% *}");
        }
    } else if (name.endsWith(QStringLiteral(".sh"))) {
        if (breaks("C05")) {
            bytes.replace(" || exit 125", " || cd /");
        } else if (breaks("C41")) {
            qWarning("putting %s", bytes.constData());
        }
    } else if (name.endsWith(QStringLiteral(".in"))) {
        bytes.chop(breaks("C06") ? 1 : 0);
    } else if (name.startsWith(u's')) {
        if (m_service->damagesUploads()) {
            bytes.append('?');
        }
        if (breaks("C18") && bytes.size() > largestAnswer) {
            bytes.truncate(64 * 1024);
        }
    }
    return bytes;
}

QCoro::Task<Result<QByteArray>> FaultyChannel::call(QByteArray line, std::chrono::seconds limit,
                                                    std::stop_token stop)
{
    const auto refusal = admit(QString::fromLatin1(line));
    if (refusal && refusal->code == ErrorCode::SandboxGone && breaks("C31")) {
        co_return QByteArray();
    }
    if (refusal) {
        co_return fail(*refusal);
    }
    const QByteArray verb = line.split(' ').at(2);
    const bool follows = verb == "follow";
    const QByteArray sent = breakLine(line);
    m_following += follows ? 1 : 0;
    std::stop_token heeded = follows && breaks("C16") ? std::stop_token() : stop;
    const Result<QByteArray> answer = co_await FolderChannel::call(sent, limit, heeded);
    m_following -= follows ? 1 : 0;
    if (!answer) {
        co_return fail(answer.error());
    }
    QByteArray text = breakAnswer(verb, *answer);
    if (m_service->answersLate()) { // the first of three waits longest
        const std::chrono::milliseconds wait((2 - m_late++ % 3) * 60);
        const Result<void> paused = co_await pause(wait, stop);
        if (!paused) {
            co_return fail(paused.error());
        }
    }
    text = m_service->onTheWay(text);
    if (text.size() > largestAnswer) {
        co_return fail(ErrorCode::UnexpectedReply, QStringLiteral("The answer is too long."));
    }
    co_return text;
}

QCoro::Task<Result<void>> FaultyChannel::follow(QByteArray line, std::shared_ptr<LineSink> sink,
                                                std::stop_token stop)
{
    Result<void> done = co_await SandboxChannel::follow(line, sink, stop);
    m_wasCut = m_wasCut || stop.stop_requested();
    co_return done;
}

QCoro::Task<Result<void>> FaultyChannel::put(QString path, LocalFile source, std::stop_token stop)
{
    const auto refusal = admit(QStringLiteral("put ") + path);
    if (refusal) {
        co_return fail(*refusal);
    }
    if (QFileInfo(source.path).size() > 16 * 1024 * 1024 && !breaks("C18")) {
        Result<void> done = co_await FolderChannel::put(path, source, stop);
        co_return done;
    }
    const Result<QByteArray> bytes = readFile(source.path, 1024 * 1024 * 1024);
    if (!bytes) {
        co_return fail(bytes.error());
    }
    co_return writeFile(path, breakFile(path, *bytes));
}

QCoro::Task<Result<void>> FaultyChannel::get(QString path, LocalFile target, qint64 maximum,
                                             std::stop_token stop)
{
    const auto refusal = admit(QStringLiteral("get ") + path);
    if (refusal) {
        co_return fail(*refusal);
    }
    Result<void> done = co_await FolderChannel::get(path, target, maximum, stop);
    co_return done;
}

QCoro::Task<Result<std::optional<int>>> FaultyChannel::endAll(EndScope scope, std::stop_token stop)
{
    if (breaks("C15")) {
        co_return std::optional(0);
    }
    Result<std::optional<int>> left = co_await FolderChannel::endAll(scope, stop);
    co_return left;
}

} // namespace Glovebox::Testing
