// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"

#include <QCoreApplication>

namespace Glovebox {

QString errorCodeName(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Cancelled:
        return QStringLiteral("cancelled");
    case ErrorCode::TimedOut:
        return QStringLiteral("timed_out");
    case ErrorCode::NotInstalled:
        return QStringLiteral("not_installed");
    case ErrorCode::NotSignedIn:
        return QStringLiteral("not_signed_in");
    case ErrorCode::Forbidden:
        return QStringLiteral("forbidden");
    case ErrorCode::InvalidRequest:
        return QStringLiteral("invalid_request");
    case ErrorCode::NotSupported:
        return QStringLiteral("not_supported");
    case ErrorCode::PolicyNotEnforceable:
        return QStringLiteral("policy_not_enforceable");
    case ErrorCode::NotFound:
        return QStringLiteral("not_found");
    case ErrorCode::AlreadyExists:
        return QStringLiteral("already_exists");
    case ErrorCode::LimitReached:
        return QStringLiteral("limit_reached");
    case ErrorCode::Busy:
        return QStringLiteral("busy");
    case ErrorCode::Unreachable:
        return QStringLiteral("unreachable");
    case ErrorCode::ConnectionLost:
        return QStringLiteral("connection_lost");
    case ErrorCode::SandboxGone:
        return QStringLiteral("sandbox_gone");
    case ErrorCode::TooLarge:
        return QStringLiteral("too_large");
    case ErrorCode::DamagedInTransit:
        return QStringLiteral("damaged_in_transit");
    case ErrorCode::DiskFull:
        return QStringLiteral("disk_full");
    case ErrorCode::FileError:
        return QStringLiteral("file_error");
    case ErrorCode::CommandFailed:
        return QStringLiteral("command_failed");
    case ErrorCode::UnexpectedReply:
        return QStringLiteral("unexpected_reply");
    }
    Q_UNREACHABLE();
}

Error cancelledError()
{
    return {ErrorCode::Cancelled, QCoreApplication::translate("Error", "Stopped on request."), {}};
}

} // namespace Glovebox
