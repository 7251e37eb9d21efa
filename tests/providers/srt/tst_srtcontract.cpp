// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// The provider contract on real srt.
#include "tests/providers/contract/contractcases.h"
#include "tests/providers/srt/listener.h"
#include "tests/providers/srt/srtfixture.h"

#include <unistd.h>

using namespace Glovebox;
using namespace Glovebox::Testing;

namespace {

class SrtHarness final : public ContractHarness
{
public:
    SrtHarness()
    {
        if (::geteuid() == 0) {
            m_fixture.settings.sandboxUser = 65534; // as root the runner sees no processes inside
        }
    }
    [[nodiscard]] QString backend() const override { return QStringLiteral("srt"); }
    [[nodiscard]] QString notOffered(const QString &caseId) const override
    {
        if (caseId == QLatin1String("C10")) {
            return QStringLiteral("an srt sandbox and its commands end with the application that "
                                  "holds it");
        }
        return {};
    }
    [[nodiscard]] std::shared_ptr<SandboxProvider> makeProvider() override
    {
        if (!m_internet) { // only now there is an application, with its event loop
            m_internet = std::make_unique<Listener>();
            // Whoever must go through a proxy looks no names up: the tests need none.
            qputenv("HTTP_PROXY", m_internet->url());
            qputenv("HTTPS_PROXY", m_internet->url());
        }
        return std::make_shared<Srt::SrtProvider>(m_fixture.settings);
    }
    [[nodiscard]] SandboxSpec spec(const QString &run) const override
    {
        SandboxSpec made = m_fixture.spec();
        made.labels.insert(QStringLiteral("run"), run);
        return made;
    }
    [[nodiscard]] bool mayReach(const std::shared_ptr<Sandbox> &sandbox, const QString &host,
                                quint16 port) override
    {
        const Ran ran =
            runInside(sandbox, QStringLiteral("curl -sS -m 10 https://%1:%2/").arg(host).arg(port));
        return !ran.output.contains("403");
    }
    [[nodiscard]] QString searchedFolder() const override { return m_fixture.base(); }

private:
    std::unique_ptr<Listener> m_internet;
    SrtFixture m_fixture;
};

} // namespace

int main(int argc, char **argv)
{
    SrtHarness harness;
    return runContract(harness, argc, argv);
}
