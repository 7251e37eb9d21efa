// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"

#include "core/runs/doctor.h"

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(CommandLine)
};

QString isolationName(Capabilities::Isolation isolation)
{
    switch (isolation) {
    case Capabilities::Isolation::Process:
        return QStringLiteral("process");
    case Capabilities::Isolation::Container:
        return QStringLiteral("container");
    case Capabilities::Isolation::MicroVm:
        return QStringLiteral("microvm");
    case Capabilities::Isolation::Remote:
        return QStringLiteral("remote");
    }
    Q_UNREACHABLE();
}

QJsonObject backendJson(const ProviderInfo &info)
{
    const Capabilities &can = info.capabilities;
    return {
        {QStringLiteral("id"), info.id},
        {QStringLiteral("name"), info.name},
        {QStringLiteral("isolation"), isolationName(can.isolation)},
        {QStringLiteral("network"),
         QJsonObject{{QStringLiteral("by_name"), can.network.byName},
                     {QStringLiteral("by_address"), can.network.byAddress},
                     {QStringLiteral("by_port"), can.network.byPort},
                     {QStringLiteral("closes_dns"), can.network.closesDns}}},
        {QStringLiteral("live_output"), can.liveOutput},
        {QStringLiteral("outlives_app"), can.outlivesApp},
        {QStringLiteral("billed"), can.billed},
        {QStringLiteral("maximum_lifetime_s"), static_cast<qint64>(can.lifetime.maximum.count())}};
}

QString stateName(Readiness::State state)
{
    switch (state) {
    case Readiness::State::Ok:
        return QStringLiteral("ok");
    case Readiness::State::Missing:
        return QStringLiteral("missing");
    case Readiness::State::Failing:
        return QStringLiteral("failing");
    case Readiness::State::Unknown:
        return QStringLiteral("unknown");
    }
    Q_UNREACHABLE();
}

QJsonObject itemJson(const DoctorItem &item)
{
    return {{QStringLiteral("group"), item.group},
            {QStringLiteral("what"), item.readiness.what},
            {QStringLiteral("state"), stateName(item.readiness.state)},
            {QStringLiteral("version"), item.readiness.version},
            {QStringLiteral("next_step"), item.readiness.nextStep},
            {QStringLiteral("stops_runs"), item.stopsRuns}};
}

} // namespace

QCoro::Task<int> backendsVerb(Cli &cli)
{
    QJsonArray rows;
    for (const SandboxProvider *provider : cli.services.providers()) {
        const ProviderInfo &info = provider->info();
        rows << backendJson(info);
        cli.console.result(QStringLiteral("%1 %2 (%3)")
                               .arg(info.id, -14)
                               .arg(info.name, isolationName(info.capabilities.isolation)));
    }
    cli.console.document({{QStringLiteral("backends"), rows}});
    co_return ExitDone;
}

QCoro::Task<int> doctorVerb(Cli &cli)
{
    const DoctorParts parts{cli.services.providers(), &cli.services.agents(),
                            &cli.services.secrets(), cli.services.environment()};
    const QList<DoctorItem> items = co_await examine(parts, cli.stop);
    QJsonArray rows;
    bool stops = false;
    QString group;
    for (const DoctorItem &item : items) {
        rows << itemJson(item);
        stops = stops || item.stopsRuns;
        if (item.group != group) {
            group = item.group;
            cli.console.result(group);
        }
        cli.console.result(QStringLiteral("  %1 %2 %3 %4")
                               .arg(stateName(item.readiness.state), -8)
                               .arg(item.readiness.what, -26)
                               .arg(item.readiness.version, item.readiness.nextStep));
    }
    cli.console.document({{QStringLiteral("items"), rows}, {QStringLiteral("can_run"), !stops}});
    cli.console.result(stops ? Tr::tr("Something stops runs: see above.")
                             : Tr::tr("You can run tasks now."));
    co_return stops ? ExitProblems : ExitDone;
}

} // namespace Glovebox
