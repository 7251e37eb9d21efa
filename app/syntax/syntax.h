// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

#include <memory>

class QTextDocument;

namespace Glovebox {

class Tokens;

/// Colours of code, through the one library for it. Where the build has no such library, text stays
/// plain and isAvailable() says so; nothing else changes.
class Syntax final
{
public:
    Syntax();
    ~Syntax();
    Syntax(const Syntax &) = delete;
    Syntax &operator=(const Syntax &) = delete;

    [[nodiscard]] static bool isAvailable();
    /// The name of the grammar for a file, empty where there is none.
    [[nodiscard]] QString grammarFor(const QString &fileName) const;
    /// Colours a document from now on, in the colours of \a tokens. GUI thread; the highlighter
    /// belongs to the document. Calling it again changes grammar and colours.
    void attach(QTextDocument *document, const QString &fileName, const Tokens &tokens);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace Glovebox
