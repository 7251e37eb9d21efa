// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/secret.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <memory>

namespace Glovebox {

struct NamedSecret
{
    QString name; ///< environment name; what is shown instead: [redacted:NAME]
    Secret value;
};

/// The known secrets in all forms in which they could appear: raw, JSON-escaped, URL-escaped, hex
/// in both cases, base64 (standard and URL alphabet, at the three offsets, without the characters
/// that depend on neighbours). Every form is also found where terminal control sequences, line
/// breaks, other controls or JSON escapes (also of single letters) stand between its letters. Not
/// found: spelt backwards, or by any code that is not listed; redaction is no containment.
/// Built once per run, immutable, shared by streams. Values under 8 bytes are too short to be told
/// from ordinary text; tooShort() names them. White space around a value does not count.
class SecretForms final
{
public:
    explicit SecretForms(const QList<NamedSecret> &secrets);
    ~SecretForms();
    Q_DISABLE_COPY_MOVE(SecretForms)
    [[nodiscard]] bool isEmpty() const;
    [[nodiscard]] QStringList tooShort() const;
    /// Names of the secrets that \a bytes holds in any form.
    [[nodiscard]] QStringList find(const QByteArray &bytes) const;
    /// A whole text with every form replaced.
    [[nodiscard]] QByteArray redact(const QByteArray &bytes) const;

private:
    friend class Redactor;
    class Private;
    std::unique_ptr<Private> d;
};

/// Redacts a stream in pieces, in linear time. What could be the beginning of a secret is held back
/// until more comes or finish() is called, so that no piece and no join of pieces holds one. What
/// is no secret passes unchanged, binary too. When a form is cut off by the end of the stream,
/// finish() hides what there is of it (at least 8 bytes and half of the form).
/// Where bytes are missing in a stream, call finish() before the gap.
class Redactor final
{
public:
    explicit Redactor(std::shared_ptr<const SecretForms> forms);
    ~Redactor();
    Q_DISABLE_COPY_MOVE(Redactor)
    [[nodiscard]] QByteArray feed(const QByteArray &bytes);
    [[nodiscard]] QByteArray finish();
    /// How many bytes are held back now.
    [[nodiscard]] qsizetype held() const;

private:
    friend class SecretForms;
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Glovebox
