// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/importlimits.h"
#include "core/git/refusal.h"

#include <QByteArray>
#include <QList>

namespace Glovebox {

/// The text part of a bundle. Ids are 40 lower-case hexadecimal digits, names passed
/// isSafeReference() or are "HEAD".
struct BundleHeader
{
    struct Reference
    {
        QByteArray id;
        QByteArray name;
    };
    QList<QByteArray> prerequisites;
    QList<Reference> references;
    qint64 size = 0; ///< bytes up to and with the blank line; the pack follows
};

/// Reads a header from the first bytes of a file: \a start holds limits.headerBytes + 1 bytes, or
/// the whole file when that is shorter. Pure; for any bytes.
[[nodiscard]] Checked<BundleHeader> parseBundleHeader(const QByteArray &start,
                                                      const ImportLimits &limits);

/// The one reference that is taken, and the names of those that are not.
struct ChosenReference
{
    QByteArray tip;
    QByteArray name;
    QList<QByteArray> dropped; ///< without HEAD, which git adds by itself
};

/// Finds \a wanted in the header by its exact name; empty = the only branch there is.
[[nodiscard]] Checked<ChosenReference> chooseReference(const BundleHeader &header,
                                                       const QByteArray &wanted);

} // namespace Glovebox
