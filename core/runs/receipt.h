// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/runs/run.h"
#include "core/runs/runstore.h"

namespace Glovebox {

/// All that is known of one run.
struct RunReport
{
    RunRecord run;
    QList<PhaseEvent> phases;
    QList<SandboxRecord> sandboxes;
    QList<Evidence> evidence;
    QList<ProofRecord> proofs;
    QList<EgressRecord> egress;
    QList<CheckpointRecord> checkpoints;
    QList<ImportRecord> imports;
    QList<HazardRecord> hazards;
    QStringList outOfScope; ///< display text; like the warnings, of a past run from its dossier
    QStringList warnings;
};

[[nodiscard]] Result<RunReport> readReport(const RunStore &store, const QString &run);
/// Of a run that this process works on: its dossier may not be written yet.
[[nodiscard]] Result<RunReport> readReport(const RunStore &store, const Run &run);

/// The document that `glovebox-cli run --json` ends with and `runs show --json` prints. Its keys
/// are documented in app/cli/README.md.
[[nodiscard]] QJsonObject reportJson(const RunReport &report);

/// The receipt: an in-toto statement (v1) whose subject is the tip, signed by nobody and tied
/// together by digests. Null subject digest when nothing came back.
[[nodiscard]] QJsonObject receiptJson(const RunReport &report);

/// Writes the run as plain files into its folder: task.md, plan.json, report.json, receipt.json,
/// beside the logs and bundles that are there already.
[[nodiscard]] Result<void> writeDossier(const Run &run, const RunStore &store);

/// Copies a run's dossier to a new folder; it can be read without the application.
[[nodiscard]] Result<void> exportDossier(const RunStore &store, const QString &run,
                                         const QString &target);

} // namespace Glovebox
