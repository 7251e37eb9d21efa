// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/testing.h"

#include "app/widgets/tokens.h"

#include <QImage>
#include <QWidget>

namespace Glovebox::Testing {

/// Our style, the theme, our texts, DejaVu Sans of 13 pixels (as in the pictures of the design) and
/// accessibility. Call from initTestCase.
void prepareApplication(Theme theme = Theme::Light);

/// The widget as it is painted at a device pixel ratio, without a screen of that ratio.
[[nodiscard]] QImage picture(QWidget *widget, qreal ratio);

/// Saves it below BUILD/pictures/NAME.png and answers the path; fails the test when it can't.
QString savePicture(const QImage &image, const QString &name);

} // namespace Glovebox::Testing
