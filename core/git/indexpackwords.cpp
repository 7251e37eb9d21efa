// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/git/indexpackwords.h"

#include <QCoreApplication>

#include <re2/re2.h>

#include <string>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(IndexPackWords)
};

bool says(const std::string &words, const char *pattern)
{
    return RE2::PartialMatch(words, pattern);
}

Refusal incomplete()
{
    return refusal("objects", "pack-incomplete",
                   Tr::tr("Objects that the returned branch needs are not in the bundle."));
}

Refusal failedCheck(const std::string &words)
{
    // error: object 0123…: hasDotgit: contains '.git'
    std::string check;
    if (!RE2::PartialMatch(words, "[0-9a-f]{40}: ([a-zA-Z0-9]{1,40}):", &check)) {
        check = "badObject";
    }
    return refusal("objects", "fsck",
                   Tr::tr("The returned branch holds an object that git's own checks forbid (%1).")
                       .arg(QString::fromStdString(check)));
}

} // namespace

Result<Refusal> explainIndexPack(const ProcessResult &result)
{
    const std::string words = result.error.left(64LL * 1024).toStdString();
    if (says(words, "No space left|Disk quota exceeded")) {
        return fail(ErrorCode::DiskFull,
                    Tr::tr("There is not enough room to check the bundle. Make "
                           "room on the disk and try again."));
    }
    if (says(words, "cannot be mapped")) { // a pack of the user's own repository
        return fail(ErrorCode::TooLarge,
                    Tr::tr("Git could not read your repository's own packs within the memory that "
                           "an import may use. Run git repack -a -d "
                           "--window-memory=1g --max-pack-size=1g there, then import again."));
    }
    const bool killed = result.exitCode > 128; // by one of the limits that the kernel keeps for it
    if (killed || says(words, "exceeds maximum allowed size|out of memory|File too large")) {
        return refusal("limits", "bundle-too-big",
                       Tr::tr("Unpacking the bundle takes more room or time than is allowed."));
    }
    if (says(words, "SHA1 COLLISION|collision")) {
        return refusal("objects", "hash-mismatch",
                       Tr::tr("An object of the bundle has the name of one in your repository and "
                              "other content. Run git fsck in your repository."));
    }
    if (says(words, "did not receive expected|object of expected type|is a blob, not a tree|"
                    "Failed to traverse")) {
        return incomplete();
    }
    if (says(words, "fsck error in packed object|(tree|commit|blob|tag) [0-9a-f]+: [a-zA-Z0-9]+:|"
                    "error in object|gitmodules|object [0-9a-f]+: [a-zA-Z]+:|invalid object|"
                    "cannot be parsed|too-short tree|malformed")) {
        return failedCheck(words);
    }
    return refusal(
        "pack", "pack-corrupt",
        Tr::tr("The bundle's pack is damaged. The download may have gone wrong: fetch it "
               "again."));
}

} // namespace Glovebox
