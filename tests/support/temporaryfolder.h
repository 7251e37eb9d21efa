// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTemporaryDir>

namespace Glovebox::Testing {

/// A folder that goes with the object, but stays where GLOVEBOX_KEEP_TESTS is set: then
/// tests/tooling/sweep.py looks through what the suites left. For suites in which secrets are at
/// work, or that leave what a run leaves.
class TemporaryFolder final : public QTemporaryDir
{
public:
    TemporaryFolder() { setAutoRemove(!isKept()); }
    explicit TemporaryFolder(const QString &pattern)
        : QTemporaryDir(pattern)
    {
        setAutoRemove(!isKept());
    }

private:
    [[nodiscard]] static bool isKept() { return qEnvironmentVariableIsSet("GLOVEBOX_KEEP_TESTS"); }
};

} // namespace Glovebox::Testing
