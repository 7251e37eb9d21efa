// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "providers/srt/srtprovider.h"

#include "core/base/ids.h"
#include "core/base/pause.h"
#include "core/base/pool.h"
#include "core/base/process.h"
#include "providers/srt/policy.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QThread>

#include <pwd.h>
#include <unistd.h>

namespace Glovebox::Srt {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(SrtProvider)
};

using namespace std::chrono_literals;

constexpr auto probeLimit = 8s; // checkReady has ten
constexpr auto reapLimit = 10s; // for the keeper of a Glovebox that died
constexpr auto pollInterval = 50ms;
constexpr auto attachedLifetime = 15min; // for fetching what a dead run left

const QString compileCache = QStringLiteral("/cache/node"); // in our data: nothing inside sees it

ProviderInfo makeInfo()
{
    ProviderInfo info;
    info.id = QStringLiteral("srt");
    info.name = Tr::tr("Claude Code sandbox runtime");
    info.keptNames = keptNames();
    Capabilities &can = info.capabilities;
    can.isolation = Capabilities::Isolation::Process;
    can.network = {true, true, true, Capabilities::Wildcard::AnyDepth, true, 0};
    can.lifetime = {Capabilities::Keeper::Ours, 0s};
    can.uploadLater = 0;
    can.liveOutput = true;
    can.atOnce = 0;
    can.outlivesApp = false;
    can.ordinaryUser = Capabilities::OrdinaryUser::Always;
    can.labels = Capabilities::LabelKind::Native;
    can.billed = false;
    return info;
}

QString loginName(uid_t user)
{
    const passwd *entry = ::getpwuid(user);
    return entry != nullptr ? QString::fromLocal8Bit(entry->pw_name) : QString::number(user);
}

Problem problem(Severity severity, const char *code, const QString &message)
{
    Problem found;
    found.severity = severity;
    found.code = QLatin1String(code);
    found.message = message;
    return found;
}

bool matchesFilter(const Labels &labels, const LabelFilter &filter)
{
    for (auto wanted = filter.cbegin(); wanted != filter.cend(); ++wanted) {
        if (labels.value(wanted.key()) != wanted.value()) {
            return false;
        }
    }
    return true;
}

/// The folders that are there, canonical: srt skips all others.
QStringList existing(const QStringList &folders)
{
    QStringList paths;
    for (const QString &folder : folders) {
        const QString path = QFileInfo(folder).canonicalFilePath();
        if (!path.isEmpty() && !paths.contains(path)) {
            paths.append(path);
        }
    }
    return paths;
}

/// The root itself can't be hidden: then there would be nothing to run.
QStringList merged(QStringList paths, const QStringList &more)
{
    for (const QString &path : existing(more)) {
        if (!paths.contains(path) && path != QLatin1String("/")) {
            paths.append(path);
        }
    }
    return paths;
}

/// Ends what is left of the keeper of a Glovebox that is gone; in most cases it is dying already.
QCoro::Task<Result<void>> reap(Layout layout, std::stop_token stop)
{
    const Result<Record> record = readRecord(layout);
    if (!record || record->keeper.pid == 0 || record->boot != bootId()) {
        co_return Result<void>(); // it never had one, or the machine was started anew
    }
    const ProcessMark now = markOf(record->keeper.pid);
    if (now.pid != 0 && now != record->keeper) {
        co_return Result<void>(); // the number is somebody else's by now
    }
    const QList<ProcessMark> tree = treeOf(record->keeper.pid);
    const auto until = std::chrono::steady_clock::now() + reapLimit;
    while (survivors(tree) > 0) {
        killTree(record->keeper.pid, tree);
        if (std::chrono::steady_clock::now() > until) {
            co_return fail(ErrorCode::Busy,
                           Tr::tr("Processes of the sandbox %1 do not end.").arg(layout.key()));
        }
        const Result<void> waited = co_await pause(pollInterval, stop);
        if (!waited) {
            co_return waited;
        }
    }
    co_return Result<void>();
}

/// Removes the folders in the pool: they can be large.
QCoro::Task<Result<void>> removeFolders(Layout layout)
{
    const auto remove = [layout] {
        return removeLayout(layout);
    };
    const Result<void> removed = co_await runInPool(remove);
    co_return removed;
}

