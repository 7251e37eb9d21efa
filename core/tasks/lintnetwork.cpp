// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/lintrun.h"

#include <QCoreApplication>

#include <re2/re2.h>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Lint)
};

const QString networkKey = QStringLiteral("network");

bool matches(const QString &text, const re2::RE2 &shape)
{
    return re2::RE2::FullMatch(text.toStdString(), shape);
}

/// A name, *.name, an address or a block of them, each but a block with or without a port.
bool looksLikeHost(const QString &text)
{
    static const re2::RE2 shape(
        "(?i)(?:\\*\\.)?[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)"
        "*"
        "\\.?(?::[0-9]{1,5})?"
        "|[0-9]{1,3}(?:\\.[0-9]{1,3}){3}/[0-9]{1,2}"
        "|[0-9a-f:.]*:[0-9a-f:.]*(?:/[0-9]{1,3})?|\\[[0-9a-f:.]+\\](?::[0-9]{1,5})?");
    return text.size() <= 300 && matches(text, shape);
}

bool isAddress(const QString &text)
{
    static const re2::RE2 shape("(?i)[0-9]{1,3}(?:\\.[0-9]{1,3}){3}(?:/[0-9]{1,2}|:[0-9]{1,5})?"
                                "|[0-9a-f:.]*:[0-9a-f.]*:[0-9a-f:.]*(?:/[0-9]{1,3})?|\\[.*");
    return matches(text, shape);
}

/// The host of an address with a scheme, which is what people copy.
QString hostOfUrl(const QString &text)
{
    static const re2::RE2 shape("(?i)[a-z][a-z0-9+.-]*://(?:[^/@]*@)?([^/?#]+)(?:[/?#].*)?");
    std::string host;
    return re2::RE2::FullMatch(text.toStdString(), shape, &host) ? QString::fromStdString(host)
                                                                 : QString();
}

bool isLoopback(const QString &text)
{
    static const re2::RE2 shape("(?i)(?:.*\\.)?localhost|127\\.[0-9.]+(?:/[0-9]+)?|::1|\\[::1\\]"
                                "|0\\.0\\.0\\.0(?:/[0-9]+)?");
    return matches(text, shape); // with a port it opens that one alone
}

struct HostList
{
    QString key;
    QStringList NetworkChoice::*field;
};

void lintUnreadable(LintRun *run, const HostList &list, qsizetype item)
{
    const QString &entry = (run->task.network.*list.field).at(item);
    Problem &problem =
        run->add(Severity::Error, "bad-host",
                 Tr::tr("Expected a host such as example.com, *.example.com, 10.0.0.0/8 or "
                        "example.com:443."),
                 list.key, item);
    const QString host = hostOfUrl(entry);
    if (looksLikeHost(host)) {
        TaskFile changed = run->task;
        (changed.network.*list.field)[item] = host;
        run->offer(&problem, Tr::tr("Use %1").arg(host), networkKey, changed);
    }
}

void lintHost(LintRun *run, const HostList &list, qsizetype item)
{
    const QString &entry = (run->task.network.*list.field).at(item);
    const bool readable = run->facts.readsHost ? run->facts.readsHost(entry) : looksLikeHost(entry);
    if (!readable) {
        lintUnreadable(run, list, item);
        return;
    }
    if (run->facts.backend && !run->facts.backend->takesAddresses && isAddress(entry)) {
        run->add(Severity::Error, "host-address",
                 Tr::tr("This backend takes names only, no addresses or blocks of them."), list.key,
                 item);
    }
    if (list.field == &NetworkChoice::allow && isLoopback(entry)) {
        run->add(Severity::Warning, "host-loopback",
                 Tr::tr("This may open every port of this machine's loopback to the agent; add "
                        "the port, as in localhost:8080."),
                 list.key, item);
    }
}

} // namespace

void lintNetwork(LintRun *run)
{
    const NetworkChoice &network = run->task.network;
    for (const HostList &list : {HostList{QStringLiteral("network.allow"), &NetworkChoice::allow},
                                 HostList{QStringLiteral("network.deny"), &NetworkChoice::deny}}) {
        for (qsizetype i = 0; i < (network.*list.field).size(); ++i) {
            lintHost(run, list, i);
        }
    }
    const bool open = network.preset == QLatin1String("open");
    const bool bypasses = run->facts.agent && run->facts.agent->bypassesPermissions;
    if (open && bypasses && !run->facts.openAccepted) {
        Problem &problem = run->add(
            Severity::Error, "open-network",
            Tr::tr("An agent without permission prompts and an open network can send away all it "
                   "reads; close the network, or accept it explicitly."),
            networkKey);
        TaskFile changed = run->task;
        changed.network.preset = QStringLiteral("balanced");
        run->offer(&problem, Tr::tr("Use balanced"), networkKey, changed);
    }
    if (open && !network.allow.isEmpty()) {
        run->add(Severity::Hint, "allow-ignored",
                 Tr::tr("An open network allows every host, so this list changes nothing."),
                 QStringLiteral("network.allow"), 0);
    }
    if (!open && run->facts.backend && !run->facts.backend->enforcesNetwork) {
        run->add(Severity::Warning, "network-not-enforced",
                 Tr::tr("This backend cannot close the network; such a run has to be accepted "
                        "explicitly."),
                 networkKey);
    }
}

} // namespace Glovebox
