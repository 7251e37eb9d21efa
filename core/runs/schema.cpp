// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/schema.h"

namespace Glovebox {

namespace {

QStringList runTables()
{
    return {
        QStringLiteral("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT"),
        QStringLiteral("CREATE TABLE run (id TEXT PRIMARY KEY, repository TEXT NOT NULL, "
                       "git_folder TEXT NOT NULL, "
                       "task_path TEXT NOT NULL, task_digest TEXT NOT NULL, title TEXT NOT NULL, "
                       "follows TEXT REFERENCES run(id), round INTEGER NOT NULL DEFAULT 1, attempt "
                       "INTEGER NOT NULL DEFAULT 1, "
                       "provider TEXT NOT NULL, agent TEXT NOT NULL, phase TEXT NOT NULL, outcome "
                       "TEXT, message TEXT, "
                       "last_words TEXT, cost_usd REAL, input_tokens INTEGER, output_tokens "
                       "INTEGER, base TEXT NOT "
                       "NULL, tip TEXT, "
                       "wanted_branch TEXT NOT NULL, branch TEXT, plan TEXT NOT NULL, plan_digest "
                       "TEXT NOT NULL, "
                       "owner TEXT NOT NULL, created INTEGER NOT NULL, ended INTEGER, "
                       "CHECK ((outcome IS NULL) = (ended IS NULL))) STRICT"),
        QStringLiteral("CREATE INDEX run_created ON run(created DESC)"),
        QStringLiteral("CREATE INDEX run_open ON run(ended) WHERE ended IS NULL"),
        QStringLiteral(
            "CREATE TABLE phase_event (run TEXT NOT NULL REFERENCES run(id) ON DELETE CASCADE, seq "
            "INTEGER NOT NULL, "
            "came_from TEXT NOT NULL, went_to TEXT NOT NULL, at INTEGER NOT NULL, code TEXT, "
            "message TEXT, detail TEXT, PRIMARY KEY (run, seq)) STRICT"),
    };
}

QStringList sandboxTables()
{
    return {
        QStringLiteral(
            "CREATE TABLE sandbox (key TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES run(id), "
            "role TEXT NOT NULL, "
            "provider TEXT NOT NULL, native_id TEXT, state TEXT NOT NULL, image_digest TEXT, "
            "policy_digest TEXT NOT NULL, deadline INTEGER, saved_tip TEXT, tries INTEGER NOT NULL "
            "DEFAULT 0, "
            "last_error TEXT, created INTEGER NOT NULL, gone_at INTEGER, UNIQUE (provider, "
            "native_id), "
            "CHECK (state IN ('planned','live','kept','ending','gone'))) STRICT"),
        QStringLiteral(
            "CREATE TABLE command (id TEXT PRIMARY KEY, sandbox TEXT NOT NULL REFERENCES "
            "sandbox(key) ON DELETE CASCADE, "
            "purpose TEXT NOT NULL, argv TEXT NOT NULL, limit_s INTEGER NOT NULL, state TEXT NOT "
            "NULL, "
            "end_kind TEXT, code INTEGER, out_offset INTEGER NOT NULL DEFAULT 0, out_length "
            "INTEGER NOT NULL DEFAULT 0, "
            "err_offset INTEGER NOT NULL DEFAULT 0, err_length INTEGER NOT NULL DEFAULT 0, "
            "not_kept INTEGER NOT NULL DEFAULT 0, log TEXT, started INTEGER, duration_ms INTEGER, "
            "CHECK (state <> 'ended' OR end_kind IS NOT NULL)) STRICT"),
    };
}

QStringList resultTables()
{
    return {
        QStringLiteral("CREATE TABLE checkpoint (run TEXT NOT NULL REFERENCES run(id) ON DELETE "
                       "CASCADE, seq INTEGER NOT NULL, tip TEXT NOT NULL, "
                       "file TEXT NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, sealed "
                       "INTEGER NOT NULL, "
                       "at INTEGER NOT NULL, PRIMARY KEY (run, seq)) STRICT"),
        QStringLiteral("CREATE TABLE evidence (id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES "
                       "run(id) ON DELETE CASCADE, command TEXT NOT NULL, "
                       "name TEXT NOT NULL, line TEXT NOT NULL, subject TEXT NOT NULL, commit_id "
                       "TEXT NOT NULL, role TEXT NOT NULL, "
                       "policy_digest TEXT NOT NULL, end_kind TEXT NOT NULL, code INTEGER NOT "
                       "NULL, duration_ms INTEGER NOT NULL, "
                       "log TEXT NOT NULL, output_sha256 TEXT NOT NULL, output_bytes INTEGER NOT "
                       "NULL, at INTEGER NOT NULL) STRICT"),
        QStringLiteral(
            "CREATE TABLE proof (id INTEGER PRIMARY KEY, run TEXT REFERENCES run(id) ON DELETE SET "
            "NULL, provider TEXT NOT NULL, "
            "policy_digest TEXT NOT NULL, canary TEXT NOT NULL, expected TEXT NOT NULL, seen TEXT "
            "NOT NULL, "
            "passed INTEGER NOT NULL, tried INTEGER NOT NULL, at INTEGER NOT NULL) STRICT"),
        QStringLiteral("CREATE TABLE egress (run TEXT NOT NULL REFERENCES run(id) ON DELETE "
                       "CASCADE, host TEXT NOT NULL, port INTEGER NOT NULL, "
                       "allowed INTEGER NOT NULL, count INTEGER NOT NULL, first INTEGER, last "
                       "INTEGER, source TEXT NOT NULL, "
                       "PRIMARY KEY (run, host, port, allowed, source)) STRICT"),
        QStringLiteral("CREATE TABLE import (run TEXT NOT NULL REFERENCES run(id) ON DELETE "
                       "CASCADE, seq INTEGER NOT NULL, file TEXT NOT NULL, "
                       "sha256 TEXT NOT NULL, tip TEXT, verdict TEXT NOT NULL, code TEXT, reason "
                       "TEXT, ref TEXT, at INTEGER NOT NULL, "
                       "PRIMARY KEY (run, seq)) STRICT"),
        QStringLiteral("CREATE TABLE hazard (run TEXT NOT NULL REFERENCES run(id) ON DELETE "
                       "CASCADE, seq INTEGER NOT NULL, commit_id TEXT, path BLOB, "
                       "kind TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (run, seq)) STRICT"),
    };
}

} // namespace

const QList<QStringList> &schemaSteps()
{
    static const QList<QStringList> steps{runTables() + sandboxTables() + resultTables()};
    return steps;
}

} // namespace Glovebox
