// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/sql.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QSqlError>
#include <QVariant>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(RunStore)
};

// SQLite's own result codes: SQLITE_FULL 13, SQLITE_BUSY 5.
Error errorOf(const QSqlError &error, const QString &statement)
{
    const QString native = error.nativeErrorCode();
    if (native == QLatin1String("13")) {
        return {ErrorCode::DiskFull,
                Tr::tr("The disk is full: nothing more can be recorded. Free some room and try "
                       "again."),
                error.text()};
    }
    return {native == QLatin1String("5") ? ErrorCode::Busy : ErrorCode::FileError,
            Tr::tr("The database of the runs could not be used: %1").arg(error.databaseText()),
            statement};
}

} // namespace

Result<QSqlQuery> execute(const QSqlDatabase &database, const QString &statement,
                          const QVariantList &values)
{
    QSqlQuery query(database);
    query.setForwardOnly(true);
    if (!query.prepare(statement)) {
        return fail(errorOf(query.lastError(), statement));
    }
    for (const QVariant &value : values) {
        // A null QString is an empty text here; NULL is said by an invalid value (textOrNull).
        const bool noText = value.typeId() == QMetaType::QString && value.toString().isNull();
        query.addBindValue(noText ? QVariant(QStringLiteral("")) : value);
    }
    if (!query.exec()) {
        return fail(errorOf(query.lastError(), statement));
    }
    return query;
}

Result<void> inTransaction(const QSqlDatabase &database, const std::function<Result<void>()> &work)
{
    const auto run = [&database](const char *statement) -> Result<void> {
        return execute(database, QString::fromLatin1(statement)).map([](const QSqlQuery &) {});
    };
    Result<void> begun = run("BEGIN IMMEDIATE");
    if (!begun) {
        return begun;
    }
    Result<void> result = work();
    if (result) {
        result = run("COMMIT");
    }
    if (!result) {
        const Result<void> undone = run("ROLLBACK");
        Q_UNUSED(undone); // the first error is the one to tell
    }
    return result;
}

QVariant timeValue(const QDateTime &time)
{
    return time.isValid() ? QVariant(time.toMSecsSinceEpoch()) : QVariant();
}

QDateTime timeOf(const QVariant &value)
{
    return value.isNull() ? QDateTime()
                          : QDateTime::fromMSecsSinceEpoch(value.toLongLong(), Qt::UTC);
}

QVariant textOrNull(const QString &text)
{
    return text.isEmpty() ? QVariant() : QVariant(text);
}

} // namespace Glovebox
