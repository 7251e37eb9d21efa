// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tasks/textlocator.h"

namespace Glovebox {

/// What libyaml had to say, with byte offsets of the whole text.
struct YamlComplaint
{
    QByteArray problem;          ///< libyaml's words, "did not find expected key"
    qsizetype offset = 0;        ///< where it stopped
    qsizetype contextOffset = 0; ///< where the thing began that it was reading
    qsizetype begin = 0;         ///< the range that was read
    qsizetype end = 0;
};

/// libyaml's complaint as a sentence for a person, with a fix for the usual slips: tabs, and a
/// value that needs quotes.
[[nodiscard]] Problem explainYamlError(const QByteArray &text, const TextLocator &locator,
                                       const YamlComplaint &complaint);

/// An anchor, alias or tag at \a offset: most often a value that was meant as text ("*.ts").
[[nodiscard]] Problem explainYamlExtra(const QByteArray &text, const TextLocator &locator,
                                       qsizetype offset);

} // namespace Glovebox
