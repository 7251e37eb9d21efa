// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/registry.h"

#ifdef Q_OS_UNIX
#include "providers/srt/srtprovider.h"
#endif

namespace Glovebox {

std::vector<std::unique_ptr<SandboxProvider>>
makeProviders([[maybe_unused]] const ProviderSettings &settings)
{
    std::vector<std::unique_ptr<SandboxProvider>> providers;
#ifdef Q_OS_UNIX
    providers.push_back(std::make_unique<Srt::SrtProvider>(settings));
#endif
    return providers;
}

} // namespace Glovebox
