// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/ids.h"

#include <QRandomGenerator>

#include <unicode/translit.h>
#include <unicode/unistr.h>

namespace Glovebox {

QString newId()
{
    static const char alphabet[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    QString id(26, Qt::Uninitialized);
    for (QChar &c : id) {
        c = QLatin1Char(alphabet[QRandomGenerator::system()->bounded(36)]);
    }
    return id;
}

QString slugOf(const QString &title, int maximum)
{
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::Transliterator> toAscii(icu::Transliterator::createInstance(
        icu::UnicodeString("Any-Latin; Latin-ASCII; Lower"), UTRANS_FORWARD, status));
    icu::UnicodeString text(reinterpret_cast<const char16_t *>(title.utf16()),
                            static_cast<int32_t>(title.size()));
    if (toAscii) {
        toAscii->transliterate(text);
    }
    QString slug;
    for (int32_t i = 0; i < text.length() && slug.size() < maximum; ++i) {
        const char16_t c = text.charAt(i);
        if ((c >= u'a' && c <= u'z') || (c >= u'0' && c <= u'9')) {
            slug += QChar(c);
        } else if (!slug.isEmpty() && !slug.endsWith(QLatin1Char('-'))) {
            slug += QLatin1Char('-');
        }
    }
    while (slug.endsWith(QLatin1Char('-'))) {
        slug.chop(1);
    }
    return slug;
}

} // namespace Glovebox
