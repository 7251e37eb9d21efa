// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/tasks/livelint.h"

#include "core/tasks/taskfile.h"

#include <QCoreApplication>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(LiveLint)
};

QList<Problem> withError(const QByteArray &text, const QString &message)
{
    Problem problem;
    problem.severity = Severity::Error;
    problem.code = QStringLiteral("repository");
    problem.message = message;
    return TaskDocument::parse(text).problems() + QList<Problem>{problem};
}

QCoro::Task<QList<Problem>> lintLive(PlannerParts parts, std::shared_ptr<ReadBase> memory,
                                     LintRequest wanted, std::stop_token stop)
{
    if (wanted.path.isEmpty() && wanted.workTree.isEmpty()) {
        co_return withError(wanted.text,
                            Tr::tr("No repository is open. Open the one that this task is for."));
    }
    PlanRequest request;
    request.taskFile = wanted.path;
    request.repository = wanted.workTree;
    const Result<LintedTask> linted =
        co_await lintTaskText(parts, request, wanted.text, memory, stop);
    if (linted) {
        co_return linted->problems;
    }
    co_return withError(wanted.text, linted.error().message);
}

} // namespace

TaskPage::Linter liveLinter(PlannerParts parts)
{
    return [parts = std::move(parts), memory = std::make_shared<ReadBase>()](
               const LintRequest &wanted, std::stop_token stop) {
        return lintLive(parts, memory, wanted, std::move(stop));
    };
}

} // namespace Glovebox
