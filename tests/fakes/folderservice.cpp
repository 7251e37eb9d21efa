// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/folderservice.h"

#include "core/base/ids.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>

namespace Glovebox::Testing {

namespace {

constexpr int pageSize = 3;

ServiceReply reply(int status, const QJsonObject &body = {})
{
    return {status, QJsonDocument(body).toJson(QJsonDocument::Compact), {}};
}

bool matches(const QJsonObject &labels, const QJsonObject &filter)
{
    for (auto it = filter.begin(); it != filter.end(); ++it) {
        if (labels.value(it.key()) != it.value()) {
            return false;
        }
    }
    return true;
}

} // namespace

FolderService::FolderService(QString broken, Neighbours neighbours)
    : m_broken(std::move(broken))
    , m_neighbours(neighbours)
{
}

FolderService::~FolderService()
{
    for (auto it = m_records.cbegin(); it != m_records.cend(); ++it) {
        endProcessesOfFolder(folder(it.key()), m_neighbours);
    }
}

void FolderService::reset()
{
    m_requests.clear();
    m_lose.clear();
    m_failPage = 0;
    m_busy = 0;
    m_keeps = false;
    m_refusal.clear();
    m_noTool = m_signedOut = m_prompts = m_limits = m_late = m_damagesUploads = false;
    m_retryAfter.reset();
    m_notBefore.reset();
    m_resetAt = 0;
    m_damage.reset();
    m_records.removeIf([](const auto &entry) { return entry.value().foreign; });
}

void FolderService::addForeign(int count)
{
    for (int i = 0; i < count; ++i) {
        Record record;
        record.labels = {{QStringLiteral("run"), QStringLiteral("foreign%1").arg(i)}};
        record.created = m_clock.now();
        record.deadline = m_clock.now().addSecs(100'000);
        record.foreign = true;
        m_records.insert(QStringLiteral("a-foreign%1").arg(i), record);
    }
}

void FolderService::limitNext(std::optional<std::chrono::seconds> retryAfter)
{
    m_limits = true;
    m_retryAfter = retryAfter;
}

bool FolderService::isCutNow()
{
    if (m_resetAt > 0 && --m_resetAt == 0) {
        m_resetAt = breaks("C40") ? 1 : 0; // again and again
        return true;
    }
    return false;
}

std::optional<ServiceReply> FolderService::limited()
{
    if (m_notBefore && m_clock.monotonic() < *m_notBefore) {
        return reply(400, {{QStringLiteral("error"), QStringLiteral("asked again too early")}});
    }
    if (!m_limits) {
        return std::nullopt;
    }
    m_limits = breaks("C39");
    if (m_retryAfter) {
        m_notBefore = m_clock.monotonic() + *m_retryAfter;
    }
    return ServiceReply{429, "{}", m_retryAfter};
}

void FolderService::expire()
{
    for (const QString &id : m_records.keys()) {
        if (m_clock.now() >= m_records.value(id).deadline) {
            endProcessesOfFolder(folder(id), m_neighbours);
            m_records.remove(id);
        }
    }
}

ServiceReply FolderService::ask(const QString &verb, const QJsonObject &request)
{
    m_requests.append(verb + u' ' +
                      QString::fromUtf8(QJsonDocument(request).toJson(QJsonDocument::Compact)));
    if (isCutNow()) {
        return {0, {}, {}};
    }
    expire();
    ServiceReply answer = handle(verb, request);
    if (m_lose == verb) {
        m_lose.clear();
        return {0, {}, {}};
    }
    answer.body = onTheWay(answer.body);
    return answer;
}

ServiceReply FolderService::handle(const QString &verb, const QJsonObject &request)
{
    const QString id = request.value(QStringLiteral("id")).toString();
    if (verb == QLatin1String("create")) {
        return create(request);
    }
    if (verb == QLatin1String("list")) {
        return list(request);
    }
    if (verb == QLatin1String("destroy")) {
        return destroy(id);
    }
    if (!m_records.contains(id)) {
        return reply(404);
    }
    if (verb == QLatin1String("deadline") && !breaks("C32")) {
        m_records[id].deadline =
            QDateTime::fromString(request.value(QStringLiteral("until")).toString(), Qt::ISODate);
    }
    if (verb == QLatin1String("network") && !breaks("C36")) {
        m_records[id].policy = request.value(QStringLiteral("policy")).toString();
    }
    return reply(200, show(id));
}

ServiceReply FolderService::create(const QJsonObject &request)
{
    if (const auto limit = limited()) {
        return *limit;
    }
    if (!m_refusal.isEmpty() && !breaks("C34")) {
        return reply(422, {{QStringLiteral("error"), m_refusal}});
    }
    const QJsonObject labels = request.value(QStringLiteral("labels")).toObject();
    for (auto it = m_records.cbegin(); it != m_records.cend(); ++it) {
        if (it->labels == labels && !breaks("C26")) {
            return reply(409, show(it.key()));
        }
    }
    const QString id = QStringLiteral("b") + newId();
    Record record;
    record.labels = breaks("C25") && m_lose == QLatin1String("create") ? QJsonObject() : labels;
    record.created = m_clock.now();
    record.deadline = m_clock.now().addSecs(request.value(QStringLiteral("lifetime")).toInt(3600));
    record.policy = request.value(QStringLiteral("policy")).toString();
    m_records.insert(id, record);
    QDir(m_root.path()).mkpath(id + QStringLiteral("/base"));
    QDir(m_root.path()).mkpath(id + QStringLiteral("/work"));
    return reply(201, show(id));
}

ServiceReply FolderService::list(const QJsonObject &request) const
{
    const int page = request.value(QStringLiteral("page")).toInt(1);
    if (page == m_failPage) {
        return reply(500);
    }
    const QJsonObject filter = request.value(QStringLiteral("labels")).toObject();
    QStringList ids;
    for (auto it = m_records.cbegin(); it != m_records.cend(); ++it) {
        if (matches(it->labels, filter) || (breaks("C24") && it->foreign)) {
            ids.append(it.key());
        }
    }
    QJsonArray items;
    for (const QString &id : ids.mid((page - 1) * pageSize, pageSize)) {
        items.append(show(id));
    }
    const bool more = ids.size() > page * pageSize && !breaks("C23");
    return reply(200,
                 {{QStringLiteral("items"), items}, {QStringLiteral("next"), more ? page + 1 : 0}});
}

ServiceReply FolderService::destroy(const QString &id)
{
    if (!m_records.contains(id)) {
        return reply(breaks("C27") ? 500 : 404);
    }
    if (m_busy > 0) {
        m_busy -= breaks("C28") ? 0 : 1;
        return reply(409);
    }
    if (!m_keeps) {
        endProcessesOfFolder(folder(id), m_neighbours);
        QDir(folder(id)).removeRecursively();
        m_records.remove(id);
    }
    return reply(200);
}

QJsonObject FolderService::show(const QString &id) const
{
    const Record record = m_records.value(id);
    return {{QStringLiteral("id"), id},
            {QStringLiteral("labels"), record.labels},
            {QStringLiteral("state"), QStringLiteral("running")},
            {QStringLiteral("created"), record.created.toString(Qt::ISODate)},
            {QStringLiteral("deadline"), record.deadline.toString(Qt::ISODate)}};
}

int FolderService::admitCall(const QString &id, const QString &line)
{
    m_requests.append(QStringLiteral("call ") + line);
    if (isCutNow()) {
        return -1;
    }
    expire();
    return m_records.contains(id) ? 0 : 404;
}

QByteArray FolderService::onTheWay(const QByteArray &answer) const
{
    if (!m_damage) {
        return answer;
    }
    switch (*m_damage) {
    case Damage::Html:
        return "<html><body><h1>502 Bad Gateway</h1></body></html>\n";
    case Damage::HalfReply:
        return answer.left(answer.trimmed().size() / 2);
    case Damage::LongLine:
        return QByteArray(10'000'000, 'o');
    case Damage::WrongTypes:
        return answer.startsWith('{') ? QByteArray(R"({"items":"many","next":[],"id":7})")
                                      : QByteArray("o zero !!!!\ns exit none\nleft -1 x\nok\n");
    }
    Q_UNREACHABLE();
}

bool FolderService::mayReach(const QString &id, const QString &host) const
{
    return m_records.value(id).policy.contains(QStringLiteral("allow ") + host);
}

} // namespace Glovebox::Testing
