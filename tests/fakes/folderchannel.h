// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/channel.h"

#include <functional>

namespace Glovebox::Testing {

/// Whether other folders are at work at the same time.
enum class Neighbours { None, Some };

/// A SandboxChannel over a plain folder of this machine: a call is `sh -c LINE` in a session of its
/// own. There is NO isolation whatsoever: commands see and may change everything that the test may.
/// Paths inside are paths of this machine. Linux only.
///
/// endAll() ends every descendant of this test process that does not belong to another folder: the
/// test process becomes a child subreaper, so nothing escapes by leaving its parent. What emptied
/// its environment and left its parent cannot be told apart, so a test uses endAll() with one
/// folder alive at a time, or says that there are neighbours: then only what bears the folder's
/// mark, and what descends from that, is ended.
class FolderChannel : public SandboxChannel
{
public:
    /// \a tools, when given, comes first on PATH: another sh, or other tools.
    explicit FolderChannel(QString folder, QString tools = {},
                           Neighbours neighbours = Neighbours::None);

    QCoro::Task<Result<QByteArray>> call(QByteArray line, std::chrono::seconds limit,
                                         std::stop_token stop) override;
    QCoro::Task<Result<void>> put(QString path, LocalFile source, std::stop_token stop) override;
    QCoro::Task<Result<void>> get(QString path, LocalFile target, qint64 maximum,
                                  std::stop_token stop) override;
    QCoro::Task<Result<std::optional<int>>> endAll(EndScope scope, std::stop_token stop) override;

private:
    QString m_folder;
    QString m_tools;
    Neighbours m_neighbours;
};

/// A process as /proc shows it.
struct SeenProcess
{
    qint64 pid = 0;
    qint64 parent = 0;
    char state = '?';
};

/// Everything alive that descends from this process and is not marked as another folder's; with
/// neighbours: that is marked as this one's.
[[nodiscard]] QList<qint64> processesOfFolder(const QString &folder,
                                              Neighbours neighbours = Neighbours::None);
/// Kills them until none is left or a second has gone by; answers how many are left.
int endProcessesOfFolder(const QString &folder, Neighbours neighbours = Neighbours::None);

} // namespace Glovebox::Testing
