// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fakes/folderprovider.h"
#include "tests/fakes/policyproxy.h"

namespace Glovebox::Testing {

/// What goes wrong between a run and its backend; all of it may be changed while a run goes on.
struct Faults
{
    /// Asked before each call: verb (create attach list destroy start wait end endall upload
    /// download network ready) and what it is about (a role, an argv, a command's argv, a path).
    /// An error is what the call answers, without having done anything.
    std::function<std::optional<Error>(const QString &verb, const QString &what)> before;
    /// The same after it was done: the answer is lost.
    std::function<std::optional<Error>(const QString &verb, const QString &what)> after;
    /// Calls of the provider that do not answer until their token stops.
    std::function<bool(const QString &verb, const QString &what)> hangs;
    /// Those don't heed their token either, but go on when this is stopped.
    std::optional<std::stop_source> deafUntil;
    /// How a command ended, instead of what was seen. By its argv.
    std::function<std::optional<CommandResult>(const QString &what)> result;
    /// Survivors that endAll() reports.
    int survivors = 0;
    PolicyProxy::Mode proxy = PolicyProxy::Mode::Honest;
    QHash<QString, PolicyProxy::Mode> proxyOf; ///< by role, where one is unlike the others
    /// More variables in every command.
    QList<EnvironmentVariable> environment;
    QList<EgressEntry> egress;
};

/// FolderProvider with a network that can be proven (PolicyProxy), and with faults on demand.
class FaultProvider final : public SandboxProvider
{
public:
    explicit FaultProvider(std::shared_ptr<FolderService> service);

    [[nodiscard]] Faults &faults() { return *m_faults; }
    [[nodiscard]] Capabilities &capabilities() { return m_info.capabilities; }
    void setStrength(CompiledPolicy::Strength strength) { m_strength = strength; }
    /// What was asked: "create work", "start sh -c …".
    [[nodiscard]] const QStringList &calls() const { return *m_calls; }
    [[nodiscard]] int count(const QString &prefix) const;
    /// The policy that the newest sandbox has now.
    [[nodiscard]] NetworkPolicy policyNow() const;

    const ProviderInfo &info() const override { return m_info; }
    CompiledPolicy compile(const NetworkPolicy &policy) const override;
    QList<Problem> validate(const SandboxSpec &spec) const override;
    QCoro::Task<Result<std::shared_ptr<Sandbox>>> create(SandboxSpec spec,
                                                         std::stop_token stop) override;
    QCoro::Task<Result<std::shared_ptr<Sandbox>>> attach(SandboxId id,
                                                         std::stop_token stop) override;
    QCoro::Task<Result<QList<SandboxInfo>>> list(LabelFilter filter, std::stop_token stop) override;
    QCoro::Task<Result<void>> destroy(SandboxId id, std::stop_token stop) override;
    QCoro::Task<Result<QList<Readiness>>> checkReady(std::stop_token stop) override;

private:
    [[nodiscard]] std::shared_ptr<Sandbox> wrap(std::shared_ptr<Sandbox> inner,
                                                const SandboxSpec &spec);
    [[nodiscard]] std::optional<Error> admit(const QString &verb, const QString &what) const;
    [[nodiscard]] static QCoro::Task<Result<void>>
    hang(std::shared_ptr<Faults> faults, QString verb, QString what, std::stop_token stop);
    [[nodiscard]] std::optional<Error> lose(const QString &verb, const QString &what) const;

    FolderProvider m_inner;
    ProviderInfo m_info;
    CompiledPolicy::Strength m_strength = CompiledPolicy::Strength::Exact;
    std::shared_ptr<Faults> m_faults;
    std::shared_ptr<QStringList> m_calls;
    std::weak_ptr<PolicyProxy> m_proxy;
    QHash<QString, SandboxSpec> m_specs; ///< what each was made with
};

} // namespace Glovebox::Testing
