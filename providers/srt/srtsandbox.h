// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/runnersandbox.h"
#include "providers/srt/livesandbox.h"

namespace Glovebox::Srt {

/// A sandbox on this machine. It ends when the last reference goes or its lifetime is over; its
/// folders stay until the provider destroys it.
class SrtSandbox final : public RunnerSandbox, public LiveNetwork
{
public:
    explicit SrtSandbox(std::shared_ptr<LiveSandbox> live);

    [[nodiscard]] const std::shared_ptr<LiveSandbox> &live() const { return m_live; }
    [[nodiscard]] QCoro::Task<Result<QDateTime>> setDeadline(QDateTime deadline,
                                                             std::stop_token stop) override;
    [[nodiscard]] LiveNetwork *liveNetwork() override { return this; }
    [[nodiscard]] EgressLog *egressLog() override { return m_live->proxy(); }
    [[nodiscard]] QCoro::Task<Result<void>> replace(NetworkPolicy policy,
                                                    std::stop_token stop) override;

private:
    std::shared_ptr<LiveSandbox> m_live;
};

} // namespace Glovebox::Srt
