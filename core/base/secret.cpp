// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/secret.h"

namespace Glovebox {

namespace {

void overwrite(QByteArray *bytes)
{
    // Written through a volatile pointer, so that the compiler cannot leave it out.
    volatile char *data = bytes->data();
    for (qsizetype i = 0; i < bytes->size(); ++i) {
        data[i] = 0;
    }
    delete bytes;
}

} // namespace

Secret::Secret(QByteArray value)
{
    // A deep copy: the caller's array may be shared with strings that live elsewhere.
    m_bytes = std::shared_ptr<const QByteArray>(
        new QByteArray(value.constData(), value.size()),
        [](const QByteArray *bytes) { overwrite(const_cast<QByteArray *>(bytes)); });
}

} // namespace Glovebox
