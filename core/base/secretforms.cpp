// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/secretforms.h"

#include <QSet>
#include <QString>

namespace Glovebox {

namespace {

const char upperDigits[] = "0123456789ABCDEF";
const char lowerDigits[] = "0123456789abcdef";

bool isAlphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

QByteArray hex(const QByteArray &value, const char *digits)
{
    QByteArray text;
    for (const char c : value) {
        text += digits[static_cast<uchar>(c) >> 4];
        text += digits[static_cast<uchar>(c) & 15];
    }
    return text;
}

/// Every byte but letters, digits and \a kept as %XX.
QByteArray urlEscaped(const QByteArray &value, QByteArrayView kept, const char *digits)
{
    QByteArray text;
    for (const char c : value) {
        if (isAlphanumeric(c) || kept.contains(c)) {
            text += c;
        } else {
            text += '%' + hex(QByteArray(1, c), digits);
        }
    }
    return text;
}

QByteArray everythingUrlEscaped(const QByteArray &value, const char *digits)
{
    QByteArray text;
    for (const char c : value) {
        text += '%' + hex(QByteArray(1, c), digits);
    }
    return text;
}

void addUrlForms(const QByteArray &value, QSet<QByteArray> *forms)
{
    // What the usual escapers leave alone: nothing, RFC 3986, path parts, ECMAScript's two,
    // HTML forms, and those that keep all but what would end the text.
    static const char *const keptSets[] = {
        "", "-._~", "-._~/", "-_.!~*'()", "-_.!~*'();,/?:@&=+$#", ".-*_", "-._~!$&'()*+,;=:@",
    };
    for (const char *digits : {upperDigits, lowerDigits}) {
        forms->insert(everythingUrlEscaped(value, digits));
        for (const char *kept : keptSets) {
            const QByteArray text = urlEscaped(value, kept, digits);
            forms->insert(text);
            forms->insert(QByteArray(text).replace("%20", "+"));
        }
    }
}

enum class BeyondAscii { AsIs, Escaped };

/// As inside a JSON string.
QByteArray jsonEscaped(const QByteArray &value, const char *digits, BeyondAscii beyondAscii)
{
    QString escaped;
    for (const QChar c : QString::fromUtf8(value)) {
        const char16_t unit = c.unicode();
        if (c == QLatin1Char('"') || c == QLatin1Char('\\')) {
            escaped += QLatin1Char('\\') + c;
        } else if (c == QLatin1Char('\n')) {
            escaped += QLatin1String("\\n");
        } else if (c == QLatin1Char('\t')) {
            escaped += QLatin1String("\\t");
        } else if (c == QLatin1Char('\r')) {
            escaped += QLatin1String("\\r");
        } else if (unit < 0x20 || (unit >= 0x80 && beyondAscii == BeyondAscii::Escaped)) {
            const char bytes[] = {static_cast<char>(unit >> 8), static_cast<char>(unit & 0xff)};
            escaped += QLatin1String("\\u") + QLatin1String(hex(QByteArray(bytes, 2), digits));
        } else {
            escaped += c;
        }
    }
    return escaped.toUtf8();
}

/// The middle of the base64 text that stays the same whatever stands before and behind: \a offset
/// bytes of a group of three come before the value.
QByteArray base64Middle(const QByteArray &value, int offset, QByteArray::Base64Options alphabet)
{
    const QByteArray whole =
        (QByteArray(offset, '\0') + value).toBase64(alphabet | QByteArray::OmitTrailingEquals);
    const qsizetype dependsOnBefore = (offset * 8 + 5) / 6;
    const qsizetype complete = (offset + value.size()) * 8 / 6;
    return whole.sliced(dependsOnBefore, complete - dependsOnBefore);
}

QByteArray withoutControls(const QByteArray &value)
{
    QByteArray text;
    for (const char c : value) {
        if (static_cast<uchar>(c) >= 0x20 && c != 0x7f) {
            text += c;
        }
    }
    return text;
}

} // namespace

QList<QByteArray> formsOf(const QByteArray &value)
{
    QSet<QByteArray> forms{value, hex(value, upperDigits), hex(value, lowerDigits)};
    // The plain view of a stream has no controls: a key of several lines is one line there.
    const QByteArray oneLine = withoutControls(value);
    if (oneLine.size() >= 8) {
        forms.insert(oneLine);
    }
    addUrlForms(value, &forms);
    for (const char *digits : {upperDigits, lowerDigits}) {
        for (const BeyondAscii beyondAscii : {BeyondAscii::AsIs, BeyondAscii::Escaped}) {
            const QByteArray escaped = jsonEscaped(value, digits, beyondAscii);
            forms.insert(escaped);
            forms.insert(QByteArray(escaped).replace("/", "\\/"));
        }
    }
    for (int offset = 0; offset < 3; ++offset) {
        forms.insert(base64Middle(value, offset, QByteArray::Base64Encoding));
        forms.insert(base64Middle(value, offset, QByteArray::Base64UrlEncoding));
    }
    return {forms.cbegin(), forms.cend()};
}

} // namespace Glovebox
