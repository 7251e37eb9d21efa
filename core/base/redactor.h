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
/// that depend on neighbours). Built once per run, immutable, shared by streams. Values under 8
/// characters are too short to be told from ordinary text; tooShort() names them.
class SecretForms final
{
public:
    explicit SecretForms(const QList<NamedSecret> &secrets);
    ~SecretForms();
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

/// Redacts a stream in pieces. What could be the beginning of a secret is held back until more
/// comes or finish() is called; finish() releases it only when it is not one.
class Redactor final
{
public:
    explicit Redactor(std::shared_ptr<const SecretForms> forms);
    [[nodiscard]] QByteArray feed(const QByteArray &bytes);
    [[nodiscard]] QByteArray finish();
    /// How many bytes are held back now.
    [[nodiscard]] qsizetype held() const { return m_held.size(); }

private:
    std::shared_ptr<const SecretForms> m_forms;
    QByteArray m_held;
};

} // namespace Glovebox