QList<SandboxInfo> readAll(const QList<Layout> &layouts, const LabelFilter &filter)
{
    QList<SandboxInfo> infos;
    for (const Layout &layout : layouts) {
        const Result<Record> record = readRecord(layout);
        const Labels labels = record ? record->labels : Labels();
        if (!matchesFilter(labels, filter)) {
            continue;
        }
        SandboxInfo info{{QStringLiteral("srt"), layout.key()},
                         labels,
                         QStringLiteral("damaged"),
                         QFileInfo(layout.folder()).lastModified().toUTC(),
                         std::nullopt};
        if (record) {
            const bool alive = record->boot == bootId() && isAlive(record->keeper);
            info.state = alive ? QStringLiteral("running") : QStringLiteral("ended");
            info.created = record->created;
            info.deadline = record->deadline;
        }
        infos.append(info);
    }
    return infos;
}

} // namespace

SrtProvider::SrtProvider(ProviderSettings settings)
    : m_settings(std::move(settings))
    , m_info(makeInfo())
    , m_gate(std::make_shared<StartGate>(2 * QThread::idealThreadCount()))
{
}

CompiledPolicy SrtProvider::compile(const NetworkPolicy &policy) const
{
    return compilePolicy(policy);
}

QList<Problem> SrtProvider::validate(const SandboxSpec &spec) const
{
    QList<Problem> problems;
    if (spec.lifetime <= 0s) {
        problems.append(problem(Severity::Error, "no-lifetime",
                                Tr::tr("A sandbox needs a lifetime above zero.")));
    }
    if (!spec.image.isEmpty()) {
        problems.append(problem(Severity::Error, "no-images",
                                Tr::tr("srt has no images: it uses this machine's programs. Leave "
                                       "the image empty.")));
    }
    if (spec.resources.cpus != 0 || spec.resources.memoryMiB != 0 || spec.resources.diskMiB != 0) {
        problems.append(problem(Severity::Warning, "resources-not-limited",
                                Tr::tr("srt does not limit processors, memory or disk.")));
    }
    if (::geteuid() == 0 && !m_settings.sandboxUser) {
        problems.append(problem(Severity::Warning, "runs-as-root",
                                Tr::tr("The sandbox runs as root, with more rights inside than it "
                                       "needs. Start Glovebox as an ordinary user, or set the user "
                                       "that sandboxes run as.")));
    }
    return problems;
}

Result<std::optional<RunAs>> SrtProvider::runAs() const
{
    if (!m_settings.sandboxUser || *m_settings.sandboxUser == ::geteuid()) {
        return std::optional<RunAs>();
    }
    const passwd *entry = ::getpwuid(*m_settings.sandboxUser);
    if (::geteuid() != 0 || entry == nullptr) {
        return fail(ErrorCode::InvalidRequest,
                    Tr::tr("Sandboxes can't run as user %1: only root can do that, and only for a "
                           "user that exists.")
                        .arg(*m_settings.sandboxUser));
    }
    return std::optional(
        RunAs{entry->pw_uid, entry->pw_gid, QString::fromLocal8Bit(entry->pw_name)});
}

Result<LiveParts> SrtProvider::partsFor(const Layout &layout, const Record &record,
                                        const Tools &tools) const
{
    const Result<std::optional<RunAs>> user = runAs();
    if (!user) {
        return fail(user.error());
    }
    const Confinement confinement{layout,
                                  tools,
                                  merged(secretPaths(m_settings.dataFolder), record.hidden),
                                  existing(record.path + m_settings.programFolders),
                                  existing(record.readable),
                                  record.network,
                                  0,
                                  {},
                                  *user ? (*user)->name : loginName(::geteuid()),
                                  *user ? QString() : m_settings.dataFolder + compileCache};
    return LiveParts{confinement, record, *user, m_gate};
}

std::shared_ptr<SrtSandbox> SrtProvider::known(const QString &key) const
{
    return m_known.value(key).lock();
}

std::shared_ptr<SrtSandbox> SrtProvider::adopt(std::shared_ptr<LiveSandbox> live)
{
    m_known.removeIf([](const auto &entry) { return entry.value().expired(); });
    const QString key = live->layout().key();
    auto sandbox = std::make_shared<SrtSandbox>(std::move(live));
    m_known.insert(key, sandbox);
    return sandbox;
}

