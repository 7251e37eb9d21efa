// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/sandbox.h"

#include <memory>
#include <vector>

namespace Glovebox {

/// What every backend may need from the installation.
struct ProviderSettings
{
    QString dataFolder;   ///< private folder of this set-up; backends keep theirs below it
    QString installation; ///< [a-z0-9], the same for the life of the data folder
};

/// All backends that this build has, each once. The only thing of providers that app names.
[[nodiscard]] std::vector<std::unique_ptr<SandboxProvider>>
makeProviders(const ProviderSettings &settings);

} // namespace Glovebox
