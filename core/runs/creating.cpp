// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

#include "core/base/deadline.h"
#include "core/base/pause.h"

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Creating)
};

constexpr int createTries = 3;

SandboxSpec specFor(const SharedContext &context, const QString &role, quint16 allowedPort)
{
    SandboxSpec spec = context->run->plan().sandbox;
    spec.labels.insert(QStringLiteral("role"), role);
    spec.labels.insert(QStringLiteral("created"),
                       QString::number(context->clock.now().toSecsSinceEpoch()));
    if (allowedPort != 0) { // an open network is not open to this machine either
        spec.network.allow << HostRule{QStringLiteral("127.0.0.1"), allowedPort};
    }
    return spec;
}

bool mayRetry(ErrorCode code)
{
    return code == ErrorCode::Busy || code == ErrorCode::Unreachable ||
           code == ErrorCode::ConnectionLost;
}

/// A creation whose answer was lost may have worked: it is looked for by its labels first.
QCoro::Task<Result<std::shared_ptr<Sandbox>>> findOrCreate(SharedContext context, SandboxSpec spec,
                                                           std::stop_token stop)
{
    const LabelFilter filter{{QStringLiteral("run"), spec.labels.value(QStringLiteral("run"))},
                             {QStringLiteral("role"), spec.labels.value(QStringLiteral("role"))}};
    const Result<QList<SandboxInfo>> there = co_await context->provider.list(filter, stop);
    if (!there) {
        co_return fail(there.error()); // who cannot look must not make a second one
    }
    if (!there->isEmpty()) {
        const SandboxId id = there->first().id;
        co_return co_await context->provider.attach(id, stop);
    }
    co_return co_await context->provider.create(spec, stop);
}

QCoro::Task<Result<std::shared_ptr<Sandbox>>>
createWithRetries(SharedContext context, SandboxSpec spec, std::stop_token stop)
{
    Result<std::shared_ptr<Sandbox>> made = co_await context->provider.create(spec, stop);
    for (int retry = 1; retry < createTries && !made && mayRetry(made.error().code); ++retry) {
        const std::chrono::milliseconds wait = context->limits.releasePause * retry;
        const Result<void> waited = co_await pause(wait, stop);
        if (!waited) {
            co_return fail(waited.error());
        }
        made = co_await findOrCreate(context, spec, stop);
    }
    co_return made;
}

/// A creation that may be left behind, when its backend does not heed that its time is over.
struct Creation
{
    SandboxRecord record;
    SandboxSpec spec;
    bool answered = false;
    bool left = false;
};
using SharedCreation = std::shared_ptr<Creation>;

/// What a creation still makes after nobody waits for it is deleted at once.
QCoro::Task<Result<std::shared_ptr<Sandbox>>>
createOrDelete(SharedContext context, SharedCreation creation, std::stop_token stop)
{
    const SandboxSpec spec = creation->spec;
    Result<std::shared_ptr<Sandbox>> made = co_await createWithRetries(context, spec, stop);
    creation->answered = true;
    if (creation->left) {
        SandboxRecord row = creation->record;
        row.nativeId = made ? (*made)->id().value : QString();
        context->unanswered.remove(row.key);
        const Result<void> gone = co_await destroyByRow(context, row);
        Q_UNUSED(gone); // the ledger has it, and the next start sweeps it
    }
    co_return made;
}

QCoro::Task<Result<std::shared_ptr<Sandbox>>>
createInTime(SharedContext context, SharedCreation creation, std::stop_token stop)
{
    const LimitedCall<std::shared_ptr<Sandbox>> call = [context, creation](std::stop_token token) {
        return createOrDelete(context, creation, token);
    };
    const std::chrono::milliseconds most =
        context->limits.create * (creation->spec.image.isEmpty() ? 1 : 3);
    const TimeLimit limit{most,
                          Tr::tr("%1 did not make the sandbox within %2. Ask the doctor whether it "
                                 "answers (glovebox-cli doctor), then run the task again.")
                              .arg(context->provider.info().name, limitText(most)),
                          context->limits.patience};
    Result<std::shared_ptr<Sandbox>> made =
        co_await withinLimit<std::shared_ptr<Sandbox>>(call, limit, stop);
    if (!creation->answered) {
        creation->left = true;
        context->unanswered.insert(creation->record.key);
    }
    co_return made;
}