QCoro::Task<Result<std::shared_ptr<Sandbox>>> SrtProvider::create(SandboxSpec spec,
                                                                  std::stop_token stop)
{
    const QList<Problem> problems = validate(spec);
    for (const Problem &found : problems) {
        if (found.severity == Severity::Error) {
            co_return fail(ErrorCode::InvalidRequest, found.message);
        }
    }
    const Result<Tools> tools = findTools(m_settings.toolsFolder);
    const Result<std::optional<RunAs>> user = runAs();
    if (!tools || !user) {
        co_return fail(tools ? user.error() : tools.error());
    }
    const Result<QString> root = rootForNew(m_settings.dataFolder, *user);
    const Result<Layout> layout =
        root ? makeLayout(*root, keyOf(spec.labels), *user) : Result<Layout>(fail(root.error()));
    if (!layout) {
        co_return fail(layout.error());
    }
    const QDateTime now = QDateTime::currentDateTimeUtc();
    Record record;
    record.labels = spec.labels;
    record.created = now;
    record.deadline = now.addSecs(spec.lifetime.count());
    record.network = spec.network;
    record.readable = spec.readable;
    record.path = spec.path;
    record.hidden = spec.hidden;
    const Result<std::shared_ptr<SrtSandbox>> sandbox =
        co_await begin(*layout, record, *tools, stop);
    Result<void> ready = sandbox ? Result<void>() : Result<void>(fail(sandbox.error()));
    if (ready) {
        ready = co_await (*sandbox)->prepare(stop);
    }
    for (qsizetype i = 0; ready && i < spec.files.size(); ++i) {
        const Upload file = spec.files.at(i);
        ready = co_await (*sandbox)->upload(file, stop);
    }
    if (ready) {
        co_return std::static_pointer_cast<Sandbox>(*sandbox);
    }
    if (sandbox) {
        const int left = co_await LiveSandbox::end((*sandbox)->live());
        static_cast<void>(left);
    }
    const Result<void> removed = co_await removeFolders(*layout);
    static_cast<void>(
        removed); // why it could not be made is what counts; list() shows what is left
    co_return fail(ready.error());
}

QCoro::Task<Result<std::shared_ptr<SrtSandbox>>>
SrtProvider::begin(Layout layout, Record record, Tools tools, std::stop_token stop)
{
    Result<Claim> claim = Claim::take(layout);
    const Result<LiveParts> parts = partsFor(layout, record, tools);
    if (!claim || !parts) {
        co_return fail(claim ? parts.error() : claim.error());
    }
    const Result<void> recorded = writeRecord(layout, record);
    if (!recorded) {
        co_return fail(recorded.error());
    }
    const auto live = std::make_shared<LiveSandbox>(*parts, std::move(*claim));
    const std::shared_ptr<SrtSandbox> sandbox = adopt(live);
    const Result<void> started = co_await LiveSandbox::start(live, stop);
    if (!started) {
        const int left = co_await LiveSandbox::end(live);
        static_cast<void>(left);
        co_return fail(started.error());
    }
    co_return sandbox;
}

QCoro::Task<Result<std::shared_ptr<Sandbox>>> SrtProvider::attach(SandboxId id,
                                                                  std::stop_token stop)
{
    const std::shared_ptr<SrtSandbox> living = known(id.value);
    if (living && living->live()->isAlive()) {
        co_return std::static_pointer_cast<Sandbox>(living);
    }
    if (living) { // its keeper died: the claim is given back for a new one
        const int left = co_await LiveSandbox::end(living->live());
        static_cast<void>(left); // reap() below sees to them
    }
    const Result<Layout> layout = findLayout(m_settings.dataFolder, id.value);
    Result<Record> record = layout ? readRecord(*layout) : Result<Record>(fail(layout.error()));
    const Result<Tools> tools = findTools(m_settings.toolsFolder);
    if (!record || !tools) {
        co_return fail(record ? tools.error() : record.error());
    }
    Result<Claim> claim = Claim::take(*layout);
    if (!claim) {
        co_return fail(claim.error());
    }
    const Result<void> reaped = co_await reap(*layout, stop);
    if (!reaped) {
        co_return fail(reaped.error());
    }
    claim = fail(cancelledError()); // given back: begin() takes it again
    const QDateTime least =
        QDateTime::currentDateTimeUtc().addSecs(std::chrono::seconds(attachedLifetime).count());
    record->deadline = qMax(record->deadline, least);
    const Result<std::shared_ptr<SrtSandbox>> sandbox =
        co_await begin(*layout, *record, *tools, stop);
    if (!sandbox) {
        co_return fail(sandbox.error());
    }
    const Result<void> joined = co_await (*sandbox)->rejoin(stop);
    if (!joined) {
        co_return fail(joined.error());
    }
    co_return std::static_pointer_cast<Sandbox>(*sandbox);
}

