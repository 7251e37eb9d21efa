// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace Glovebox {

/// A starting point for a new task file, from resources/templates/*.task.md.
struct TaskTemplate
{
    QString id;    ///< "change", "bugfix", "upgrade", "audit", "harness"
    QString title; ///< translated
    QString about; ///< translated, one sentence
    QByteArray text;
};

[[nodiscard]] QList<TaskTemplate> taskTemplates();

} // namespace Glovebox
