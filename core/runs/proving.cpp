// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/phases.h"

#include "core/base/files.h"
#include "core/base/ids.h"
#include "core/base/pool.h"
#include "core/checks/canaries.h"

#include <QHostInfo>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Proving)
};

const QString allowedListener = QStringLiteral("allowed-listener");
const QString forbiddenListener = QStringLiteral("forbidden-listener");
const QString forbiddenName = QStringLiteral("forbidden-name");
const QString allowedName = QStringLiteral("allowed-name");

/// What is tried in one sandbox.
struct Canaries
{
    QByteArray nonce = newId().toLatin1();
    QList<CanaryTarget> targets;
    QString allowedHost;
    QString forbiddenHost;
};

QString urlOf(const HostRule &rule)
{
    const bool plain = rule.port && *rule.port != 443;
    return plain ? QStringLiteral("http://%1:%2/").arg(rule.host).arg(*rule.port)
                 : QStringLiteral("https://%1/").arg(rule.host);
}

bool isPublicName(const HostRule &rule)
{
    return !rule.host.contains(QLatin1Char('*')) && !rule.host.contains(QLatin1Char('/')) &&
           rule.host.contains(QLatin1Char('.')) && QHostAddress(rule.host).isNull();
}

QString nameNotIn(const NetworkPolicy &policy)
{
    for (const char *name : {"example.com", "example.org", "example.net"}) {
        const QString candidate = QString::fromLatin1(name);
        const auto mentions = [&candidate](const HostRule &rule) {
            return rule.host.endsWith(candidate);
        };
        if (std::none_of(policy.allow.cbegin(), policy.allow.cend(), mentions)) {
            return candidate;
        }
    }
    return {};
}

Canaries plannedCanaries(const NetworkPolicy &policy, const CanaryListener *listener)
{
    Canaries canaries;
    const auto local = [&canaries](quint16 port) {
        return QStringLiteral("http://127.0.0.1:%1/%2")
            .arg(port)
            .arg(QString::fromLatin1(canaries.nonce));
    };
    if (listener) {
        canaries.targets << CanaryTarget{allowedListener, local(listener->allowedPort())};
        canaries.targets << CanaryTarget{forbiddenListener, local(listener->forbiddenPort())};
        // By name too: a policy that lists localhost lets that through where the number is refused.
        canaries.targets << CanaryTarget{QStringLiteral("forbidden-localhost"),
                                         QStringLiteral("http://localhost:%1/%2")
                                             .arg(listener->forbiddenPort())
                                             .arg(QString::fromLatin1(canaries.nonce))};
    }
    if (!policy.open) {
        canaries.forbiddenHost = nameNotIn(policy);
        if (!canaries.forbiddenHost.isEmpty()) {
            canaries.targets << CanaryTarget{
                forbiddenName, QStringLiteral("https://%1/").arg(canaries.forbiddenHost)};
        }
    }
    const auto allowed = std::find_if(policy.allow.cbegin(), policy.allow.cend(), isPublicName);
    if (allowed != policy.allow.cend()) {
        canaries.allowedHost = allowed->host;
        canaries.targets << CanaryTarget{allowedName, urlOf(*allowed)};
    }
    return canaries;
}

ProofRecord proofOf(const QString &canary, const QString &expected, const QString &seen,
                    bool passed)
{
    ProofRecord proof;
    proof.canary = canary;
    proof.expected = expected;
    proof.seen = seen;
    proof.passed = passed;
    return proof;
}

ProofRecord notTried(const QString &canary, const QString &expected, const QString &why)
{
    ProofRecord proof = proofOf(canary, expected, why, true);
    proof.tried = false;
    return proof;
}

QList<ProofRecord> listenerProofs(const Canaries &canaries, const CanaryListener &listener)
{
    const bool heard = listener.heardOnAllowed(canaries.nonce);
    const bool leaked = listener.heardOnForbidden(canaries.nonce);
    return {proofOf(allowedListener, Tr::tr("reached"),
                    heard ? Tr::tr("reached") : Tr::tr("not reached"), heard),
            proofOf(forbiddenListener, Tr::tr("not reached"),
                    leaked ? Tr::tr("reached") : Tr::tr("not reached"), !leaked)};
}

QList<ProofRecord> nameProofs(const Canaries &canaries, const QHash<QString, CanaryAnswer> &answers,
                              bool allowedResolves)
{
    QList<ProofRecord> proofs;
    if (!canaries.forbiddenHost.isEmpty()) {
        const CanaryAnswer seen = answers.value(forbiddenName, CanaryAnswer::NoClient);
        const QString expected = Tr::tr("%1 refused").arg(canaries.forbiddenHost);
        proofs << (seen == CanaryAnswer::NoClient
                       ? notTried(forbiddenName, expected, Tr::tr("no program inside could try"))
                       : proofOf(forbiddenName, expected,
                                 seen == CanaryAnswer::Refused ? Tr::tr("refused")
                                                               : Tr::tr("let through"),
                                 seen == CanaryAnswer::Refused));
    }
    if (!canaries.allowedHost.isEmpty()) {
        const CanaryAnswer seen = answers.value(allowedName, CanaryAnswer::NoClient);
        const QString expected = Tr::tr("%1 reached").arg(canaries.allowedHost);
        if (seen == CanaryAnswer::Answered) {
            proofs << proofOf(allowedName, expected, Tr::tr("reached"), true);
        } else if (seen == CanaryAnswer::NoClient || !allowedResolves) {
            proofs << notTried(allowedName, expected, Tr::tr("this machine is offline"));
        } else {
            proofs << proofOf(allowedName, expected, Tr::tr("not reached"), false);
        }
    }
    return proofs;
}

