// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "providers/srt/srtprovider.h"
#include "tests/fakes/textsink.h"
#include "tests/support/temporaryfolder.h"
#include "tests/support/testing.h"

namespace Glovebox::Testing {

/// What one command inside came to.
struct Ran
{
    CommandResult result;
    QByteArray output;
};

/// A provider on real srt with a data folder of its own; all its sandboxes are gone with it.
class SrtFixture final
{
public:
    SrtFixture()
        : m_base(QDir::tempPath() + QStringLiteral("/s-XXXXXX"))
    {
        settings.dataFolder = m_base.path() + QStringLiteral("/d");
        settings.installation = QStringLiteral("test");
        provider = std::make_unique<Srt::SrtProvider>(settings);
    }

    [[nodiscard]] SandboxSpec spec(const QStringList &allow = {}) const
    {
        SandboxSpec made;
        made.labels = {{QStringLiteral("application"), QStringLiteral("glovebox")},
                       {QStringLiteral("run"), newId()},
                       {QStringLiteral("role"), QStringLiteral("work")}};
        made.lifetime = std::chrono::minutes(10);
        for (const QString &rule : allow) {
            made.network.allow.append(*parseHostRule(rule));
        }
        return made;
    }
    [[nodiscard]] std::shared_ptr<Sandbox> make(const SandboxSpec &wanted) const
    {
        Result<std::shared_ptr<Sandbox>> made = await(provider->create(wanted, {}));
        if (!made) {
            QTest::qFail(qPrintable(errorText(made.error())), __FILE__, __LINE__);
            return nullptr;
        }
        return *made;
    }
    void remove(std::shared_ptr<Sandbox> &sandbox) const
    {
        const SandboxId id = sandbox->id();
        sandbox.reset();
        const Result<void> destroyed = await(provider->destroy(id, {}));
        if (!destroyed) {
            QTest::qFail(qPrintable(errorText(destroyed.error())), __FILE__, __LINE__);
        }
    }
    [[nodiscard]] QString base() const { return m_base.path(); }

    ProviderSettings settings;
    std::unique_ptr<Srt::SrtProvider> provider;

private:
    Testing::TemporaryFolder m_base;
};

/// Runs a shell line inside, both streams merged.
inline Ran runInside(const std::shared_ptr<Sandbox> &sandbox, const QString &line)
{
    Command command;
    command.argv = {QStringLiteral("sh"), QStringLiteral("-c"), line};
    command.directory = sandbox->workFolder();
    command.limit = std::chrono::seconds(60);
    command.streams = Streams::Merged;
    const auto sink = std::make_shared<TextSink>();
    const Result<CommandResult> result =
        await(runCommand(sandbox, {newId()}, command, sink, std::stop_token()));
    if (!result) {
        QTest::qFail(qPrintable(errorText(result.error())), __FILE__, __LINE__);
        return {};
    }
    return {*result, sink->output};
}

} // namespace Glovebox::Testing
