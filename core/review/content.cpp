// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/review/content.h"

#include "core/review/changeset.h"

#include <QCoreApplication>

#include <algorithm>

namespace Glovebox {

using namespace LibGit2;

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(ChangeSet)
};

constexpr qsizetype sampleBytes = 1 << 20;

bool startsWith(QByteArrayView bytes, QByteArrayView mark)
{
    return bytes.size() >= mark.size() && bytes.first(mark.size()) == mark;
}

bool hasWideMark(QByteArrayView bytes)
{
    return startsWith(bytes, QByteArrayView("\xff\xfe", 2)) ||
           startsWith(bytes, QByteArrayView("\xfe\xff", 2)) ||
           startsWith(bytes, QByteArrayView("\0\0\xfe\xff", 4));
}

/// UTF-16 of mostly Latin text without a mark: NULs on one side of each pair, hardly any on the
/// other.
bool looksWide(QByteArrayView bytes)
{
    qsizetype zeros[2] = {0, 0};
    for (qsizetype i = 0; i < bytes.size(); ++i) {
        zeros[i & 1] += bytes.at(i) == '\0' ? 1 : 0;
    }
    const qsizetype pairs = bytes.size() / 2;
    const auto [few, many] = std::minmax(zeros[0], zeros[1]);
    return pairs > 0 && many * 10 >= pairs * 6 && few * 100 <= pairs;
}

bool isControl(uchar byte)
{
    constexpr QByteArrayView usual("\t\n\v\f\r\b\x1b");
    return byte == 0x7f || (byte < 0x20 && !usual.contains(static_cast<char>(byte)));
}

/// How long the UTF-8 sequence at the start of \a bytes is; 0 when it is none. One that the
/// sample's end cuts counts as whole.
qsizetype sequenceLength(QByteArrayView bytes)
{
    const auto first = static_cast<uchar>(bytes.front());
    const qsizetype length = first < 0xc2   ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
    for (qsizetype i = 1; i < std::min(length, bytes.size()); ++i) {
        if ((static_cast<uchar>(bytes.at(i)) & 0xc0) != 0x80) {
            return 0;
        }
    }
    return std::min(length, bytes.size());
}

Error unreadable(const QString &id)
{
    return {ErrorCode::FileError,
            Tr::tr("The object %1 cannot be read. Check the repository with \"git fsck\".")
                .arg(id.left(12)),
            lastError()};
}

} // namespace

bool isBinaryContent(QByteArrayView bytes)
{
    bytes = bytes.first(std::min(bytes.size(), sampleBytes));
    if (bytes.isEmpty() || hasWideMark(bytes) || looksWide(bytes)) {
        return false;
    }
    qsizetype controls = 0;
    qsizetype strange = 0;
    for (qsizetype i = 0; i < bytes.size();) {
        const auto byte = static_cast<uchar>(bytes.at(i));
        const qsizetype length = byte < 0x80 ? 1 : sequenceLength(bytes.sliced(i));
        controls += isControl(byte) ? 1 : 0;
        strange += length == 0 ? 1 : 0;
        i += std::max<qsizetype>(length, 1);
    }
    // Text in an older encoding has many bytes that are no UTF-8, but hardly a control byte.
    const bool olderText = controls * 200 <= bytes.size();
    const qsizetype nonText = controls + (olderText ? 0 : strange);
    return nonText * 10 > bytes.size() * 3;
}

Result<Content> Content::read(git_repository *repository, const QString &id, quint32 mode)
{
    Content content;
    const std::optional<git_oid> oid = oidOf(id);
    if (!oid || git_oid_is_zero(&*oid) != 0) {
        return content;
    }
    if (mode == GIT_FILEMODE_COMMIT) {
        content.m_line = "Subproject commit " + id.toLatin1() + '\n';
        content.m_bytes = content.m_line;
        return content;
    }
    const auto odb = make<Odb>(git_repository_odb, repository);
    size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    if (!odb || git_odb_read_header(&size, &type, odb.get(), &*oid) != 0) {
        return fail(unreadable(id));
    }
    if (size > static_cast<size_t>(maximumFileBytes)) {
        content.m_tooLarge = true;
        return content;
    }
    content.m_blob = make<Blob>(git_blob_lookup, repository, &*oid);
    if (!content.m_blob) {
        return fail(unreadable(id));
    }
    content.m_bytes =
        QByteArrayView(static_cast<const char *>(git_blob_rawcontent(content.m_blob.get())),
                       static_cast<qsizetype>(git_blob_rawsize(content.m_blob.get())));
    if (std::count(content.m_bytes.begin(), content.m_bytes.end(), '\n') > maximumFileLines) {
        content.m_tooLarge = true;
        content.m_bytes = {};
        content.m_blob.reset();
    }
    return content;
}

int lineCount(QByteArrayView bytes)
{
    const auto ends = std::count(bytes.begin(), bytes.end(), '\n');
    const bool open = !bytes.isEmpty() && bytes.back() != '\n';
    return static_cast<int>(ends) + (open ? 1 : 0);
}

git_diff_options textDiffOptions(int context)
{
    git_diff_options options;
    git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    options.flags = GIT_DIFF_FORCE_TEXT;
    options.context_lines = static_cast<uint32_t>(std::max(context, 0));
    options.max_size = maximumFileBytes;
    return options;
}

} // namespace Glovebox
