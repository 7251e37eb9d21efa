// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// A program that holds a sandbox in which something runs, until it is killed.
#include "providers/srt/srtprovider.h"

#include "core/base/ids.h"

#include <QCoreApplication>

#include <cstdio>

using namespace Glovebox;

namespace {

QCoro::Task<void> hold(Srt::SrtProvider *provider, std::shared_ptr<Sandbox> *held)
{
    const std::stop_token never;
    SandboxSpec spec;
    spec.labels = {{QStringLiteral("run"), newId()}};
    spec.lifetime = std::chrono::minutes(10);
    const Result<std::shared_ptr<Sandbox>> made = co_await provider->create(spec, never);
    if (!made) {
        std::fprintf(stderr, "%s\n", qPrintable(made.error().message + made.error().detail));
        QCoreApplication::exit(1);
        co_return;
    }
    *held = *made;
    Command command;
    command.argv = {QStringLiteral("sh"), QStringLiteral("-c"),
                    QStringLiteral("echo work > half-done; setsid sleep 4712 & exec sleep 4712")};
    command.directory = (*held)->workFolder();
    const CommandId id{newId()};
    const Result<void> started = co_await (*held)->start(id, command, never);
    const auto live = std::static_pointer_cast<Srt::SrtSandbox>(*held)->live();
    std::printf("id %s\nkeeper %lld\n%s\n", qPrintable((*held)->id().value),
                static_cast<long long>(live->keeperPid()), started ? "ready" : "failed");
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    ProviderSettings settings;
    settings.dataFolder = application.arguments().value(1);
    Srt::SrtProvider provider(settings);
    std::shared_ptr<Sandbox> held;
    const QCoro::Task<void> task = hold(&provider, &held);
    return application.exec();
}
