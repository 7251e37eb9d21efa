// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/safefolder.h"

#include "core/base/ids.h"
#include "core/base/removetree.h"

#include <QCoreApplication>
#include <QFile>
#include <QStringList>

#ifdef Q_OS_UNIX
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif
#ifdef Q_OS_LINUX
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(SafeFolder)
};

} // namespace

FileHandle &FileHandle::operator=(FileHandle &&other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

int FileHandle::release()
{
    return std::exchange(m_descriptor, -1);
}

#ifdef Q_OS_UNIX

namespace {

constexpr qint64 pieceSize = 1024LL * 1024;

#ifdef O_PATH
constexpr int lookOnly = O_PATH;
#else
constexpr int lookOnly = O_RDONLY;
#endif

tl::unexpected<Error> failure(const QString &path, int error)
{
    const QString words = QString::fromLocal8Bit(std::strerror(error));
    switch (error) {
    case ENOENT:
        return fail(ErrorCode::NotFound, Tr::tr("%1 is not there.").arg(path), words);
    case ELOOP:
    case ENOTDIR:
    case EISDIR:
    case ENXIO:
    case EXDEV:
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("%1 is a link, a folder or a device, not a plain file.").arg(path),
                    words);
    case ENOSPC:
    case EDQUOT:
        return fail(ErrorCode::DiskFull, Tr::tr("The disk is full: %1 was not written.").arg(path),
                    words);
    default:
        return fail(ErrorCode::FileError, Tr::tr("%1 could not be used: %2").arg(path, words),
                    words);
    }
}

bool isSafePath(const QString &path)
{
    if (path.isEmpty() || path.contains(QChar::Null)) {
        return false;
    }
    const QStringList parts = path.split(QLatin1Char('/'));
    return std::none_of(parts.cbegin(), parts.cend(), [](const QString &part) {
        return part.isEmpty() || part == QLatin1String(".") || part == QLatin1String("..");
    });
}

/// Component by component, where the kernel can't do it in one go.
int openSlowly(int root, const QByteArray &path, int flags)
{
    FileHandle folder;
    int current = root;
    const QList<QByteArray> parts = path.split('/');
    for (qsizetype i = 0; i + 1 < parts.size(); ++i) {
        folder = FileHandle(::openat(current, parts[i].constData(),
                                     lookOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!folder.isValid()) {
            return -1;
        }
        current = folder.descriptor();
    }
    return ::openat(current, parts.last().constData(), flags | O_NOFOLLOW);
}

int openBelow(int root, const QByteArray &path, int flags)
{
#ifdef SYS_openat2
    open_how how{};
    how.flags = static_cast<quint64>(flags);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    const auto descriptor =
        static_cast<int>(::syscall(SYS_openat2, root, path.constData(), &how, sizeof how));
    if (descriptor >= 0 || (errno != ENOSYS && errno != EPERM && errno != EAGAIN)) {
        return descriptor;
    }
#endif
    return openSlowly(root, path, flags);
}

bool writeAll(int descriptor, const char *data, qint64 size)
{
    while (size > 0) {
        const ssize_t written = ::write(descriptor, data, static_cast<size_t>(size));
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        data += written;
        size -= written;
    }
    return true;
}

/// 0 = done, EFBIG = more than the maximum, else errno.
int copyBytes(int from, int to, qint64 maximum)
{
    QByteArray piece(pieceSize, Qt::Uninitialized);
    qint64 total = 0;
    for (;;) {
        const ssize_t got = ::read(from, piece.data(), static_cast<size_t>(piece.size()));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return errno;
        }
        if (got == 0) {
            return 0;
        }
        total += got;
        if (maximum >= 0 && total > maximum) {
            return EFBIG;
        }
        if (!writeAll(to, piece.constData(), got)) {
            return errno;
        }
    }
}

QByteArray lastPart(const QString &path)
{
    return QFile::encodeName(path.section(QLatin1Char('/'), -1));
}

tl::unexpected<Error> badPath(const QString &path)
{
    return fail(ErrorCode::InvalidRequest,
                Tr::tr("“%1” is not a path inside the folder.").arg(path));
}

tl::unexpected<Error> tooLarge(const QString &path, qint64 maximum)
{
    return fail(ErrorCode::TooLarge, Tr::tr("%1 is larger than %2 bytes.").arg(path).arg(maximum));
}

} // namespace

FileHandle::~FileHandle()
{
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
    }
}

Result<SafeFolder> SafeFolder::open(const QString &root)
{
    const int descriptor =
        ::open(QFile::encodeName(root).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        return failure(root, errno);
    }
    return SafeFolder(std::make_shared<const FileHandle>(descriptor), root);
}

