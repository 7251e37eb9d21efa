// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// Also run under ThreadSanitizer, so the work here reads what it was given and writes what it
// answers, again and again and side by side.
#include "core/base/error.h"
#include "core/base/pool.h"
#include "tests/support/testing.h"

#include <QSemaphore>
#include <QThread>

#include <numeric>
#include <stop_token>
#include <vector>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

QList<int> numbers(int count)
{
    QList<int> list(count);
    std::iota(list.begin(), list.end(), 1);
    return list;
}

QCoro::Task<int> sumOf(QList<int> list)
{
    auto work = [list] {
        return std::accumulate(list.begin(), list.end(), 0);
    };
    const int sum = co_await runInPool(work);
    co_return sum;
}

/// Shows how many copies of it live.
struct Counted
{
    explicit Counted(std::shared_ptr<int> mark)
        : m_mark(std::move(mark))
    {
    }
    std::shared_ptr<int> m_mark;
};

} // namespace

class PoolTest final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void worksElsewhereAndAnswersHere();
    void valuesGoInAndOut();
    void manySideBySide();
    void errorsAreValues();
    void stops();
    void aDroppedTaskEndsWell();
};

void PoolTest::worksElsewhereAndAnswersHere()
{
    const auto id = QThread::currentThreadId();
    const bool elsewhere = await(runInPool([id] { return QThread::currentThreadId() != id; }));
    QVERIFY(elsewhere);
    QCOMPARE(QThread::currentThreadId(), id);
}

void PoolTest::valuesGoInAndOut()
{
    for (int round = 0; round < 50; ++round) {
        QList<int> list = numbers(100 + round);
        const QList<int> doubled = await(runInPool([list] {
            QList<int> copy = list;
            for (int &value : copy) {
                value *= 2;
            }
            return copy;
        }));
        list[0] = 7; // the work had a copy of its own
        QCOMPARE(doubled.first(), 2);
        QCOMPARE(doubled.last(), 2 * list.last());
    }
}

void PoolTest::manySideBySide()
{
    std::vector<QCoro::Task<int>> tasks;
    for (int i = 1; i <= 200; ++i) {
        tasks.push_back(sumOf(numbers(i)));
    }
    for (int i = 1; i <= 200; ++i) {
        QCOMPARE(await(std::move(tasks[i - 1])), i * (i + 1) / 2);
    }
}

void PoolTest::errorsAreValues()
{
    const Result<int> result = await(runInPool(
        []() -> Result<int> { return fail(ErrorCode::InvalidRequest, QStringLiteral("No.")); }));
    QCOMPARE(result.error().code, ErrorCode::InvalidRequest);
}

void PoolTest::stops()
{
    std::stop_source source;
    QSemaphore running;
    auto task = runInPool([token = source.get_token(), &running] {
        running.release();
        while (!token.stop_requested()) {
            QThread::yieldCurrentThread();
        }
        return true;
    });
    running.acquire();
    source.request_stop();
    QVERIFY(await(std::move(task)));
}

void PoolTest::aDroppedTaskEndsWell()
{
    const auto mark = std::make_shared<int>(1);
    QSemaphore running;
    QSemaphore mayEnd;
    {
        const auto dropped = runInPool([counted = Counted(mark), &running, &mayEnd] {
            running.release();
            mayEnd.acquire();
            return *counted.m_mark;
        });
        running.acquire();
    }
    mayEnd.release();
    QTRY_COMPARE(mark.use_count(), 1L);
}

QTEST_GUILESS_MAIN(PoolTest)
#include "tst_pool.moc"
