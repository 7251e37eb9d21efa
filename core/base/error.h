// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <tl/expected.hpp>

namespace Glovebox {

/// Why something could not be done, for programs. What a person reads is Error::message.
/// The command that runs inside a sandbox failing is never one of these: that is a CommandResult.
enum class ErrorCode {
    Cancelled, ///< the user or a stop token asked for it; never shown as a failure
    TimedOut,
    NotInstalled,
    NotSignedIn,
    Forbidden,
    InvalidRequest, ///< also: bad input from a user or a file
    NotSupported,
    PolicyNotEnforceable,
    NotFound,
    AlreadyExists,
    LimitReached,
    Busy,           ///< retried
    Unreachable,    ///< retried
    ConnectionLost, ///< retried; never says that the command failed
    SandboxGone,    ///< the sandbox ended before its time
    TooLarge,
    DamagedInTransit, ///< retried once
    DiskFull,
    FileError,       ///< a file of ours could not be read or written
    CommandFailed,   ///< a host program (git, mostly) ended with an error
    UnexpectedReply, ///< a service or file answered something we don't understand; cleaned in
                     ///< detail
};

/// The name used in JSON, the database and logs: snake_case, never translated.
[[nodiscard]] QString errorCodeName(ErrorCode code);

/// A failure: a code for programs, one translated sentence for a person that says what happened and
/// what to do, and raw detail that is free of secrets (callers redact before they put it here).
struct Error
{
    ErrorCode code = ErrorCode::UnexpectedReply;
    QString message;
    QString detail;
};

template<typename T>
using Result = tl::expected<T, Error>;

/// `return fail(ErrorCode::NotFound, tr("…"));`
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, QString message,
                                                QString detail = {})
{
    return tl::unexpected<Error>(Error{code, std::move(message), std::move(detail)});
}

/// Passes the error of one Result on as the error of another type.
[[nodiscard]] inline tl::unexpected<Error> fail(Error error)
{
    return tl::unexpected<Error>(std::move(error));
}

/// The error that every stopped leaf returns.
[[nodiscard]] Error cancelledError();

} // namespace Glovebox
