// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/sandbox.h"
#include "providers/common/providersettings.h"

#include <memory>
#include <vector>

namespace Glovebox {

/// All backends that this build has, each once. The only thing of providers that app names.
[[nodiscard]] std::vector<std::unique_ptr<SandboxProvider>>
makeProviders(const ProviderSettings &settings);

} // namespace Glovebox
