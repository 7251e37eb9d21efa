// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProcess>
#include <QSet>
#include <QStringList>

#include <functional>
#include <optional>

namespace Glovebox::Testing {

/// Who the program under test runs as: an existing ordinary user when the suite runs as root
/// (an agent's refusal of root, and what only root may do, are not what a user meets), else the
/// caller.
class OrdinaryUser final
{
public:
    /// Nothing where this machine has no such user.
    [[nodiscard]] static std::optional<OrdinaryUser> find();

    /// The variables that everything is started with; from empty, beside what sanitizers read.
    void setEnvironment(const QProcessEnvironment &environment) { m_environment = environment; }
    /// Whether it is somebody else than the caller.
    [[nodiscard]] bool isOther() const { return m_changes; }
    /// Gives it a folder, with all that is in it.
    [[nodiscard]] bool give(const QString &folder) const;

    struct Ran
    {
        int code = -1;
        QByteArray output;
        QByteArray error;
    };
    /// Runs a program to its end, at most three minutes; \a meanwhile is called every 20 ms.
    [[nodiscard]] Ran run(const QString &program, const QStringList &arguments,
                          const QString &folder, const std::function<void()> &meanwhile = {}) const;

private:
    quint32 m_user = 0;
    quint32 m_group = 0;
    bool m_changes = false;
    QProcessEnvironment m_environment;
};

/// The command lines of all processes of this machine, one after the other with blanks.
[[nodiscard]] QSet<QByteArray> commandLines();

} // namespace Glovebox::Testing
