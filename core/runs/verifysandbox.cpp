// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

namespace Glovebox {

namespace {

QCoro::Task<tl::expected<RunSandbox, RunEnd>> makeVerifySandbox(SharedContext context,
                                                                std::stop_token stop)
{
    std::shared_ptr<CanaryListener> listener;
    if (hasListener(context)) {
        Result<std::unique_ptr<CanaryListener>> opened = CanaryListener::open();
        if (!opened) {
            co_return endWith(Outcome::SandboxError, opened.error());
        }
        listener = std::move(*opened);
    }
    const QString role = QStringLiteral("verify");
    const quint16 port = listener ? listener->allowedPort() : 0;
    const tl::expected<RunSandbox, RunEnd> made = co_await createSandbox(context, role, port, stop);
    if (!made) {
        co_return tl::unexpected<RunEnd>(made.error());
    }
    context->verify = *made;
    const Step proven = co_await proveSandbox(context, *made, listener, stop);
    if (!proven) {
        co_return tl::unexpected<RunEnd>(proven.error());
    }
    QCoro::Task<Step> closing = closeListenerPort(context, *made, stop);
    const Step put = co_await putBaseBundle(context, *made, stop);
    const Step closed = co_await closing;
    for (const Step &step : {put, closed}) {
        if (!step) {
            co_return tl::unexpected<RunEnd>(step.error());
        }
    }
    co_return *made;
}

} // namespace

void startVerifySandbox(SharedContext context, std::stop_token stop)
{
    context->verifying.emplace(makeVerifySandbox(context, stop));
}

QCoro::Task<tl::expected<RunSandbox, RunEnd>> takeVerifySandbox(SharedContext context,
                                                                std::stop_token stop)
{
    if (!context->verifying) {
        startVerifySandbox(context, stop);
    }
    tl::expected<RunSandbox, RunEnd> made = co_await *context->verifying;
    context->verifying.reset();
    co_return made;
}

QCoro::Task<std::optional<RunSandbox>> leaveVerifySandbox(SharedContext context)
{
    if (context->verifying) {
        const std::stop_token own;
        const tl::expected<RunSandbox, RunEnd> made = co_await takeVerifySandbox(context, own);
        Q_UNUSED(made); // whatever came of it is in context->verify
    }
    co_return std::exchange(context->verify, std::nullopt);
}

} // namespace Glovebox
