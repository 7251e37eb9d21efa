// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/deadline.h"
#include "core/base/pause.h"
#include "tests/support/testing.h"

#include <QElapsedTimer>

using namespace Glovebox;
using namespace Glovebox::Testing;

using namespace std::chrono_literals;

namespace {

/// Answers a number after a while, or Cancelled.
QCoro::Task<Result<int>> numberAfter(std::chrono::milliseconds time, std::stop_token stop)
{
    const Result<void> waited = co_await pause(time, stop);
    if (!waited) {
        co_return fail(waited.error());
    }
    co_return 7;
}

QCoro::Task<Result<int>> failsAtOnce()
{
    co_return fail(ErrorCode::Busy, QStringLiteral("busy"));
}

/// Does not heed its token; notes when it is done after all.
QCoro::Task<Result<int>> deaf(std::shared_ptr<std::stop_source> until, std::shared_ptr<bool> done)
{
    const Result<void> waited = co_await pause(1h, until->get_token());
    *done = !waited;
    co_return 7;
}

TimeLimit limitOf(std::chrono::milliseconds time, std::chrono::milliseconds patience = 10s)
{
    return {time, QStringLiteral("too late"), patience};
}

QCoro::Task<Result<int>> numberWithin(std::chrono::milliseconds needs, TimeLimit limit,
                                      std::stop_token stop)
{
    const LimitedCall<int> call = [needs](std::stop_token token) {
        return numberAfter(needs, token);
    };
    co_return co_await withinLimit<int>(call, limit, stop);
}

} // namespace

/// Waiting for something, but not for ever.
class DeadlineTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersInTime();
    void passesErrorsOn();
    void timeIsOver();
    void cancelledBefore();
    void cancelledMeanwhile();
    void deafIsLeftBehind_data();
    void deafIsLeftBehind();
    void aDroppedTaskEndsWell();
    void judgesOnlyWhatTheTimeStopped();
};

void DeadlineTest::answersInTime()
{
    const Result<int> answer = await(numberWithin(1ms, limitOf(1min), {}));
    VERIFY_RESULT(answer);
    QCOMPARE(*answer, 7);
}

void DeadlineTest::passesErrorsOn()
{
    const LimitedCall<int> call = [](const std::stop_token &) {
        return failsAtOnce();
    };
    const Result<int> answer = await(withinLimit<int>(call, limitOf(1min), {}));
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, ErrorCode::Busy);
    QCOMPARE(answer.error().message, QStringLiteral("busy"));
}

void DeadlineTest::timeIsOver()
{
    const Result<int> answer = await(numberWithin(1h, limitOf(20ms), {}));
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, ErrorCode::TimedOut);
    QCOMPARE(answer.error().message, QStringLiteral("too late"));
}

void DeadlineTest::cancelledBefore()
{
    std::stop_source stop;
    stop.request_stop();
    const Result<int> answer = await(numberWithin(1h, limitOf(1min), stop.get_token()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, ErrorCode::Cancelled);
}

void DeadlineTest::cancelledMeanwhile()
{
    std::stop_source stop;
    QTimer::singleShot(20ms, this, [&stop] { stop.request_stop(); });
    const Result<int> answer = await(numberWithin(1h, limitOf(1min), stop.get_token()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, ErrorCode::Cancelled);
}

void DeadlineTest::deafIsLeftBehind_data()
{
    QTest::addColumn<bool>("cancelled");
    QTest::addColumn<ErrorCode>("code");
    QTest::newRow("by the time") << false << ErrorCode::TimedOut;
    QTest::newRow("by the user") << true << ErrorCode::Cancelled;
}

void DeadlineTest::deafIsLeftBehind()
{
    QFETCH(bool, cancelled);
    QFETCH(ErrorCode, code);
    const auto until = std::make_shared<std::stop_source>();
    const auto done = std::make_shared<bool>(false);
    const LimitedCall<int> call = [until, done](const std::stop_token &) {
        return deaf(until, done);
    };
    std::stop_source stop;
    if (cancelled) {
        QTimer::singleShot(5ms, this, [&stop] { stop.request_stop(); });
    }
    const std::chrono::milliseconds time = cancelled ? 1min : 5ms;
    const Result<int> answer = await(withinLimit<int>(call, limitOf(time, 20ms), stop.get_token()));
    QVERIFY(!answer);
    QCOMPARE(answer.error().code, code);
    QVERIFY(!*done);
    until->request_stop(); // it goes on by itself, and ends well
    QTRY_VERIFY(*done);
    QTRY_COMPARE(done.use_count(), 2L); // ours and the call's: its frame is gone
}

void DeadlineTest::aDroppedTaskEndsWell()
{
    const auto until = std::make_shared<std::stop_source>();
    const auto done = std::make_shared<bool>(false);
    {
        const LimitedCall<int> call = [until, done](const std::stop_token &) {
            return deaf(until, done);
        };
        const QCoro::Task<Result<int>> dropped = withinLimit<int>(call, limitOf(1min), {});
    }
    until->request_stop();
    QTRY_COMPARE(done.use_count(), 1L);
    QVERIFY(*done);
}

void DeadlineTest::judgesOnlyWhatTheTimeStopped()
{
    const Deadline deadline(5ms, {});
    QVERIFY(!deadline.isOver());
    QTRY_VERIFY(deadline.isOver());
    QVERIFY(deadline.token().stop_requested());
    const QString message = QStringLiteral("too late");
    const Result<int> good = deadline.judge<int>(7, message);
    VERIFY_RESULT(good);
    const Result<int> other = fail(ErrorCode::DiskFull, QStringLiteral("full"));
    QCOMPARE(deadline.judge(other, message).error().code, ErrorCode::DiskFull);
    const Result<int> stopped = fail(cancelledError());
    QCOMPARE(deadline.judge(stopped, message).error().code, ErrorCode::TimedOut);
}

QTEST_GUILESS_MAIN(DeadlineTest)
#include "tst_deadline.moc"
