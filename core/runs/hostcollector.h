// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/packagehosts.h"

#include <QSet>

namespace Glovebox {

/// Collects the hosts of addresses, strictly: see readPackageHosts().
class HostCollector final
{
public:
    /// Where an address stands. Line 0 = not known, or not a file with lines.
    struct Place
    {
        QString what; ///< a path, or what was asked
        int line = 0;
    };

    explicit HostCollector(PackageHosts *result);

    /// Whether \a address names a host that the policy may let through. Others are no error: local
    /// paths, for example.
    bool add(const QString &address, const Place &place);
    /// The same for an address that stands in \a bytes: its line is looked for when it is news, so
    /// that a lockfile with many addresses takes linear time. One written with escapes has none.
    bool addAt(const QString &address, const QString &path, const QByteArray &bytes);

    void use(PackageManager manager) { m_used.insert(manager); }
    /// A file says where this one, if it is used, fetches what has no address of its own.
    void answer(PackageManager manager) { m_answered.insert(manager); }
    [[nodiscard]] bool isUsed(PackageManager manager) const { return m_used.contains(manager); }
    [[nodiscard]] QList<PackageManager> unanswered() const;
    [[nodiscard]] PackageHosts &result() { return *m_result; }

    void problem(Severity severity, const QString &code, const QString &message);

private:
    enum class Verdict { Host, NoAddress, Refused };
    struct Parsed
    {
        Verdict verdict = Verdict::NoAddress;
        HostRule rule;
        QString refusal; ///< a translated sentence
    };
    [[nodiscard]] static Parsed parse(const QString &address);
    [[nodiscard]] bool isKnown(const HostRule &rule) const;

    PackageHosts *m_result;
    QSet<PackageManager> m_used;
    QSet<PackageManager> m_answered;
    QSet<QString> m_told;
    bool m_isFull = false;
};

[[nodiscard]] QString placeText(const HostCollector::Place &place);

/// One reader each; \a path is ready to be shown.
void readNodeFile(const QString &name, const QString &path, const QByteArray &bytes,
                  HostCollector *hosts);
void readPythonFile(const QString &name, const QString &path, const QByteArray &bytes,
                    HostCollector *hosts);
void readCargoFile(const QString &name, const QString &path, const QByteArray &bytes,
                   HostCollector *hosts);
void readGoFile(const QString &name, const QString &path, const QByteArray &bytes,
                HostCollector *hosts);

} // namespace Glovebox
