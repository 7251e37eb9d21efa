// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// The few headers that nearly every file of the window needs; compiled once. Nothing of ours
// belongs here.
#pragma once

#include "core/precompiled.h"

#include <QAccessibleWidget>
#include <QApplication>
#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QStyleOption>
#include <QWidget>
