// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariantList>

#include <functional>

namespace Glovebox {

/// Runs one statement with values for its question marks.
[[nodiscard]] Result<QSqlQuery> execute(const QSqlDatabase &database, const QString &statement,
                                        const QVariantList &values = {});

/// Of a statement whose rows don't matter: whether it went well.
[[nodiscard]] inline Result<void> ignoreRows(Result<QSqlQuery> query)
{
    return std::move(query).map([](const QSqlQuery &) {});
}

/// Runs \a work in one immediate transaction; rolls back when it fails.
[[nodiscard]] Result<void> inTransaction(const QSqlDatabase &database,
                                         const std::function<Result<void>()> &work);

/// Every row of a query through \a read.
template<typename T, typename Read>
[[nodiscard]] Result<QList<T>> readAll(const QSqlDatabase &database, const QString &statement,
                                       const QVariantList &values, Read read)
{
    Result<QSqlQuery> query = execute(database, statement, values);
    if (!query) {
        return fail(query.error());
    }
    QList<T> rows;
    while (query->next()) {
        rows << read(*query);
    }
    return rows;
}

[[nodiscard]] QVariant timeValue(const QDateTime &time); ///< ms since 1970 UTC, or NULL
[[nodiscard]] QDateTime timeOf(const QVariant &value);
[[nodiscard]] QVariant textOrNull(const QString &text);

template<typename T>
[[nodiscard]] QVariant valueOrNull(const std::optional<T> &value)
{
    return value ? QVariant::fromValue(*value) : QVariant();
}

} // namespace Glovebox
