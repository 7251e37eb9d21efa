// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

#include <chrono>

namespace Glovebox {

/// What code decides by. All that is only shown (licence, price, stars) is dated data in
/// resources/backends.json.
struct Capabilities
{
    enum class Isolation { Process, Container, MicroVm, Remote };
    enum class Wildcard { None, OneLevel, AnyDepth };
    enum class Keeper { Service, Ours }; ///< who ends the sandbox when its life is over
    enum class OrdinaryUser { Always, CanDrop, Never };
    enum class LabelKind { Native, ByName };

    struct Network
    {
        bool byName = false;
        bool byAddress = false;
        bool byPort = false;
        Wildcard wildcard = Wildcard::None;
        bool closesDns = false;
        int entries = 0; ///< how many rules it takes, 0 = any number
    };
    struct Lifetime
    {
        Keeper keeper = Keeper::Ours;
        std::chrono::seconds maximum{0}; ///< 0 = none
    };

    Isolation isolation = Isolation::Process;
    Network network;
    Lifetime lifetime;
    qint64 uploadLater = 0; ///< the largest upload after creation, bytes; 0 = any size
    bool liveOutput = true;
    int atOnce = 0; ///< commands at once; 0 = any number
    bool outlivesApp = false;
    OrdinaryUser ordinaryUser = OrdinaryUser::Always;
    LabelKind labels = LabelKind::Native;
    bool billed = false;
};

struct ProviderInfo
{
    QString id;   ///< "srt"
    QString name; ///< for people
    Capabilities capabilities;
    QStringList
        keptNames; ///< environment names that commands inherit besides PATH HOME USER LOGNAME SHELL
};

} // namespace Glovebox
