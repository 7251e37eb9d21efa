// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QObject>
#include <QPalette>

#include <array>

namespace Glovebox {

/// The colours of one theme by meaning, read from resources/themes/tokens.json. A widget asks for
/// the set that fits its own palette each time it paints, so a change of theme needs no
/// bookkeeping.
class Tokens final
{
    Q_GADGET
public:
    enum class Role {
        Window,
        Base,
        Alt,
        Side,
        Raised,
        Head,
        Text,
        Dim,
        Faint,
        Line,
        Edge,
        Hover,
        Accent,
        AccentText,
        Soft,
        SoftText,
        Focus,
        Ok,
        OkSoft,
        Warn,
        WarnSoft,
        WarnMark,
        Bad,
        BadSoft,
        Off,
        OffSoft,
        Mov,
        MovSoft,
        AddBg,
        AddW,
        AddG,
        AddS,
        DelBg,
        DelW,
        DelG,
        DelS,
        AddBg2,
        AddW2,
        AddS2,
        DelBg2,
        DelW2,
        DelS2,
        Ctx,
        Gut,
        Hunk,
        Hid,
        HidSoft,
        SynK,
        SynS,
        SynC,
        SynN,
        SynF,
        SynT,
        Btn,
        BtnEdge
    };
    Q_ENUM(Role)

    [[nodiscard]] static const Tokens &light();
    [[nodiscard]] static const Tokens &dark();
    /// The set for a palette: by the lightness of its window colour.
    [[nodiscard]] static const Tokens &of(const QPalette &palette);

    [[nodiscard]] QColor operator[](Role role) const
    {
        return m_colours.at(static_cast<size_t>(role));
    }
    [[nodiscard]] QPalette palette() const;
    /// Names of roles that the theme file does not have; empty when it is whole.
    [[nodiscard]] const QStringList &missing() const { return m_missing; }

private:
    explicit Tokens(const QString &theme);

    std::array<QColor, static_cast<size_t>(Role::BtnEdge) + 1> m_colours;
    QStringList m_missing;
};

using Token = Tokens::Role;

/// Which theme the user wants; System follows the desktop's window colour.
enum class Theme { System, Light, Dark };

/// Gives the application our style and palette. Called at start and when the setting changes.
void applyTheme(Theme theme);

} // namespace Glovebox
