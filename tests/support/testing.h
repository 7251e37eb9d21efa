// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QTest>

#include <qcorotask.h>

/// Checks a Result and prints its error when it failed. The expression is evaluated once.
#define VERIFY_RESULT(result)                                                                      \
    do {                                                                                           \
        const auto &verifiedResult = (result);                                                     \
        QVERIFY2(verifiedResult.has_value(),                                                       \
                 qPrintable(verifiedResult.has_value()                                             \
                                ? QString()                                                        \
                                : Glovebox::Testing::errorText(verifiedResult.error())));          \
    } while (false)

namespace Glovebox::Testing {

[[nodiscard]] QString errorText(const Error &error);

/// Runs a coroutine to its end in a nested event loop (tests only) and answers its value.
template<typename T>
T await(QCoro::Task<T> task)
{
    return QCoro::waitFor(std::move(task));
}

/// How long something may take: \a milliseconds on an idle machine, more where GLOVEBOX_PATIENCE, a
/// whole factor, says that suites run side by side or in a build that is slow.
[[nodiscard]] qint64 atMost(qint64 milliseconds);

/// Runs a host command to its end and answers its standard output; fails the test when it fails.
QByteArray run(const QString &program, const QStringList &arguments, const QString &folder = {});

/// A small repository with one commit on main, made with the real git program.
class TestRepository
{
public:
    explicit TestRepository(const QString &folder);
    [[nodiscard]] QString folder() const { return m_folder; }
    [[nodiscard]] QString gitFolder() const { return m_folder + QStringLiteral("/.git"); }
    QByteArray git(const QStringList &arguments) const;
    void write(const QString &path, const QByteArray &bytes) const;
    QString commitAll(const QString &message) const; ///< answers the new commit's id

private:
    QString m_folder;
};

} // namespace Glovebox::Testing
