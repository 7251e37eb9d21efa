// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/process.h"
#include "tests/providers/contract/contractcases.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QMutex>

namespace Glovebox::Testing {

namespace {

Result<std::shared_ptr<Sandbox>> makeOne(CaseContext &context, const SandboxSpec &spec)
{
    return await(context.provider->create(spec, {}));
}

QString allPages(CaseContext &context)
{
    constexpr int count = 7;
    SandboxSpec spec = context.harness.spec(context.runId);
    for (int i = 0; i < count; ++i) {
        spec.labels[QStringLiteral("role")] = QStringLiteral("r%1").arg(i);
        EXPECT_RESULT(makeOne(context, spec));
    }
    const auto all = context.list();
    EXPECT_RESULT(all);
    EXPECT(all->size() == count, "a page is missing");
    context.control().failPage(2);
    EXPECT(!context.list(), "a part of the list was given for the whole");
    return {};
}

QString onlyOurs(CaseContext &context)
{
    MAKE_SANDBOX(context);
    context.control().addForeign(50);
    const auto ours = context.list();
    EXPECT_RESULT(ours);
    EXPECT(ours->size() == 1 && ours->front().id == context.sandbox->id(),
           "others' sandboxes are listed as ours");
    return {};
}

QString createWithoutReply(CaseContext &context)
{
    context.control().loseReply(QStringLiteral("create"));
    (void)context.make(); // may fail: what counts is what is found
    const auto found = context.list();
    EXPECT_RESULT(found);
    EXPECT(found->size() == 1, "what was made is not found by its label");
    const auto all = await(context.provider->list({}, {}));
    EXPECT_RESULT(all);
    EXPECT(all->size() == 1, "a sandbox is there that nobody knows");
    return {};
}

QString createRepeated(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const auto again = makeOne(context, context.harness.spec(context.runId));
    EXPECT(again || again.error().code == ErrorCode::AlreadyExists,
           "a repeated create fails oddly");
    const auto found = context.list();
    EXPECT_RESULT(found);
    EXPECT(found->size() == 1, "a repeated create left two");
    return {};
}

QString destroyTwice(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const SandboxId id = context.sandbox->id();
    EXPECT_RESULT(await(context.provider->destroy(id, {})));
    EXPECT_RESULT(await(context.provider->destroy(id, {})));
    const auto found = context.list();
    EXPECT_RESULT(found);
    EXPECT(found->isEmpty(), "it is still listed");
    const auto joined = await(context.provider->attach(id, {}));
    EXPECT(!joined && joined.error().code == ErrorCode::NotFound, "it can still be joined");
    return {};
}

QString destroyBusy(CaseContext &context)
{
    MAKE_SANDBOX(context);
    context.control().busyOnDestroy(2);
    EXPECT_RESULT(await(context.provider->destroy(context.sandbox->id(), {})));
    const auto found = context.list();
    EXPECT_RESULT(found);
    EXPECT(found->isEmpty(), "it is still listed");
    return {};
}

QString destroyFailed(CaseContext &context)
{
    MAKE_SANDBOX(context);
    context.control().refuseDestroy();
    EXPECT(!await(context.provider->destroy(context.sandbox->id(), {})),
           "it is still there and is said to be gone");
    context.control().reset();
    EXPECT_RESULT(await(context.provider->destroy(context.sandbox->id(), {})));
    return {};
}

QString lifetimeSet(CaseContext &context)
{
    SandboxSpec spec = context.harness.spec(context.runId);
    spec.lifetime = std::chrono::seconds(1234);
    EXPECT_RESULT(makeOne(context, spec));
    const QStringList sent = context.control().requests().filter(QStringLiteral("create"));
    EXPECT(!sent.isEmpty() && sent.front().contains(QStringLiteral("1234")),
           "the lifetime is not in the request");
    const std::chrono::seconds maximum = context.provider->info().capabilities.lifetime.maximum;
    if (maximum.count() > 0) {
        spec.lifetime = maximum + std::chrono::seconds(1);
        EXPECT(hasErrors(context.provider->validate(spec)),
               "a lifetime above the maximum is valid");
        spec.labels[QStringLiteral("role")] = QStringLiteral("other");
        EXPECT(!makeOne(context, spec), "a lifetime above the maximum was taken");
    }
    return {};
}

QString lifetimeEnds(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const CommandId id{newId()};
    EXPECT_RESULT(await(context.sandbox->start(id, context.shell(QStringLiteral("sleep 30")), {})));
    context.control().advance(context.harness.spec(context.runId).lifetime +
                              std::chrono::seconds(1));
    const auto result = await(context.sandbox->wait(id, std::make_shared<TextSink>(), {}));
    EXPECT(!result && result.error().code == ErrorCode::SandboxGone,
           "the end of a sandbox is not told from other failures");
    return {};
}

QString deadlineMoved(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const auto before = context.list();
    EXPECT_RESULT(before);
    const QDateTime wanted =
        before->front().deadline.value_or(QDateTime::currentDateTimeUtc()).addSecs(600);
    const auto moved = await(context.sandbox->setDeadline(wanted, {}));
    if (!moved) {
        EXPECT(moved.error().code == ErrorCode::NotSupported, "the deadline cannot be moved");
        return {};
    }
    const auto after = context.list();
    EXPECT_RESULT(after);
    EXPECT(after->front().deadline && qAbs(after->front().deadline->secsTo(*moved)) < 2,
           "the deadline is said to have moved and has not");
    return {};
}

NetworkPolicy somePolicy()
{
    NetworkPolicy policy;
    policy.allow = {{QStringLiteral("api.example.com"), quint16(443)},
                    {QStringLiteral("*.pkg.example.com"), {}}};
    policy.deny = {{QStringLiteral("bad.pkg.example.com"), {}}};
    return policy;
}

QString policyExact(CaseContext &context)
{
    SandboxSpec spec = context.harness.spec(context.runId);
    spec.network = somePolicy();
    EXPECT_RESULT(makeOne(context, spec));
    const CompiledPolicy compiled = context.provider->compile(spec.network);
    const QStringList sent = context.control().requests().filter(QStringLiteral("create"));
    EXPECT(!sent.isEmpty() && sent.front().contains(QString::fromUtf8(compiled.native)),
           "the request does not hold the compiled rules");
    return {};
}

QString policyRefused(CaseContext &context)
{
    context.control().refusePolicy(QStringLiteral("rule 3 is too wild"));
    const auto made = makeOne(context, context.harness.spec(context.runId));
    EXPECT(!made && made.error().code == ErrorCode::PolicyNotEnforceable,
           "a refused policy was passed over");
    EXPECT((made.error().message + made.error().detail).contains(QStringLiteral("rule 3")),
           "the backend's own words are missing");
    return {};
}

QString wildcardAndPort(CaseContext &context)
{
    const CompiledPolicy compiled = context.provider->compile(somePolicy());
    const QString rules = compiled.rules.join(u'\n');
    const bool port = rules.contains(QStringLiteral("443"));
    const bool wildcard = rules.contains(QStringLiteral("*.pkg.example.com"));
    const bool exact = compiled.strength == CompiledPolicy::Strength::Exact;
    EXPECT(port || (!exact && !compiled.limits.isEmpty()), "a port was dropped in silence");
    EXPECT(wildcard || (!exact && !compiled.limits.isEmpty()), "a wildcard was dropped in silence");
    EXPECT(context.provider->compile(somePolicy()).digest == compiled.digest, "it is not pure");
    return {};
}

QString liveNetwork(CaseContext &context)
{
    MAKE_SANDBOX(context);
    EXPECT(context.sandbox->liveNetwork(), "there is no live network");
    const QString host = QStringLiteral("new.example.com");
    EXPECT(!context.harness.mayReach(context.sandbox, host, 443), "the host is open already");
    NetworkPolicy policy;
    policy.allow = {{host, {}}};
    EXPECT_RESULT(await(context.sandbox->liveNetwork()->replace(policy, {})));
    EXPECT(context.harness.mayReach(context.sandbox, host, 443), "the new policy has no effect");
    EXPECT_RESULT(await(context.sandbox->liveNetwork()->replace(NetworkPolicy(), {})));
    EXPECT(!context.harness.mayReach(context.sandbox, host, 443), "the host stayed open");
    return {};
}

QString checkMissing(CaseContext &context, ErrorCode expected)
{
    const auto items = await(context.provider->checkReady({}));
    EXPECT_RESULT(items);
    bool told = false;
    for (const Readiness &item : *items) {
        told = told || (item.state != Readiness::State::Ok && !item.nextStep.isEmpty());
    }
    EXPECT(told, "the doctor has no next step");
    const auto made = makeOne(context, context.harness.spec(context.runId));
    EXPECT(!made && made.error().code == expected, "the code of the error is wrong");
    EXPECT(!made.error().message.isEmpty(), "the error says nothing");
    return {};
}

QString notInstalled(CaseContext &context)
{
    context.control().removeTool();
    const QString missing = checkMissing(context, ErrorCode::NotInstalled);
    if (!missing.isEmpty()) {
        return missing;
    }
    context.control().reset();
    context.control().signOut();
    return checkMissing(context, ErrorCode::NotSignedIn);
}

QString readyInTime(CaseContext &context)
{
    context.control().toolPrompts();
    std::stop_source source;
    QTimer::singleShot(10'000, [source]() mutable { source.request_stop(); });
    QElapsedTimer timer;
    timer.start();
    const auto items = await(context.provider->checkReady(source.get_token()));
    EXPECT(items && timer.elapsed() < atMost(10'000),
           "the doctor waits for an answer from a person");
    return {};
}

QString retryAfter(CaseContext &context)
{
    context.control().limitNext(std::chrono::seconds(2));
    MAKE_SANDBOX(context);
    EXPECT(context.control().requests().filter(QStringLiteral("create")).size() == 2,
           "it was not asked again exactly once");
    context.control().reset();
    context.control().limitNext({});
    SandboxSpec spec = context.harness.spec(context.runId);
    spec.labels[QStringLiteral("role")] = QStringLiteral("other");
    const auto made = makeOne(context, spec);
    EXPECT(!made && made.error().code == ErrorCode::LimitReached, "a limit is not called so");
    EXPECT(context.control().requests().filter(QStringLiteral("create")).size() == 1,
           "it was asked again without a time to wait");
    return {};
}

/// One short life of a sandbox; what went wrong.
QString shortLife(CaseContext &context)
{
    SandboxSpec spec = context.harness.spec(context.runId);
    const auto made = makeOne(context, spec);
    EXPECT_RESULT(made);
    context.sandbox = *made;
    const auto result = context.run(context.shell(QStringLiteral("echo alive")));
    EXPECT_RESULT(result);
    EXPECT(context.sink->output == "alive\n", "the command's words are wrong");
    EXPECT_RESULT(await(context.provider->destroy(context.sandbox->id(), {})));
    return {};
}

QString resets(CaseContext &context)
{
    QString wrong = shortLife(context);
    const qsizetype requests = context.control().requests().size();
    for (int number = 1; number <= requests && wrong.isEmpty(); ++number) {
        context.control().reset();
        context.control().resetAtRequest(number);
        wrong = shortLife(context);
        const auto left = context.list();
        if (wrong.isEmpty() && (!left || !left->isEmpty())) {
            wrong = QStringLiteral("something is left");
        }
        if (!wrong.isEmpty()) {
            wrong = QStringLiteral("reset at request %1: %2").arg(number).arg(wrong);
        }
    }
    return wrong;
}

/// What is logged while it lives.
class LogCatcher final
{
public:
    LogCatcher()
    {
        s_text.clear();
        m_before = qInstallMessageHandler(&LogCatcher::take);
    }
    ~LogCatcher() { qInstallMessageHandler(m_before); }
    [[nodiscard]] static QByteArray text() { return s_text; }

private:
    static void take(QtMsgType, const QMessageLogContext &, const QString &message)
    {
        s_text += message.toUtf8() + '\n';
    }
    static inline QByteArray s_text;
    QtMessageHandler m_before = nullptr;
};

/// The argument lists of everything on this machine.
QByteArray allArguments()
{
    QByteArray all;
    for (const QString &name : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(name));
        if (name.front().isDigit() && file.open(QIODevice::ReadOnly)) {
            all += file.readAll() + '\n';
        }
    }
    return all;
}

bool folderHolds(const QString &folder, const QByteArray &text)
{
    QDirIterator files(folder, QDir::Files | QDir::Hidden | QDir::NoSymLinks,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains(text)) {
            return true;
        }
    }
    return false;
}

QString secretNowhere(CaseContext &context)
{
    MAKE_SANDBOX(context);
    const QByteArray secret = "contract-secret-" + newId().toLatin1();
    const LogCatcher catcher;
    Command command = context.shell(QStringLiteral("sleep 0.5; [ ${#KEY} -gt 20 ] && echo there"));
    command.environment = {{QStringLiteral("KEY"), Secret(secret)}};
    QByteArray arguments;
    QTimer sampler;
    QObject::connect(&sampler, &QTimer::timeout, &sampler, [&] { arguments += allArguments(); });
    sampler.start(20);
    EXPECT_RESULT(context.run(command));
    EXPECT(context.sink->output == "there\n", "the command did not get it");
    EXPECT(!arguments.isEmpty() && !arguments.contains(secret), "it was in an argument list");
    EXPECT(!LogCatcher::text().contains(secret), "it was logged");
    command.directory = QStringLiteral("/no/such/folder");
    const auto failed = context.run(command);
    EXPECT(!(failed ? QString() : errorText(failed.error())).contains(QString::fromLatin1(secret)),
           "it is in an error");
    if (context.harness.control()) {
        EXPECT(!context.control().requests().join(u'\n').contains(QString::fromLatin1(secret)),
               "it was in a request");
    }
    const QString folder = context.harness.searchedFolder();
    EXPECT(folder.isEmpty() || !folderHolds(folder, secret), "it was left in a file");
    return {};
}

bool isHonest(ErrorCode code)
{
    return code == ErrorCode::UnexpectedReply || code == ErrorCode::DamagedInTransit ||
           code == ErrorCode::ConnectionLost || code == ErrorCode::TooLarge;
}

QString damagedReplies(CaseContext &context)
{
    using Damage = ServiceControl::Damage;
    MAKE_SANDBOX(context);
    const CommandId id{newId()};
    EXPECT_RESULT(
        await(context.sandbox->start(id, context.shell(QStringLiteral("echo whole")), {})));
    for (const Damage damage :
         {Damage::Html, Damage::HalfReply, Damage::LongLine, Damage::WrongTypes}) {
        context.control().damageReplies(damage);
        const auto listed = context.list();
        EXPECT(!listed && isHonest(listed.error().code), "a damaged list was believed");
        EXPECT(listed.error().detail.size() <= 400, "an error carries a whole reply");
        const auto result = await(context.sandbox->wait(id, std::make_shared<TextSink>(), {}));
        EXPECT(!result && isHonest(result.error().code), "a damaged answer was believed");
        EXPECT(!await(context.sandbox->end(id, std::chrono::seconds(1), {})),
               "a damaged count was believed");
        context.control().reset();
    }
    const auto sink = std::make_shared<TextSink>();
    EXPECT_RESULT(await(context.sandbox->wait(id, sink, {})));
    EXPECT(sink->output == "whole\n", "nothing works after the damage");
    return {};
}

} // namespace

QList<ContractCase> serviceCases()
{
    using Needs = ContractCase::Needs;
    return {
        {QStringLiteral("C23"), QStringLiteral("list-all-pages"), allPages, Needs::Control},
        {QStringLiteral("C24"), QStringLiteral("list-only-ours"), onlyOurs, Needs::Control},
        {QStringLiteral("C25"), QStringLiteral("found-by-label"), createWithoutReply,
         Needs::Control},
        {QStringLiteral("C26"), QStringLiteral("create-repeated"), createRepeated, {}},
        {QStringLiteral("C27"), QStringLiteral("destroy-twice"), destroyTwice, {}},
        {QStringLiteral("C28"), QStringLiteral("destroy-busy"), destroyBusy, Needs::Control},
        {QStringLiteral("C29"), QStringLiteral("destroy-failed"), destroyFailed, Needs::Control},
        {QStringLiteral("C30"), QStringLiteral("lifetime-set"), lifetimeSet, Needs::Control},
        {QStringLiteral("C31"), QStringLiteral("lifetime-ends"), lifetimeEnds, Needs::Control},
        {QStringLiteral("C32"), QStringLiteral("deadline"), deadlineMoved, {}},
        {QStringLiteral("C33"), QStringLiteral("policy-exact"), policyExact, Needs::Control},
        {QStringLiteral("C34"), QStringLiteral("policy-refused"), policyRefused, Needs::Control},
        {QStringLiteral("C35"), QStringLiteral("wildcard-and-port"), wildcardAndPort, {}},
        {QStringLiteral("C36"), QStringLiteral("live-network"), liveNetwork, {}},
        {QStringLiteral("C37"), QStringLiteral("not-installed"), notInstalled, Needs::Control},
        {QStringLiteral("C38"), QStringLiteral("check-ready"), readyInTime, Needs::Control},
        {QStringLiteral("C39"), QStringLiteral("retry-after"), retryAfter, Needs::Control},
        {QStringLiteral("C40"), QStringLiteral("reset-at-each-request"), resets, Needs::Control},
        {QStringLiteral("C41"), QStringLiteral("secret-nowhere"), secretNowhere, {}},
        {QStringLiteral("C42"), QStringLiteral("damaged-replies"), damagedReplies, Needs::Control}};
}

} // namespace Glovebox::Testing
