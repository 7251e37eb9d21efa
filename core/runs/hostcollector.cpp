// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/hostcollector.h"

#include "core/base/terminaltext.h"

#include <QCoreApplication>
#include <QHostAddress>
#include <QUrl>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(PackageHosts)
};

constexpr int longestAddress = 2048;
constexpr int mostProblems = 20;

/// "git+https://…" and its kind: what a package manager writes before the address itself.
QString withoutKind(QString address)
{
    static const QLatin1String kinds[] = {
        QLatin1String("git+"), QLatin1String("registry+"), QLatin1String("sparse+"),
        QLatin1String("hg+"),  QLatin1String("svn+"),      QLatin1String("bzr+"),
    };
    for (const QLatin1String kind : kinds) {
        if (address.startsWith(kind)) {
            address.remove(0, kind.size());
        }
    }
    return address;
}

/// "git@host:path", as git and ssh write it.
bool isSshShorthand(const QString &address)
{
    const qsizetype at = address.indexOf(QLatin1Char('@'));
    const qsizetype colon = address.indexOf(QLatin1Char(':'), at);
    return at > 0 && colon > at + 1 && !address.left(at).contains(QLatin1Char('/')) &&
           !address.left(at).contains(QLatin1Char(' ')) && !address.contains(QLatin1String("://"));
}

/// A name that means this machine or the machine's own network, whoever resolves it.
bool isNameOfThisMachine(const QString &host)
{
    return !host.contains(QLatin1Char('.')) || host == QLatin1String("metadata.google.internal") ||
           host.endsWith(QLatin1String(".localhost")) ||
           host.endsWith(QLatin1String(".localdomain"));
}

} // namespace

QString placeText(const HostCollector::Place &place)
{
    return place.line > 0 ? Tr::tr("%1 line %2").arg(place.what, QString::number(place.line))
                          : place.what;
}

HostCollector::HostCollector(PackageHosts *result)
    : m_result(result)
{
}

HostCollector::Parsed HostCollector::parse(const QString &address)
{
    Parsed parsed;
    const QString text = withoutKind(address.trimmed());
    if (text.size() > longestAddress) {
        parsed.verdict = Verdict::Refused;
        parsed.refusal = Tr::tr("an address of more than %1 characters").arg(longestAddress);
        return parsed;
    }
    const QUrl url(text, QUrl::StrictMode);
    const QString scheme = url.scheme();
    if (scheme == QLatin1String("ssh") || isSshShorthand(text)) {
        parsed.verdict = Verdict::Refused;
        parsed.refusal = Tr::tr("an ssh address, for which no key goes into a sandbox");
        return parsed;
    }
    const bool isWeb = text.startsWith(QLatin1String("http:"), Qt::CaseInsensitive) ||
                       text.startsWith(QLatin1String("https:"), Qt::CaseInsensitive) ||
                       text.startsWith(QLatin1String("git:"), Qt::CaseInsensitive);
    if (!isWeb) {
        return parsed; // a path, a name, a file: URL
    }
    parsed.verdict = Verdict::Refused;
    const QString host = url.host(QUrl::FullyEncoded).toLower();
    const QString port =
        url.port() > 0 ? QLatin1Char(':') + QString::number(url.port()) : QString();
    const std::optional<HostRule> rule = parseHostRule(host + port);
    if (!url.isValid() || host.isEmpty()) {
        parsed.refusal = Tr::tr("what is no valid address");
    } else if (!QHostAddress(host).isNull() || (rule && isAddress(*rule))) {
        parsed.refusal = Tr::tr("the address by number %1").arg(displayText(host));
    } else if (!rule || host.startsWith(QLatin1Char('*'))) {
        parsed.refusal = Tr::tr("the name %1, which is none").arg(displayText(host.left(100)));
    } else if (isNameOfThisMachine(host)) {
        parsed.refusal = Tr::tr("the name %1, which means another machine on every network")
                             .arg(displayText(host));
    } else {
        parsed.verdict = Verdict::Host;
        parsed.rule = *rule;
    }
    return parsed;
}

bool HostCollector::isKnown(const HostRule &rule) const
{
    for (const PackageHost &host : m_result->hosts) {
        if (host.rule == rule) {
            return true;
        }
    }
    return false;
}

bool HostCollector::add(const QString &address, const Place &place)
{
    const Parsed parsed = parse(address);
    if (parsed.verdict == Verdict::NoAddress) {
        return false;
    }
    if (parsed.verdict == Verdict::Refused) {
        if (m_result->problems.size() < mostProblems && !m_told.contains(parsed.refusal)) {
            m_told.insert(parsed.refusal);
            problem(Severity::Warning, QStringLiteral("package-host-left-out"),
                    Tr::tr("%1 names %2. It stays closed unless the task's network list allows it.")
                        .arg(placeText(place), parsed.refusal));
        }
        return false;
    }
    if (isKnown(parsed.rule)) {
        return true;
    }
    if (m_result->hosts.size() >= PackageHosts::most) {
        if (!std::exchange(m_isFull, true)) {
            problem(Severity::Warning, QStringLiteral("package-hosts-too-many"),
                    Tr::tr("The lockfiles name more than %1 hosts. The rest stays closed.")
                        .arg(PackageHosts::most));
        }
        return true;
    }
    m_result->hosts += PackageHost{parsed.rule, placeText(place)};
    return true;
}

bool HostCollector::addAt(const QString &address, const QString &path, const QByteArray &bytes)
{
    const Parsed parsed = parse(address);
    if (parsed.verdict == Verdict::NoAddress) {
        return false;
    }
    const bool isNews =
        parsed.verdict == Verdict::Refused
            ? m_result->problems.size() < mostProblems && !m_told.contains(parsed.refusal)
            : !m_isFull && !isKnown(parsed.rule);
    if (!isNews) {
        return parsed.verdict == Verdict::Host;
    }
    const qsizetype offset = bytes.indexOf(address.toUtf8());
    const qsizetype line = offset < 0 ? 0 : QByteArrayView(bytes).first(offset).count('\n') + 1;
    return add(address, {path, static_cast<int>(line)});
}

QList<PackageManager> HostCollector::unanswered() const
{
    const QSet<PackageManager> open = m_used - m_answered;
    QList<PackageManager> managers(open.cbegin(), open.cend());
    std::sort(managers.begin(), managers.end());
    return managers;
}

void HostCollector::problem(Severity severity, const QString &code, const QString &message)
{
    if (m_result->problems.size() >= mostProblems) {
        return;
    }
    Problem problem;
    problem.severity = severity;
    problem.code = code;
    problem.message = message;
    m_result->problems += problem;
}

} // namespace Glovebox
