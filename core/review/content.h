// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/git/libgit2.h"

#include <QByteArrayView>

/// What the comparison of two blobs needs; private to core/review.
namespace Glovebox {

/// The bytes of one side, owned. Empty for a side that does not exist.
class Content final
{
public:
    /// Reads a blob as it is; a link to a submodule becomes the line that git shows for it. Above
    /// the guards of changeset.h nothing is kept and tooLarge() says so. FileError when the object
    /// is missing or damaged.
    [[nodiscard]] static Result<Content> read(git_repository *repository, const QString &id,
                                              quint32 mode);

    [[nodiscard]] QByteArrayView bytes() const { return m_bytes; }
    [[nodiscard]] bool tooLarge() const { return m_tooLarge; }

private:
    LibGit2::Blob m_blob;
    QByteArray m_line;
    QByteArrayView m_bytes;
    bool m_tooLarge = false;
};

/// Lines as git counts them: a last one without a line end counts.
[[nodiscard]] int lineCount(QByteArrayView bytes);

/// The settings of every comparison: text whatever the content, no path, so that no attribute and
/// no driver is looked up.
[[nodiscard]] git_diff_options textDiffOptions(int context);

} // namespace Glovebox
