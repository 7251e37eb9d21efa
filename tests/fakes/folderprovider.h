// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sandbox/runnersandbox.h"
#include "tests/fakes/folderchannel.h"
#include "tests/fakes/folderservice.h"

namespace Glovebox::Testing {

/// A SandboxProvider over plain folders of this machine, behind a small fake service. It isolates
/// NOTHING: for tests of what is above a backend, and of the contract suite itself.
class FolderProvider final : public SandboxProvider
{
public:
    explicit FolderProvider(std::shared_ptr<FolderService> service);

    const ProviderInfo &info() const override { return m_info; }
    CompiledPolicy compile(const NetworkPolicy &policy) const override;
    QList<Problem> validate(const SandboxSpec &spec) const override;
    QCoro::Task<Result<std::shared_ptr<Sandbox>>> create(SandboxSpec spec,
                                                         std::stop_token stop) override;
    QCoro::Task<Result<std::shared_ptr<Sandbox>>> attach(SandboxId id,
                                                         std::stop_token stop) override;
    QCoro::Task<Result<QList<SandboxInfo>>> list(LabelFilter filter, std::stop_token stop) override;
    QCoro::Task<Result<void>> destroy(SandboxId id, std::stop_token stop) override;
    QCoro::Task<Result<QList<Readiness>>> checkReady(std::stop_token stop) override;

private:
    [[nodiscard]] std::shared_ptr<RunnerSandbox> open(const QString &id) const;
    [[nodiscard]] std::optional<Error> notReady() const;

    std::shared_ptr<FolderService> m_service;
    ProviderInfo m_info;
    mutable QStringList m_made; ///< ids that this provider created
};

/// The channel into one of these folders, with the faults that the service was told.
class FaultyChannel final : public FolderChannel
{
public:
    FaultyChannel(std::shared_ptr<FolderService> service, const QString &id);
    ~FaultyChannel() override;

    QCoro::Task<Result<QByteArray>> call(QByteArray line, std::chrono::seconds limit,
                                         std::stop_token stop) override;
    QCoro::Task<Result<void>> follow(QByteArray line, std::shared_ptr<LineSink> sink,
                                     std::stop_token stop) override;
    QCoro::Task<Result<void>> put(QString path, LocalFile source, std::stop_token stop) override;
    QCoro::Task<Result<void>> get(QString path, LocalFile target, qint64 maximum,
                                  std::stop_token stop) override;
    QCoro::Task<Result<std::optional<int>>> endAll(EndScope scope, std::stop_token stop) override;

private:
    [[nodiscard]] std::optional<Error> admit(const QString &what) const;
    [[nodiscard]] QByteArray breakLine(const QByteArray &line);
    [[nodiscard]] QByteArray breakAnswer(const QByteArray &verb, QByteArray answer);
    [[nodiscard]] QByteArray breakFile(const QString &path, QByteArray bytes) const;
    [[nodiscard]] bool breaks(const char *caseId) const { return m_service->breaks(caseId); }

    std::shared_ptr<FolderService> m_service;
    QString m_id;
    int m_following = 0;
    int m_late = 0;
    bool m_wasCut = false;
    QByteArray m_otherJob;
    QByteArray m_lastAnswer;
    QByteArrayList m_queue; ///< C12: what a fake without back-pressure would pile up
};

} // namespace Glovebox::Testing