QCoro::Task<Result<QList<SandboxInfo>>> SrtProvider::list(LabelFilter filter, std::stop_token stop)
{
    if (stop.stop_requested()) {
        co_return fail(cancelledError());
    }
    const auto read = [data = m_settings.dataFolder, filter]() -> Result<QList<SandboxInfo>> {
        const Result<QList<Layout>> layouts = allLayouts(data);
        if (!layouts) {
            return fail(layouts.error());
        }
        return readAll(*layouts, filter);
    };
    const Result<QList<SandboxInfo>> infos = co_await runInPool(read);
    co_return infos;
}

QCoro::Task<Result<void>> SrtProvider::destroy(SandboxId id, std::stop_token stop)
{
    const Result<Layout> layout = findLayout(m_settings.dataFolder, id.value);
    if (!layout) {
        co_return Result<void>(); // gone already
    }
    if (const std::shared_ptr<SrtSandbox> living = known(id.value)) {
        const int left = co_await LiveSandbox::end(living->live());
        if (left > 0) {
            co_return fail(ErrorCode::Busy,
                           Tr::tr("Processes of the sandbox %1 do not end.").arg(id.value));
        }
    }
    const Result<Claim> claim = Claim::take(*layout);
    if (!claim) {
        const bool gone = claim.error().code == ErrorCode::NotFound;
        co_return gone ? Result<void>() : Result<void>(fail(claim.error()));
    }
    const Result<void> reaped = co_await reap(*layout, stop);
    if (!reaped) {
        co_return reaped;
    }
    const Result<void> removed = co_await removeFolders(*layout);
    co_return removed;
}

Result<Layout> SrtProvider::layoutForProbe() const
{
    const Result<QString> root = rootForNew(m_settings.dataFolder, std::nullopt);
    if (!root) {
        return fail(root.error());
    }
    return makeLayout(*root, QStringLiteral(".p-") + newId().left(9), std::nullopt);
}

QCoro::Task<Result<QList<Readiness>>> SrtProvider::checkReady(std::stop_token stop)
{
    const Result<Tools> tools = findTools(m_settings.toolsFolder);
    QList<Readiness> items = checkPrograms(tools);
    if (tools) {
        const Result<Readiness> probed = co_await probe(*tools, stop);
        if (!probed) {
            co_return fail(probed.error());
        }
        items.append(*probed);
    }
    co_return items;
}

QCoro::Task<Result<Readiness>> SrtProvider::probe(Tools tools, std::stop_token stop)
{
    Readiness readiness{Tr::tr("a sandbox starts"), Readiness::State::Failing, {}, {}};
    const Result<Layout> layout = layoutForProbe();
    if (!layout) {
        readiness.nextStep = layout.error().message;
        co_return readiness;
    }
    Result<LiveParts> parts = partsFor(*layout, Record(), tools);
    Result<void> written = parts ? Result<void>() : Result<void>(fail(parts.error()));
    ProcessRequest request;
    if (parts) {
        parts->confinement.proxyPort = 9; // never asked: nothing in it uses the network
        parts->confinement.proxyCredential = "probe:probe";
        written = writeSettings(parts->confinement);
        request.program = tools.node;
        request.arguments = {tools.script, QStringLiteral("-s"), layout->settingsFile(),
                             QStringLiteral("--"), QStringLiteral("true")};
        request.environment = makeEnvironment(parts->confinement);
        request.directory = layout->workingFolder();
        request.limit = probeLimit;
    }
    if (written) {
        const Result<ProcessResult> ran = co_await runProcess(request, stop);
        if (ran && ran->exitCode == 0) {
            readiness.state = Readiness::State::Ok;
        } else {
            written = fail(ran ? explainFailure(ran->error) : ran.error());
        }
    }
    const Result<void> removed = co_await removeFolders(*layout);
    if (!written && written.error().code == ErrorCode::Cancelled) {
        co_return fail(written.error());
    }
    if (!written) {
        readiness.nextStep = written.error().message;
    } else if (!removed) {
        readiness.nextStep = removed.error().message;
    }
    co_return readiness;
}

} // namespace Glovebox::Srt
