// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/checks/canaries.h"

#include <QRegularExpression>

namespace Glovebox {

namespace {

// Tries one address. The proxy's own refusal is told from an answer of the host by its header, or
// by a refused CONNECT (protocols: srt answers 403 with X-Proxy-Error). The proxy is used for every
// address, loopback too, because NO_PROXY would keep clients from it.
const char tryWithCurl[] = R"(
nl='
'
try() {
    seen=$(curl --noproxy '' -sS -k -o /dev/null -D - -m 8 -w '\n%{http_connect} %{http_code}' "$2" 2>/dev/null)
    rc=$? refused=
    case $seen in *"$nl"[Xx]-[Pp][Rr][Oo][Xx][Yy]-[Ee][Rr][Rr][Oo][Rr]:*) refused=yes ;; esac
    set -- "$1" "$2" ${seen##*"$nl"}
    if [ -n "$refused" ] || [ "${3:-000}" = 403 ]; then word=refused
    elif [ "$4" = 502 ] || [ "$3" = 502 ] || [ "$4" = 503 ] || [ "$3" = 503 ]; then word=unreachable
    elif [ "$3" = 200 ] || [ "${4:-000}" != 000 ]; then word=answered
    elif [ $rc = 6 ] || [ $rc = 7 ] || [ $rc = 28 ] || [ $rc = 56 ]; then word=refused
    else word=unreachable
    fi
    echo "canary $1 $word"
}
)";

const char tryWithNode[] = R"(
try() { node -e '
const [name, address] = process.argv.slice(1);
const url = new URL(address);
const proxy = process.env[url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY"];
const say = (word) => { console.log(`canary ${name} ${word}`); process.exit(0); };
const via = proxy ? new URL(proxy) : url;
const secure = url.protocol === "https:" && proxy;
const headers = { Host: url.host };
if (proxy && via.username) headers["Proxy-Authorization"] =
    "Basic " + Buffer.from(decodeURIComponent(via.username) + ":" + decodeURIComponent(via.password)).toString("base64");
const request = require("http").request({ host: via.hostname, port: via.port || 80, headers, timeout: 8000,
    method: secure ? "CONNECT" : "GET", path: secure ? `${url.hostname}:${url.port || 443}` : proxy ? address : url.pathname });
const judge = (response) => say(response.headers["x-proxy-error"] || (secure && response.statusCode === 403) ? "refused"
    : response.statusCode === 502 || response.statusCode === 503 ? "unreachable" : "answered");
request.on("connect", judge).on("response", judge).on("timeout", () => say("refused")).on("error", () => say("refused")).end();
' "$1" "$2" 2>/dev/null; }
)";

QString quoted(const QString &word)
{
    QString inner = word;
    inner.replace(QLatin1Char('\''), QLatin1String("'\\''"));
    return QLatin1Char('\'') + inner + QLatin1Char('\'');
}

} // namespace

QString canaryScript(const QList<CanaryTarget> &targets)
{
    QString script = QStringLiteral("if command -v curl >/dev/null 2>&1; then") +
                     QString::fromLatin1(tryWithCurl) +
                     QStringLiteral("elif command -v node >/dev/null 2>&1; then") +
                     QString::fromLatin1(tryWithNode) +
                     QStringLiteral("else try() { echo \"canary $1 no-client\"; }\nfi\n");
    for (const CanaryTarget &target : targets) {
        script += QStringLiteral("try %1 %2 &\n").arg(quoted(target.name), quoted(target.url));
    }
    return script + QStringLiteral("wait\n");
}

QHash<QString, CanaryAnswer> readCanaryAnswers(const QByteArray &output)
{
    static const QHash<QByteArray, CanaryAnswer> words{
        {"answered", CanaryAnswer::Answered},
        {"refused", CanaryAnswer::Refused},
        {"unreachable", CanaryAnswer::Unreachable},
        {"no-client", CanaryAnswer::NoClient},
    };
    QHash<QString, CanaryAnswer> answers;
    for (const QByteArray &line : output.split('\n')) {
        const QList<QByteArray> parts = line.split(' ');
        if (parts.size() == 3 && parts.at(0) == "canary" && words.contains(parts.at(2))) {
            answers.insert(QString::fromLatin1(parts.at(1)), words.value(parts.at(2)));
        }
    }
    return answers;
}

QString variableNamesScript()
{
    return QStringLiteral("awk 'BEGIN { for (n in ENVIRON) print n }' 2>/dev/null || "
                          "node -e 'for (const n in process.env) console.log(n)' 2>/dev/null || "
                          "python3 -c 'import os; print(\"\\n\".join(os.environ))'\n");
}

QStringList unexpectedSecrets(const QByteArray &names, const QStringList &expected)
{
    // Names, not text of the agent: short, and nothing of the agent ran yet.
    static const QRegularExpression name(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]{0,127}$"));
    static const QRegularExpression secret(
        QStringLiteral("TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|APIKEY|API_KEY|PRIVATE|(^|_)KEY"
                       "($|_)|(^|_)(PAT|AUTH|COOKIE|SESSION)($|_)|_KEY$"),
        QRegularExpression::CaseInsensitiveOption);
    QStringList found;
    for (const QByteArray &line : names.split('\n')) {
        const QString text = QString::fromLatin1(line);
        if (name.match(text).hasMatch() && secret.match(text).hasMatch() &&
            !expected.contains(text)) {
            found << text;
        }
    }
    found.sort();
    found.removeDuplicates();
    return found;
}

} // namespace Glovebox
