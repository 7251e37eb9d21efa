// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/secret.h"

#include <QHash>
#include <QProcessEnvironment>
#include <QString>

#include <optional>

namespace Glovebox {

/// Where keys come from: an environment variable of this program by its name, or memory for this
/// session. Never a file. Main thread.
class SecretStore final
{
public:
    enum class Place { Memory, Environment };

    explicit SecretStore(QProcessEnvironment environment);

    /// Nothing where there is none, or where it is empty.
    [[nodiscard]] std::optional<Secret> find(const QString &name) const;
    [[nodiscard]] std::optional<Place> placeOf(const QString &name) const;
    /// Kept until the program ends; an empty value forgets it.
    void remember(const QString &name, const Secret &value);

private:
    QProcessEnvironment m_environment;
    QHash<QString, Secret> m_memory;
};

} // namespace Glovebox
