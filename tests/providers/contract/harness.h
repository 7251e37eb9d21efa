// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/sandbox.h"

#include <optional>

namespace Glovebox::Testing {

/// Makes things go wrong at the service behind a provider. Fakes have one, real backends don't.
class ServiceControl
{
public:
    enum class Damage { Html, HalfReply, LongLine, WrongTypes };

    virtual ~ServiceControl() = default;
    /// All faults off; what others put there is gone.
    virtual void reset() = 0;
    /// What was asked since the last reset: "create {…}", "call sh /…"; secrets must not be in it.
    [[nodiscard]] virtual QStringList requests() const = 0;

    virtual void loseReply(const QString &verb) = 0; ///< done, but never answered; once
    virtual void failPage(int page) = 0;             ///< of a list, from 1
    virtual void addForeign(int count) = 0;          ///< sandboxes that are not ours
    virtual void busyOnDestroy(int times) = 0;
    virtual void refuseDestroy() = 0; ///< says yes and keeps it
    virtual void advance(std::chrono::seconds time) = 0;
    virtual void refusePolicy(const QString &words) = 0;
    virtual void removeTool() = 0;
    virtual void signOut() = 0;
    virtual void toolPrompts() = 0; ///< the tool wants an answer from a person
    virtual void limitNext(std::optional<std::chrono::seconds> retryAfter) = 0;
    virtual void resetAtRequest(int number) = 0; ///< cuts the connection, once, from 1
    virtual void damageReplies(Damage damage) = 0;
    virtual void answerLate() = 0; ///< replies come in another order
    virtual void damageUploads() = 0;
};

/// What the contract suite needs to know of one backend.
class ContractHarness
{
public:
    virtual ~ContractHarness() = default;
    [[nodiscard]] virtual QString backend() const = 0;
    /// Why a case ("C23") is not for this backend; empty when it is.
    [[nodiscard]] virtual QString notOffered(const QString &caseId) const = 0;
    /// A provider as a new process of ours would make it, on the same service.
    [[nodiscard]] virtual std::shared_ptr<SandboxProvider> makeProvider() = 0;
    /// A small sandbox that can be made; \a run goes into its labels.
    [[nodiscard]] virtual SandboxSpec spec(const QString &run) const = 0;
    [[nodiscard]] virtual ServiceControl *control() { return nullptr; }
    /// C36: whether this sandbox may reach a host now.
    [[nodiscard]] virtual bool mayReach(const std::shared_ptr<Sandbox> &, const QString &, quint16)
    {
        return false;
    }
    /// C41: a folder of this machine in which no secret may be left; empty = none.
    [[nodiscard]] virtual QString searchedFolder() const { return {}; }
};

} // namespace Glovebox::Testing