QStringList expectedNames(const SharedContext &context)
{
    QStringList names = context->provider.info().keptNames;
    for (const PlanVariable &variable : context->run->plan().variables) {
        names << variable.name;
    }
    return names << QStringLiteral("GLOVEBOX_JOB");
}

/// The second sandbox is proven after the agent's work: that is told apart.
QString doesNotHold(const QString &role, const QStringList &missed)
{
    const QString all = missed.join(QStringLiteral("; "));
    return role == QLatin1String("work")
               ? Tr::tr("The boundary does not hold (%1), so the agent wasn't started.").arg(all)
               : Tr::tr("The boundary of the sandbox for the checks does not hold (%1), so nothing "
                        "was checked.")
                     .arg(all);
}

Step record(const SharedContext &context, const QString &role, const QList<ProofRecord> &proofs)
{
    QStringList missed;
    for (const ProofRecord &proof : proofs) {
        const Result<void> stored = context->store.insertProof(
            context->run->id(), context->run->plan().provider,
            QString::fromLatin1(context->run->plan().policy.digest), proof);
        if (!stored) {
            return endWith(Outcome::SandboxError, stored.error());
        }
        context->run->addProof(proof);
        const Result<void> said = context->log->line(
            Tr::tr("%1: %2, expected: %3").arg(proof.canary, proof.seen, proof.expected));
        if (!said) {
            return endWith(Outcome::SandboxError, said.error());
        }
        if (!proof.passed) {
            missed
                << Tr::tr("%1: expected %2, seen %3").arg(proof.canary, proof.expected, proof.seen);
        }
    }
    if (missed.isEmpty()) {
        return {};
    }
    return endWith(Outcome::BoundaryNotEnforced, ErrorCode::PolicyNotEnforceable,
                   doesNotHold(role, missed));
}

QCoro::Task<Result<QByteArray>> outputOf(SharedContext context, RunSandbox sandbox, QString script,
                                         std::stop_token stop)
{
    InsideRequest request;
    request.sandbox = sandbox;
    request.purpose = QStringLiteral("canary");
    request.command = shellCommand(script, sandbox.sandbox->workFolder(), context->limits.canary);
    if (sandbox.role == QLatin1String("work")) {
        request.command.environment = context->agentEnvironment;
    }
    const Result<FinishedCommand> finished = co_await runInside(context, request, stop);
    if (!finished) {
        co_return fail(finished.error());
    }
    co_return readFile(finished->outputFile, 1024LL * 1024);
}

} // namespace

bool hasListener(const SharedContext &context)
{
    return context->provider.info().capabilities.isolation != Capabilities::Isolation::Remote;
}

QCoro::Task<Step> proveSandbox(SharedContext context, RunSandbox sandbox,
                               std::shared_ptr<CanaryListener> listener, std::stop_token stop)
{
    const NetworkPolicy policy = context->run->plan().sandbox.network;
    const Canaries canaries = plannedCanaries(policy, listener.get());
    // One command for both: each costs a start inside.
    const QString script = canaryScript(canaries.targets) + variableNamesScript();
    const Result<QByteArray> seen = co_await outputOf(context, sandbox, script, stop);
    if (!seen) {
        co_return endWith(Outcome::SandboxError, seen.error());
    }
    const QString host = canaries.allowedHost;
    const auto resolve = [host] {
        return !host.isEmpty() && QHostInfo::fromName(host).error() == QHostInfo::NoError;
    };
    const bool resolves = co_await runInPool(resolve);
    QList<ProofRecord> proofs;
    if (listener) {
        proofs << listenerProofs(canaries, *listener);
    }
    proofs << nameProofs(canaries, readCanaryAnswers(*seen), resolves);
    const QStringList secrets = unexpectedSecrets(*seen, expectedNames(context));
    const bool readable = seen->contains("\nPATH\n") || seen->startsWith("PATH\n");
    proofs << proofOf(QStringLiteral("secrets"), Tr::tr("only the planned variables"),
                      !readable           ? Tr::tr("the variables could not be read")
                      : secrets.isEmpty() ? Tr::tr("only the planned variables")
                                          : secrets.join(QStringLiteral(", ")),
                      readable && secrets.isEmpty());
    co_return record(context, sandbox.role, proofs);
}

QCoro::Task<Step> closeListenerPort(SharedContext context, RunSandbox sandbox, std::stop_token stop)
{
    if (!hasListener(context) || !sandbox.sandbox->liveNetwork()) {
        co_return Step();
    }
    const NetworkPolicy policy = context->run->plan().sandbox.network;
    const Result<void> closed = co_await sandbox.sandbox->liveNetwork()->replace(policy, stop);
    if (!closed) {
        co_return endWith(Outcome::SandboxError, closed.error());
    }
    co_return Step();
}

} // namespace Glovebox
