// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/sandbox/channel.h"

namespace Glovebox {

namespace {

// The runner answers at once when there is news, so this is only how long a quiet call lasts. So
// many bytes make less than 1 MiB of text, as hex too.
constexpr char turn[] = " 5 393216";
constexpr std::chrono::seconds turnLimit{45};

} // namespace

QCoro::Task<Result<void>> SandboxChannel::follow(QByteArray line, std::shared_ptr<LineSink> sink,
                                                 std::stop_token stop)
{
    const Result<QByteArray> answer = co_await call(line + turn, turnLimit, stop);
    if (!answer) {
        co_return fail(answer.error());
    }
    for (qsizetype begin = 0; begin < answer->size();) {
        const qsizetype found = answer->indexOf('\n', begin);
        const qsizetype end = found < 0 ? answer->size() : found;
        const QByteArray text = answer->mid(begin, end - begin);
        const Result<void> taken = co_await sink->line(text, stop);
        if (!taken) {
            co_return fail(taken.error());
        }
        begin = end + 1;
    }
    co_return Result<void>();
}

QCoro::Task<Result<std::optional<int>>> SandboxChannel::endAll(EndScope, std::stop_token)
{
    co_return std::optional<int>();
}

} // namespace Glovebox
