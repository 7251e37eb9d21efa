// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/sandbox.h"
#include "providers/common/providersettings.h"
#include "providers/srt/livesandbox.h"
#include "providers/srt/srtsandbox.h"

#include <QHash>

namespace Glovebox::Srt {

/// The Claude Code sandbox runtime on this machine: the embedded default, which needs no account.
class SrtProvider final : public SandboxProvider
{
public:
    explicit SrtProvider(ProviderSettings settings);

    [[nodiscard]] const ProviderInfo &info() const override { return m_info; }
    [[nodiscard]] CompiledPolicy compile(const NetworkPolicy &policy) const override;
    [[nodiscard]] QList<Problem> validate(const SandboxSpec &spec) const override;
    [[nodiscard]] QCoro::Task<Result<std::shared_ptr<Sandbox>>>
    create(SandboxSpec spec, std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<std::shared_ptr<Sandbox>>>
    attach(SandboxId id, std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<QList<SandboxInfo>>> list(LabelFilter filter,
                                                               std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<void>> destroy(SandboxId id, std::stop_token stop) override;
    [[nodiscard]] QCoro::Task<Result<QList<Readiness>>> checkReady(std::stop_token stop) override;

private:
    /// Claims the folders and starts the keeper on them.
    [[nodiscard]] QCoro::Task<Result<std::shared_ptr<SrtSandbox>>>
    begin(Layout layout, Record record, Tools tools, std::stop_token stop);
    /// A real `srt -- true`, with settings like a run's.
    [[nodiscard]] QCoro::Task<Result<Readiness>> probe(Tools tools, std::stop_token stop);
    [[nodiscard]] Result<LiveParts> partsFor(const Layout &layout, const Record &record,
                                             const Tools &tools) const;
    [[nodiscard]] Result<std::optional<RunAs>> runAs() const;
    [[nodiscard]] std::shared_ptr<SrtSandbox> known(const QString &key) const;
    [[nodiscard]] std::shared_ptr<SrtSandbox> adopt(std::shared_ptr<LiveSandbox> live);
    [[nodiscard]] Result<Layout> layoutForProbe() const;

    ProviderSettings m_settings;
    ProviderInfo m_info;
    std::shared_ptr<StartGate> m_gate;
    QHash<QString, std::weak_ptr<SrtSandbox>> m_known; ///< by key: what lives in this process
};

} // namespace Glovebox::Srt
