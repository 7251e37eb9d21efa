// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/secretstore.h"

namespace Glovebox {

SecretStore::SecretStore(QProcessEnvironment environment)
    : m_environment(environment)
{
}

std::optional<Secret> SecretStore::find(const QString &name) const
{
    if (m_memory.contains(name)) {
        return m_memory.value(name);
    }
    const QString value = m_environment.value(name);
    if (value.isEmpty()) {
        return std::nullopt;
    }
    return Secret(value.toUtf8());
}

std::optional<SecretStore::Place> SecretStore::placeOf(const QString &name) const
{
    if (m_memory.contains(name)) {
        return Place::Memory;
    }
    return m_environment.value(name).isEmpty() ? std::nullopt : std::optional(Place::Environment);
}

void SecretStore::remember(const QString &name, const Secret &value)
{
    if (value.isEmpty()) {
        m_memory.remove(name);
    } else {
        m_memory.insert(name, value);
    }
}

} // namespace Glovebox
