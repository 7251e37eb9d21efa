// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// The contract suite on the fake over plain folders: every case applies.
// GLOVEBOX_CONTRACT_BREAK names the one that is to fail.
#include "tests/fakes/folderprovider.h"
#include "tests/providers/contract/contractcases.h"

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

class FolderHarness final : public ContractHarness
{
public:
    QString backend() const override { return QStringLiteral("folder"); }
    QString notOffered(const QString &) const override { return {}; }
    std::shared_ptr<SandboxProvider> makeProvider() override
    {
        return std::make_shared<FolderProvider>(m_service);
    }
    SandboxSpec spec(const QString &run) const override
    {
        SandboxSpec spec;
        spec.labels = {{QStringLiteral("run"), run},
                       {QStringLiteral("role"), QStringLiteral("work")}};
        spec.lifetime = std::chrono::hours(1);
        return spec;
    }
    ServiceControl *control() override { return m_service.get(); }
    bool mayReach(const std::shared_ptr<Sandbox> &sandbox, const QString &host, quint16) override
    {
        return m_service->mayReach(sandbox->id().value, host);
    }
    QString searchedFolder() const override { return m_service->root(); }

private:
    std::shared_ptr<FolderService> m_service =
        std::make_shared<FolderService>(qEnvironmentVariable("GLOVEBOX_CONTRACT_BREAK"));
};

} // namespace

int main(int argc, char **argv)
{
    FolderHarness harness;
    return runContract(harness, argc, argv);
}
