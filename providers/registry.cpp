// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/registry.h"

namespace Glovebox {

std::vector<std::unique_ptr<SandboxProvider>> makeProviders(const ProviderSettings &)
{
    return {};
}

} // namespace Glovebox