QCoro::Task<Result<std::shared_ptr<Sandbox>>> attachTo(SharedContext context, SandboxId id,
                                                       std::stop_token stop)
{
    co_return co_await context->provider.attach(id, stop);
}

} // namespace

QCoro::Task<Result<void>> attachWork(SharedContext context, SandboxRecord row)
{
    const LimitedCall<std::shared_ptr<Sandbox>> call = [context, row](std::stop_token stop) {
        return attachTo(context, SandboxId{row.provider, row.nativeId}, stop);
    };
    const std::chrono::milliseconds most = context->limits.create;
    const TimeLimit limit{most,
                          Tr::tr("%1 did not give access to the sandbox within %2.")
                              .arg(context->provider.info().name, limitText(most)),
                          context->limits.patience};
    const std::stop_token own;
    const Result<std::shared_ptr<Sandbox>> attached =
        co_await withinLimit<std::shared_ptr<Sandbox>>(call, limit, own);
    if (!attached) {
        co_return fail(attached.error());
    }
    context->work = RunSandbox{row.key, row.role, *attached,
                               (*attached)->workFolder() + QStringLiteral("/repo")};
    co_return Result<void>();
}

QCoro::Task<tl::expected<RunSandbox, RunEnd>>
createSandbox(SharedContext context, QString role, quint16 allowedPort, std::stop_token stop)
{
    const SandboxSpec spec = specFor(context, role, allowedPort);
    SandboxRecord record;
    record.key = context->run->id() + QLatin1Char('-') + role;
    record.run = context->run->id();
    record.role = role;
    record.provider = context->run->plan().provider;
    record.policyDigest = QString::fromLatin1(context->run->plan().policy.digest);
    record.deadline = context->clock.now().addSecs(spec.lifetime.count());
    const Result<void> planned = context->store.insertSandbox(record);
    if (!planned) {
        co_return endWith(Outcome::SandboxError, planned.error());
    }
    const auto creation = std::make_shared<Creation>();
    creation->record = record;
    creation->spec = spec;
    const Result<std::shared_ptr<Sandbox>> made = co_await createInTime(context, creation, stop);
    if (!made) {
        co_return endWith(Outcome::SandboxError, made.error());
    }
    const Result<void> live = context->store.setSandboxLive(record.key, (*made)->id().value);
    RunSandbox sandbox{record.key, role, *made, (*made)->workFolder() + QStringLiteral("/repo")};
    if (!live) {
        co_return endWith(Outcome::SandboxError, live.error());
    }
    const Result<void> said = context->log->line(
        Tr::tr("Sandbox %1 on %2: %3").arg(role, record.provider, (*made)->runnerInfo()));
    if (!said) {
        co_return endWith(Outcome::SandboxError, said.error());
    }
    co_return sandbox;
}

QCoro::Task<Step> creatingAndProving(SharedContext context, std::stop_token stop)
{
    Step step = enter(context, RunPhase::Creating);
    if (!step) {
        co_return step;
    }
    std::shared_ptr<CanaryListener> listener;
    if (hasListener(context)) {
        Result<std::unique_ptr<CanaryListener>> opened = CanaryListener::open();
        if (!opened) {
            co_return endWith(Outcome::SandboxError, opened.error());
        }
        listener = std::move(*opened);
    }
    const quint16 port = listener ? listener->allowedPort() : 0;
    const QString role = QStringLiteral("work");
    QCoro::Task<tl::expected<RunSandbox, RunEnd>> making = createSandbox(context, role, port, stop);
    const bool clean = context->run->plan().verifyIn == VerifyIn::Clean;
    if (clean && !context->provider.info().capabilities.billed) {
        startVerifySandbox(context, stop); // ready when the agent is
    }
    const tl::expected<RunSandbox, RunEnd> made = co_await making;
    if (!made) {
        co_return tl::unexpected<RunEnd>(made.error());
    }
    context->work = *made;
    step = enter(context, RunPhase::Proving);
    if (!step) {
        co_return step;
    }
    co_return co_await proveSandbox(context, *made, listener, stop);
}

} // namespace Glovebox
