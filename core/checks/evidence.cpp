// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/checks/evidence.h"

#include <QCoreApplication>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Evidence)
};

} // namespace

QString subjectName(Subject subject)
{
    switch (subject) {
    case Subject::Branch:
        return QStringLiteral("branch");
    case Subject::Base:
        return QStringLiteral("base");
    case Subject::BranchWithBaseTests:
        return QStringLiteral("branch_with_base_tests");
    }
    Q_UNREACHABLE();
}

QString subjectText(Subject subject)
{
    switch (subject) {
    case Subject::Branch:
        return Tr::tr("Branch");
    case Subject::Base:
        return Tr::tr("Base");
    case Subject::BranchWithBaseTests:
        return Tr::tr("Branch with the base's tests");
    }
    Q_UNREACHABLE();
}

} // namespace Glovebox
