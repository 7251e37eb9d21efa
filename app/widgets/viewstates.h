// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QStackedLayout;
class QTimer;

namespace Glovebox {

class Banner;
class ElidedLabel;

/// The four states that every view has on purpose: empty, busy, content, error. While new content
/// is fetched the old stays; a thin bar shows it after 300 ms. An error stands above the content,
/// with its details at hand.
class ViewStates final : public QWidget
{
    Q_OBJECT
public:
    enum class State { Empty, Content };

    /// Takes \a content over.
    explicit ViewStates(QWidget *content, QWidget *parent = nullptr);

    void setEmpty(const QString &icon, const QString &title, const QString &sentence,
                  const QString &button);
    void showEmpty();
    void showContent();
    void setBusy(const QString &what); ///< an empty text ends it
    void showError(const Error &error);
    void clearError();

    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] bool isBusy() const { return m_busy; }
    [[nodiscard]] QString errorText() const;

Q_SIGNALS:
    void emptyButtonClicked();
    void retryRequested();

protected:
    void changeEvent(QEvent *event) override;

private:
    [[nodiscard]] QWidget *makeEmpty();
    void drawIcon();

    QStackedLayout *m_stack;
    QProgressBar *m_bar;
    Banner *m_error;
    QLabel *m_emptyIcon = nullptr;
    QString m_icon;
    ElidedLabel *m_emptyTitle = nullptr;
    QLabel *m_emptySentence = nullptr;
    QPushButton *m_emptyButton = nullptr;
    QTimer *m_delay;
    State m_state = State::Empty;
    bool m_busy = false;
};

} // namespace Glovebox
