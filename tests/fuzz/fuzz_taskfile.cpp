// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes are read without a crash, nothing is written for an unchanged task, and one
// changed key is written so that it can be read again.
#include "core/tasks/lint.h"
#include "core/tasks/taskfile.h"

#include <cstdint>
#include <cstdlib>

using namespace Glovebox;

namespace {

void require(const bool holds)
{
    if (!holds) {
        std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const TaskDocument document = TaskDocument::parse(bytes);
    require(document.bytes() == bytes);
    for (const QString &key : TaskDocument::knownKeys()) {
        require(document.withKey(key, document.task()) == bytes);
    }
    const QList<Problem> problems = lintTask(document, {});
    for (const Problem &problem : problems) {
        require(!problem.message.isEmpty() && !problem.code.isEmpty());
        for (const Fix &fix : problem.fixes) {
            require(applyFix(bytes, fix) != bytes);
        }
    }
    TaskFile task = document.task();
    task.branch = QStringLiteral("fuzz/branch");
    task.scope << QStringLiteral("**/fuzz");
    for (const QString &key : {QStringLiteral("branch"), QStringLiteral("scope")}) {
        const QByteArray written = document.withKey(key, task);
        const TaskDocument again = TaskDocument::parse(written);
        require(again.canChange() == document.canChange());
        require(again.task().instructions == document.task().instructions);
        require(again.task().forbid == document.task().forbid);
    }
    return 0;
}
