// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/secretshapes.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include <re2/re2.h>
#include <zlib.h>

namespace Glovebox {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(SecretShapes)
};

enum class Check {
    None,
    Crc,    ///< the last six characters are the CRC-32 of those before, in base 62
    Random, ///< only where the value looks random
    NotHeld ///< a weak shape: never certain
};

struct Shape
{
    const char *kind;
    const char *pattern; ///< its last group is the secret, else all of it
    Check check;
};

/// The published shapes; a token ends where a character comes that it cannot hold.
constexpr std::array shapes{
    Shape{"GitHub", "gh[opusr]_([A-Za-z0-9]{36,251})", Check::Crc},
    Shape{"GitHub", "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}", Check::None},
    Shape{"GitLab", "glpat-[\\w-]{20,300}(?:\\.[0-9a-z]{2}\\.?[0-9a-z]{7})?", Check::None},
    Shape{"GitLab", "glrt-(?:t[0-9]_)?[\\w-]{20,300}", Check::None},
    Shape{"AWS", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}", Check::None},
    Shape{"Google", "AIza[\\w-]{35}", Check::None},
    Shape{"Google", "GOCSPX-[\\w-]{28}", Check::None},
    Shape{"Slack", "xox[bp]-(?:[0-9]+-)+[A-Za-z0-9]{24,}", Check::None},
    Shape{"Slack", "xapp-[0-9]-[A-Za-z0-9-]{20,}", Check::None},
    Shape{"Stripe", "(?:sk_live|rk_live|sk_test)_[A-Za-z0-9]{10,99}", Check::None},
    Shape{"OpenAI", "sk-(?:(?:proj|svcacct|admin)-)?[\\w-]{20,80}T3BlbkFJ[\\w-]{20,80}",
          Check::None},
    Shape{"Anthropic", "sk-ant-(?:api03|admin01|oat01)-[\\w-]{80,120}", Check::None},
    Shape{"Hugging Face", "(?:hf|api_org)_[A-Za-z]{34}", Check::None},
    Shape{"npm", "npm_([A-Za-z0-9]{36})", Check::Crc},
    Shape{"PyPI", "pypi-[\\w-]{65,}", Check::None},
    Shape{"RubyGems", "rubygems_[0-9a-f]{48}", Check::None},
    Shape{"Cargo", "cio[A-Za-z0-9]{32}", Check::Random},
    Shape{"DigitalOcean", "do[opr]_v1_[0-9a-f]{64}", Check::None},
    Shape{"SendGrid", "SG\\.[\\w-]{22}\\.[\\w-]{43}", Check::None},
    Shape{"Databricks", "dapi[0-9a-f]{32}(?:-[0-9])?", Check::None},
    Shape{"Terraform Cloud", "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,70}", Check::None},
    Shape{"Grafana", "glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}", Check::None},
    Shape{"Shopify", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}", Check::None},
    Shape{"Postman", "PMAK-[0-9a-f]{24}-[0-9a-f]{34}", Check::None},
    Shape{"age", "AGE-SECRET-KEY-1[0-9A-Z]{58}", Check::None},
    Shape{"Linear", "lin_api_[A-Za-z0-9]{40}", Check::None},
    Shape{"Sentry", "sntryu_[0-9a-f]{64}", Check::None},
    Shape{"1Password", "ops_eyJ[\\w-]{250,}", Check::None},
    Shape{"Azure", "[\\w~.-]{3}[0-9]Q~[\\w~.-]{31,34}", Check::NotHeld},
    Shape{"JWT", "ey[A-Za-z0-9_-]{10,}\\.ey[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}",
          Check::NotHeld},
};

struct Compiled
{
    std::unique_ptr<re2::RE2> expression;
    QString kind;
    Check check = Check::None;
};

double entropyOf(const std::string &value)
{
    std::array<int, 256> counts{};
    for (const char c : value) {
        ++counts.at(static_cast<unsigned char>(c));
    }
    double bits = 0;
    for (const int count : counts) {
        if (count > 0) {
            const double share = count / static_cast<double>(value.size());
            bits -= share * std::log2(share);
        }
    }
    return bits;
}