Result<void> SafeFolder::removeFolder(const QString &root)
{
    const int problem = removeBelow(AT_FDCWD, QFile::encodeName(root));
    if (problem != 0) {
        return failure(root, problem);
    }
    return {};
}

Result<FileHandle> SafeFolder::openFile(const QString &path) const
{
    if (!isSafePath(path)) {
        return badPath(path);
    }
    FileHandle file(openBelow(m_root->descriptor(), QFile::encodeName(path),
                              O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file.isValid()) {
        return failure(path, errno);
    }
    struct stat status
    {
    };
    if (::fstat(file.descriptor(), &status) != 0) {
        return failure(path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return failure(path, ELOOP);
    }
    return file;
}

Result<QByteArray> SafeFolder::read(const QString &path, qint64 maximum) const
{
    const Result<FileHandle> file = openFile(path);
    if (!file) {
        return fail(file.error());
    }
    QByteArray bytes;
    QByteArray piece(qMin(pieceSize, maximum + 1), Qt::Uninitialized);
    for (;;) {
        const ssize_t got =
            ::read(file->descriptor(), piece.data(), static_cast<size_t>(piece.size()));
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return failure(path, errno);
        }
        if (got == 0) {
            return bytes;
        }
        bytes.append(piece.constData(), got);
        if (bytes.size() > maximum) {
            return tooLarge(path, maximum);
        }
    }
}

Result<void> SafeFolder::copyOut(const QString &path, const QString &target, qint64 maximum) const
{
    const Result<FileHandle> file = openFile(path);
    if (!file) {
        return fail(file.error());
    }
    struct stat status
    {
    };
    if (::fstat(file->descriptor(), &status) != 0) {
        return failure(path, errno);
    }
    if (status.st_size > maximum) {
        return tooLarge(path, maximum);
    }
    const QByteArray name = QFile::encodeName(target);
    const FileHandle copy(::open(
        name.constData(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!copy.isValid()) {
        return errno == EEXIST
                   ? fail(ErrorCode::AlreadyExists, Tr::tr("%1 exists already.").arg(target))
                   : failure(target, errno);
    }
    int problem = copyBytes(file->descriptor(), copy.descriptor(), maximum);
    if (problem == 0 && ::fsync(copy.descriptor()) != 0) {
        problem = errno;
    }
    if (problem == 0) {
        return {};
    }
    ::unlink(name.constData());
    if (problem == EFBIG) {
        return tooLarge(path, maximum);
    }
    return failure(target, problem);
}

Result<FileHandle> SafeFolder::openParent(const QString &path) const
{
    const QString parent = path.section(QLatin1Char('/'), 0, -2);
    if (parent.isEmpty()) {
        return FileHandle(::fcntl(m_root->descriptor(), F_DUPFD_CLOEXEC, 0));
    }
    FileHandle folder(openBelow(m_root->descriptor(), QFile::encodeName(parent),
                                O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder.isValid()) {
        return failure(parent, errno);
    }
    return folder;
}

Result<FileHandle> SafeFolder::beginWriting(const FileHandle &parent, const QByteArray &sideName,
                                            const QString &path) const
{
    FileHandle file(::openat(parent.descriptor(), sideName.constData(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                             S_IRUSR | S_IWUSR));
    if (!file.isValid()) {
        return failure(path, errno);
    }
    return file;
}

Result<void> SafeFolder::finishWriting(const FileHandle &parent, const QByteArray &sideName,
                                       const QString &path, const FileHandle &file) const
{
    struct stat owner
    {
    };
    int problem = ::fstat(parent.descriptor(), &owner) == 0 ? 0 : errno;
    // As root, a sandbox may run as somebody else: what is put there is to be theirs.
    if (problem == 0 && owner.st_uid != ::geteuid() &&
        ::fchown(file.descriptor(), owner.st_uid, owner.st_gid) != 0) {
        problem = errno;
    }
    if (problem == 0 && ::renameat(parent.descriptor(), sideName.constData(), parent.descriptor(),
                                   lastPart(path).constData()) != 0) {
        problem = errno;
    }
    if (problem == 0) {
        return {};
    }
    ::unlinkat(parent.descriptor(), sideName.constData(), 0);
    return failure(path, problem);
}

Result<void> SafeFolder::write(const QString &path, const QByteArray &bytes) const
{
    if (!isSafePath(path)) {
        return badPath(path);
    }
    const QString folder = path.section(QLatin1Char('/'), 0, -2);
    if (const Result<void> made = folder.isEmpty() ? Result<void>() : makeFolder(folder); !made) {
        return made;
    }
    const Result<FileHandle> parent = openParent(path);
    if (!parent) {
        return fail(parent.error());
    }
    const QByteArray sideName = ".put-" + newId().toLatin1();
    const Result<FileHandle> file = beginWriting(*parent, sideName, path);
    if (!file) {
        return fail(file.error());
    }
    if (!writeAll(file->descriptor(), bytes.constData(), bytes.size())) {
        const int problem = errno;
        ::unlinkat(parent->descriptor(), sideName.constData(), 0);
        return failure(path, problem);
    }
    return finishWriting(*parent, sideName, path, *file);
}

Result<void> SafeFolder::copyIn(const QString &path, const QString &source) const
{
    if (!isSafePath(path)) {
        return badPath(path);
    }
    const FileHandle from(::open(QFile::encodeName(source).constData(), O_RDONLY | O_CLOEXEC));
    if (!from.isValid()) {
        return failure(source, errno);
    }
    const QString folder = path.section(QLatin1Char('/'), 0, -2);
    if (const Result<void> made = folder.isEmpty() ? Result<void>() : makeFolder(folder); !made) {
        return made;
    }
    const Result<FileHandle> parent = openParent(path);
    if (!parent) {
        return fail(parent.error());
    }
    const QByteArray sideName = ".put-" + newId().toLatin1();
    const Result<FileHandle> file = beginWriting(*parent, sideName, path);
    if (!file) {
        return fail(file.error());
    }
    if (const int problem = copyBytes(from.descriptor(), file->descriptor(), -1); problem != 0) {
        ::unlinkat(parent->descriptor(), sideName.constData(), 0);
        return failure(path, problem);
    }
    return finishWriting(*parent, sideName, path, *file);
}

Result<void> SafeFolder::makeFolder(const QString &path) const
{
    if (!isSafePath(path)) {
        return badPath(path);
    }
    FileHandle current(::fcntl(m_root->descriptor(), F_DUPFD_CLOEXEC, 0));
    struct stat owner
    {
    };
    if (!current.isValid() || ::fstat(current.descriptor(), &owner) != 0) {
        return failure(path, errno);
    }
    for (const QString &part : path.split(QLatin1Char('/'))) {
        const QByteArray name = QFile::encodeName(part);
        const bool made = ::mkdirat(current.descriptor(), name.constData(), S_IRWXU) == 0;
        if (!made && errno != EEXIST) {
            return failure(path, errno);
        }
        FileHandle next(::openat(current.descriptor(), name.constData(),
                                 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!next.isValid()) {
            return failure(path, errno);
        }
        if (made && owner.st_uid != ::geteuid() &&
            ::fchown(next.descriptor(), owner.st_uid, owner.st_gid) != 0) {
            return failure(path, errno);
        }
        current = std::move(next);
    }
    return {};
}

Result<FileHandle> SafeFolder::makePipe(const QString &path) const
{
    if (!isSafePath(path)) {
        return badPath(path);
    }
    const Result<FileHandle> parent = openParent(path);
    if (!parent) {
        return fail(parent.error());
    }
    struct stat status
    {
    };
    const QByteArray name = lastPart(path);
    if (::fstat(parent->descriptor(), &status) != 0 ||
        ::mkfifoat(parent->descriptor(), name.constData(), S_IRUSR | S_IWUSR) != 0) {
        return failure(path, errno);
    }
    FileHandle pipe(::openat(parent->descriptor(), name.constData(),
                             O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC));
    const uid_t owner = status.st_uid;
    const gid_t group = status.st_gid;
    if (!pipe.isValid() || ::fstat(pipe.descriptor(), &status) != 0) {
        return failure(path, errno);
    }
    if (!S_ISFIFO(status.st_mode)) {
        return failure(path, ELOOP);
    }
    if (owner != ::geteuid() && ::fchown(pipe.descriptor(), owner, group) != 0) {
        return failure(path, errno);
    }
    return pipe;
}

Result<void> SafeFolder::remove(const QString &path) const
{
    if (!isSafePath(path)) {
        return badPath(path);
    }
    const Result<FileHandle> parent = openParent(path);
    if (!parent) {
        return parent.error().code == ErrorCode::NotFound ? Result<void>()
                                                          : Result<void>(fail(parent.error()));
    }
    if (const int problem = removeBelow(parent->descriptor(), lastPart(path)); problem != 0) {
        return failure(path, problem);
    }
    return {};
}

Result<void> SafeFolder::clear() const
{
    if (const int problem = emptyFolder(m_root->descriptor()); problem != 0) {
        return failure(m_path, problem);
    }
    return {};
}

#else // no descriptors of folders here

FileHandle::~FileHandle() = default;

Result<SafeFolder> SafeFolder::open(const QString &)
{
    return fail(ErrorCode::NotSupported,
                Tr::tr("Folders of sandboxes on this machine need Linux or macOS."));
}

#endif

} // namespace Glovebox
