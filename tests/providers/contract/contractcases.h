// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "tests/fakes/textsink.h"
#include "tests/providers/contract/harness.h"
#include "tests/support/testing.h"

namespace Glovebox::Testing {

/// One run of one case: a provider and a sandbox of its own, both gone afterwards.
class CaseContext final
{
public:
    explicit CaseContext(ContractHarness &harness);
    ~CaseContext();
    CaseContext(const CaseContext &) = delete;

    /// Makes the sandbox of this case; the reason when it cannot.
    [[nodiscard]] QString make();
    [[nodiscard]] Command shell(const QString &line) const;
    /// Runs a command to its end; its words are in sink.
    [[nodiscard]] Result<CommandResult> run(const Command &command);
    /// Whether processes that wrote to \a file, with their numbers in \a file.pids, still do.
    [[nodiscard]] bool beats(const QString &file);
    [[nodiscard]] ServiceControl &control() { return *harness.control(); }
    [[nodiscard]] Result<QList<SandboxInfo>> list();

    ContractHarness &harness;
    QString runId; ///< in the labels
    std::shared_ptr<SandboxProvider> provider;
    std::shared_ptr<Sandbox> sandbox;
    std::shared_ptr<TextSink> sink;
};

/// A case answers what is wrong; nothing when all is well.
struct ContractCase
{
    enum class Needs { Nothing, Control };
    QString id;
    QString name;
    QString (*check)(CaseContext &);
    Needs needs = Needs::Nothing; ///< Control: only where the service can be made to fail
};

[[nodiscard]] QList<ContractCase> commandCases(); ///< C01 to C17
[[nodiscard]] QList<ContractCase> fileCases();    ///< C18 to C22
[[nodiscard]] QList<ContractCase> serviceCases(); ///< C23 to C42

/// How large the large files are: GLOVEBOX_CONTRACT_MIB, 200 by default.
[[nodiscard]] qint64 largeBytes();

/// `main` of a suite: one data row for each case. GLOVEBOX_CONTRACT_RESULTS names a JSON file for
/// the rows (backend, case, name, result, reason).
int runContract(ContractHarness &harness, int argc, char **argv);

#define MAKE_SANDBOX(context)                                                                      \
    do {                                                                                           \
        const QString notMade = (context).make();                                                  \
        if (!notMade.isEmpty()) {                                                                  \
            return notMade;                                                                        \
        }                                                                                          \
    } while (false)

#define EXPECT(condition, text)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            return QStringLiteral(text);                                                           \
        }                                                                                          \
    } while (false)

#define EXPECT_RESULT(result)                                                                      \
    do {                                                                                           \
        const auto &checked = (result);                                                            \
        if (!checked) {                                                                            \
            return errorText(checked.error());                                                     \
        }                                                                                          \
    } while (false)

} // namespace Glovebox::Testing