/// Letters and digits mixed, hardly a word twice: what a person does not write.
bool looksRandom(const std::string &value)
{
    const auto isDigit = [](char c) {
        return c >= '0' && c <= '9';
    };
    const auto isLetter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    const auto digits = std::count_if(value.begin(), value.end(), isDigit);
    return digits >= 2 && std::any_of(value.begin(), value.end(), isLetter) &&
           entropyOf(value) >= 3.3;
}

bool isPlaceholder(const std::string &value)
{
    static const re2::RE2 words("(?i)example|x{4}|changeme|placeholder|your|dummy|fake|1234567890|"
                                "\\.\\.\\.|[<>{}$]");
    return re2::RE2::PartialMatch(value, words) || entropyOf(value) < 2;
}

/// GitHub's published check: CRC-32 of all but the last six characters, base 62, zero-padded.
bool hasRightChecksum(const std::string &body)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const std::size_t length = body.size() - 6;
    auto sum = crc32(0, reinterpret_cast<const Bytef *>(body.data()), static_cast<uInt>(length));
    std::string expected(6, '0');
    for (auto place = expected.rbegin(); place != expected.rend(); ++place) {
        *place = digits[sum % 62];
        sum /= 62;
    }
    return body.compare(length, 6, expected) == 0;
}

std::vector<Compiled> compileShapes()
{
    std::vector<Compiled> all;
    const auto add = [&all](const QString &kind, const std::string &pattern, Check check) {
        all.push_back({std::make_unique<re2::RE2>(pattern), kind, check});
        Q_ASSERT(all.back().expression->ok());
    };
    for (const Shape &shape : shapes) {
        // the first group is the whole token; \b keeps it from beginning within a word
        add(Tr::tr("%1 token").arg(QLatin1String(shape.kind)),
            std::string("\\b(") + shape.pattern + ")", shape.check);
    }
    add(Tr::tr("private key"),
        "(-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----\\s+[A-Za-z0-9+/=\\s:,-]{64,1000})", Check::None);
    add(Tr::tr("password in an address"),
        "\\b[a-z][a-z0-9+.-]{1,20}://[^/\\s:@]{1,100}:([^/\\s@]{3,200})@", Check::NotHeld);
    add(Tr::tr("value that looks like a secret"),
        "(?i)\\b[A-Z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)[A-Z0-9_]{0,60}"
        "[\"']?\\s{0,4}[=:]\\s{0,4}[\"']?([A-Za-z0-9+/_.~-]{16,500}=?=?)",
        Check::Random);
    return all;
}

void findOne(const QByteArray &text, const Compiled &shape, QList<SecretFinding> *findings)
{
    const re2::StringPiece whole(text.constData(), static_cast<std::size_t>(text.size()));
    re2::StringPiece rest = whole;
    re2::StringPiece token;
    re2::StringPiece body;
    const bool hasBody = shape.expression->NumberOfCapturingGroups() > 1;
    const auto findNext = [&] {
        return hasBody ? re2::RE2::FindAndConsume(&rest, *shape.expression, &token, &body)
                       : re2::RE2::FindAndConsume(&rest, *shape.expression, &token);
    };
    while (findNext()) {
        const std::string value(token);
        if (isPlaceholder(value) || (shape.check == Check::Random && !looksRandom(value))) {
            continue;
        }
        const auto begin = static_cast<qsizetype>(token.data() - whole.data());
        const bool certain = shape.check == Check::None ||
                             (shape.check == Check::Crc && hasRightChecksum(std::string(body)));
        *findings << SecretFinding{shape.kind, begin, begin + static_cast<qsizetype>(token.size()),
                                   certain};
    }
}

} // namespace

QList<SecretFinding> findSecretShapes(const QByteArray &text)
{
    static const std::vector<Compiled> all = compileShapes();
    QList<SecretFinding> findings;
    for (const Compiled &shape : all) {
        findOne(text, shape, &findings);
    }
    std::stable_sort(findings.begin(), findings.end(), [](const auto &a, const auto &b) {
        return std::pair(a.begin, !a.isCertain) < std::pair(b.begin, !b.isCertain);
    });
    QList<SecretFinding> apart;
    for (const SecretFinding &finding : findings) {
        if (apart.isEmpty() || finding.begin >= apart.last().end) {
            apart << finding;
        }
    }
    return apart;
}

} // namespace Glovebox
