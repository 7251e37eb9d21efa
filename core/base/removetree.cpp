// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/removetree.h"

#ifdef Q_OS_UNIX

#include "core/base/ids.h"
#include "core/base/safefolder.h"

#include <QSet>

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace Glovebox {

namespace {

constexpr int tries = 3; // a folder that is written while it is emptied is gone over again

/// Makes a folder ours to read and change although hostile code took all permissions from it.
void unlockFolder(int parent, const char *name)
{
#ifdef O_PATH
    const FileHandle folder(::openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (folder.isValid()) {
        // chmod() through the descriptor: by name it could follow a link that was just put there.
        const QByteArray link = "/proc/self/fd/" + QByteArray::number(folder.descriptor());
        static_cast<void>(::chmod(link.constData(), S_IRWXU));
    }
#else
    static_cast<void>(::fchmodat(parent, name, S_IRWXU, AT_SYMLINK_NOFOLLOW));
#endif
}

struct DirectoryCloser
{
    void operator()(DIR *directory) const { ::closedir(directory); }
};

/// Removes what is directly in a folder. Folders that are not empty are moved up to the root, so
/// that a tree of any depth takes no stack and no descriptors. 0 or errno.
int emptyOneFolder(int folder, int root, QSet<QByteArray> &moved)
{
    const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, DirectoryCloser> directory(copy < 0 ? nullptr : ::fdopendir(copy));
    if (!directory) {
        return errno;
    }
    int problem = 0;
    while (const dirent *entry = ::readdir(directory.get())) {
        const QByteArray name(entry->d_name);
        if (name == "." || name == ".." || (folder == root && moved.contains(name)) ||
            ::unlinkat(folder, name.constData(), 0) == 0 || errno == ENOENT) {
            continue;
        }
        if (errno != EISDIR && errno != EPERM) {
            problem = errno;
            continue;
        }
        unlockFolder(folder, name.constData());
        if (::unlinkat(folder, name.constData(), AT_REMOVEDIR) == 0) {
            continue;
        }
        const QByteArray fresh = ".gone-" + newId().toLatin1();
        if (::renameat(folder, name.constData(), root, fresh.constData()) != 0) {
            problem = errno;
            continue;
        }
        moved.insert(fresh);
    }
    return problem;
}

} // namespace

int emptyFolder(int root)
{
    int problem = ::fchmod(root, S_IRWXU) == 0 ? 0 : errno;
    for (int attempt = 0; attempt < tries; ++attempt) {
        QSet<QByteArray> moved;
        problem = emptyOneFolder(root, root, moved);
        while (!moved.isEmpty()) {
            const QByteArray name = *moved.cbegin();
            moved.erase(moved.cbegin());
            const FileHandle folder(
                ::openat(root, name.constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
            const int error =
                folder.isValid() ? emptyOneFolder(folder.descriptor(), root, moved) : errno;
            problem = error != 0 ? error : problem;
            if (::unlinkat(root, name.constData(), AT_REMOVEDIR) != 0) {
                problem = errno;
            }
        }
        if (problem == 0) {
            return 0;
        }
    }
    return problem;
}

int removeBelow(int parent, const QByteArray &name)
{
    if (::unlinkat(parent, name.constData(), 0) == 0 || errno == ENOENT) {
        return 0;
    }
    unlockFolder(parent, name.constData());
    const FileHandle folder(
        ::openat(parent, name.constData(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.isValid()) {
        return errno;
    }
    const int problem = emptyFolder(folder.descriptor());
    return ::unlinkat(parent, name.constData(), AT_REMOVEDIR) == 0 ? 0
           : problem != 0                                          ? problem
                                                                   : errno;
}

} // namespace Glovebox

#endif
