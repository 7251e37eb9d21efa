// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QByteArray>

#include <memory>

namespace Glovebox {

/// One open file descriptor, closed when its owner goes.
class FileHandle final
{
public:
    FileHandle() = default;
    explicit FileHandle(int descriptor)
        : m_descriptor(descriptor)
    {
    }
    FileHandle(FileHandle &&other) noexcept
        : m_descriptor(other.release())
    {
    }
    FileHandle &operator=(FileHandle &&other) noexcept;
    FileHandle(const FileHandle &) = delete;
    FileHandle &operator=(const FileHandle &) = delete;
    ~FileHandle();

    [[nodiscard]] int descriptor() const { return m_descriptor; }
    [[nodiscard]] bool isValid() const { return m_descriptor >= 0; }
    [[nodiscard]] int release();

private:
    int m_descriptor = -1;
};

/// A folder that hostile code writes while we use it. Nothing here ever follows a link, leaves the
/// folder, opens anything but a regular file, or waits for one. Paths are relative to the folder,
/// "a/b", without "." and "..". Copies share the folder; any thread.
/// POSIX only: elsewhere open() answers NotSupported.
class SafeFolder final
{
public:
    /// The root itself is ours: its path is trusted and may lead through links.
    [[nodiscard]] static Result<SafeFolder> open(const QString &root);
    /// Deletes a folder of ours with all that hostile code put below it. Success when it is gone.
    [[nodiscard]] static Result<void> removeFolder(const QString &root);

    /// Opens a regular file for reading. NotFound, InvalidRequest (a link, device, pipe, folder) or
    /// FileError.
    [[nodiscard]] Result<FileHandle> openFile(const QString &path) const;
    /// TooLarge when it has, or while it is read grows to, more than \a maximum bytes.
    [[nodiscard]] Result<QByteArray> read(const QString &path, qint64 maximum) const;
    /// Copies into a new file of ours; \a target must not exist. Nothing is left of it on failure.
    [[nodiscard]] Result<void> copyOut(const QString &path, const QString &target,
                                       qint64 maximum) const;

    /// Whole or not at all: a fresh side name, then moved over whatever had the name. Mode 0600.
    /// Folders that are missing on the way are made (0700).
    [[nodiscard]] Result<void> write(const QString &path, const QByteArray &bytes) const;
    [[nodiscard]] Result<void> copyIn(const QString &path, const QString &source) const;
    /// Makes a folder (0700) and what leads to it; one that exists is fine, a link is not.
    [[nodiscard]] Result<void> makeFolder(const QString &path) const;
    /// Makes a pipe (0600) and opens its reading end, which never blocks.
    [[nodiscard]] Result<FileHandle> makePipe(const QString &path) const;

    /// Removes a file, link, pipe or folder with everything in it; one that is missing is fine.
    [[nodiscard]] Result<void> remove(const QString &path) const;
    /// Removes everything in the folder.
    [[nodiscard]] Result<void> clear() const;

private:
    SafeFolder(std::shared_ptr<const FileHandle> root, QString path)
        : m_root(std::move(root))
        , m_path(std::move(path))
    {
    }
    [[nodiscard]] Result<FileHandle> openParent(const QString &path) const;
    [[nodiscard]] Result<FileHandle>
    beginWriting(const FileHandle &parent, const QByteArray &sideName, const QString &path) const;
    [[nodiscard]] Result<void> finishWriting(const FileHandle &parent, const QByteArray &sideName,
                                             const QString &path, const FileHandle &file) const;

    std::shared_ptr<const FileHandle> m_root;
    QString m_path; ///< for messages
};

} // namespace Glovebox
