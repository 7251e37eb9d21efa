// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tasks/taskfile.h"
#include "core/tasks/yamltext.h"

namespace Glovebox {

/// Whether two tasks have the same value for one top-level key.
[[nodiscard]] bool saysSame(const QString &key, const TaskFile &a, const TaskFile &b);

/// What a key says in YAML; nothing when its value has an empty form, so that it isn't written.
[[nodiscard]] std::optional<YamlValue> valueOf(const QString &key, const TaskFile &task);

} // namespace Glovebox
