// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/clock.h"
#include "tests/fakes/folderchannel.h"
#include "tests/providers/contract/harness.h"
#include "tests/support/temporaryfolder.h"

#include <QJsonObject>
#include <QMap>

namespace Glovebox::Testing {

/// A clock that only goes when it is told to.
class ServiceClock final : public Clock
{
public:
    QDateTime now() const override { return m_start.addMSecs(m_gone.count()); }
    std::chrono::milliseconds monotonic() const override { return m_gone; }
    void advance(std::chrono::milliseconds time) { m_gone += time; }

private:
    QDateTime m_start = QDateTime::fromSecsSinceEpoch(1'700'000'000, Qt::UTC);
    std::chrono::milliseconds m_gone{0};
};

struct ServiceReply
{
    int status = 200; ///< as HTTP has it; 0 = the connection was cut
    QByteArray body;
    std::optional<std::chrono::seconds> retryAfter;
};

/// The service behind FolderProvider: keeps a folder for each sandbox, with labels, a deadline on a
/// clock of its own, and the policy as it was sent. Speaks JSON, page by page. \a broken ("C23")
/// makes it, or the provider in front of it, break exactly that promise of the contract.
class FolderService final : public ServiceControl
{
public:
    explicit FolderService(QString broken, Neighbours neighbours = Neighbours::None);
    ~FolderService() override;

    /// verbs: create, list, get, destroy, deadline, network.
    [[nodiscard]] ServiceReply ask(const QString &verb, const QJsonObject &request);
    /// Counts a call to a sandbox as a request; what it fails with, 0 = goes through.
    [[nodiscard]] int admitCall(const QString &id, const QString &line);
    /// What becomes of an answer on its way.
    [[nodiscard]] QByteArray onTheWay(const QByteArray &answer) const;

    [[nodiscard]] bool breaks(const char *caseId) const
    {
        return m_broken == QLatin1String(caseId);
    }
    [[nodiscard]] QString folder(const QString &id) const { return m_root.filePath(id); }
    /// Whether several of its folders are at work at the same time.
    [[nodiscard]] Neighbours neighbours() const { return m_neighbours; }
    [[nodiscard]] QStringList ids() const { return m_records.keys(); }
    [[nodiscard]] QString root() const { return m_root.path(); }
    [[nodiscard]] bool mayReach(const QString &id, const QString &host) const;
    [[nodiscard]] ServiceClock &clock() { return m_clock; }
    [[nodiscard]] bool toolIsThere() const { return !m_noTool; }
    [[nodiscard]] bool isSignedIn() const { return !m_signedOut; }
    [[nodiscard]] bool prompts() const { return m_prompts; }
    [[nodiscard]] bool damagesUploads() const { return m_damagesUploads; }
    [[nodiscard]] bool answersLate() const { return m_late; }

    void reset() override;
    QStringList requests() const override { return m_requests; }
    void loseReply(const QString &verb) override { m_lose = verb; }
    void failPage(int page) override { m_failPage = page; }
    void addForeign(int count) override;
    void busyOnDestroy(int times) override { m_busy = times; }
    void refuseDestroy() override { m_keeps = true; }
    void advance(std::chrono::seconds time) override { m_clock.advance(time); }
    void refusePolicy(const QString &words) override { m_refusal = words; }
    void removeTool() override { m_noTool = true; }
    void signOut() override { m_signedOut = true; }
    void toolPrompts() override { m_prompts = true; }
    void limitNext(std::optional<std::chrono::seconds> retryAfter) override;
    void resetAtRequest(int number) override { m_resetAt = number; }
    void damageReplies(Damage damage) override { m_damage = damage; }
    void answerLate() override { m_late = true; }
    void damageUploads() override { m_damagesUploads = true; }

private:
    struct Record
    {
        QJsonObject labels;
        QDateTime created;
        QDateTime deadline;
        QString policy;
        bool foreign = false;
    };

    [[nodiscard]] ServiceReply handle(const QString &verb, const QJsonObject &request);
    [[nodiscard]] ServiceReply create(const QJsonObject &request);
    [[nodiscard]] ServiceReply list(const QJsonObject &request) const;
    [[nodiscard]] ServiceReply destroy(const QString &id);
    [[nodiscard]] QJsonObject show(const QString &id) const;
    [[nodiscard]] bool isCutNow();
    [[nodiscard]] std::optional<ServiceReply> limited();
    void expire();

    Testing::TemporaryFolder m_root;
    QString m_broken;
    Neighbours m_neighbours;
    ServiceClock m_clock;
    QMap<QString, Record> m_records;
    QStringList m_requests;
    QString m_lose;
    int m_failPage = 0;
    int m_busy = 0;
    bool m_keeps = false;
    QString m_refusal;
    bool m_noTool = false;
    bool m_signedOut = false;
    bool m_prompts = false;
    bool m_limits = false;
    std::optional<std::chrono::seconds> m_retryAfter;
    std::optional<std::chrono::milliseconds> m_notBefore;
    int m_resetAt = 0;
    std::optional<Damage> m_damage;
    bool m_late = false;
    bool m_damagesUploads = false;
};

} // namespace Glovebox::Testing
