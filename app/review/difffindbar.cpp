// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/review/difffindbar.h"

#include "app/review/diffview.h"
#include "app/widgets/elidedlabel.h"
#include "app/widgets/icon.h"
#include "app/widgets/pane.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QTimer>

#include <algorithm>

namespace Glovebox {

DiffFindBar::DiffFindBar(DiffDocument *document, DiffView *view, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_view(view)
    , m_search(new DiffSearch(document, this))
    , m_field(new QLineEdit)
    , m_count(new ElidedLabel(ElidedLabel::Size::Small))
    , m_delay(new QTimer(this))
{
    auto *bar = new Strip(Token::Head, Strip::Edge::Bottom, 40, this);
    bar->row()->setContentsMargins(8, 0, 8, 0);
    m_field->setPlaceholderText(tr("Find in changes"));
    m_field->setAccessibleName(tr("Find in changes"));
    m_field->setClearButtonEnabled(true);
    m_field->addAction(themedIcon(QStringLiteral("search"), Token::Dim),
                       QLineEdit::LeadingPosition);
    m_field->setMaximumWidth(320);
    m_field->installEventFilter(this);
    m_view->installEventFilter(this);
    bar->row()->addWidget(m_field, 3);
    const auto add = [bar](const QString &icon, const QString &name) {
        auto *button = new QPushButton(themedIcon(icon), {}, bar);
        button->setFlat(true);
        button->setAccessibleName(name);
        button->setToolTip(name);
        bar->row()->addWidget(button);
        return button;
    };
    m_previous = add(QStringLiteral("chevron-up"), tr("Previous match"));
    m_next = add(QStringLiteral("chevron-down"), tr("Next match"));
    bar->row()->addWidget(m_count, 4);
    QPushButton *close = add(QStringLiteral("close"), tr("Close find"));
    auto *all = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(bar);
    m_delay->setSingleShot(true);
    m_delay->setInterval(150);
    connect(m_delay, &QTimer::timeout, this, &DiffFindBar::look);
    connect(m_field, &QLineEdit::textChanged, this, [this] {
        m_delay->start();
        updateCount(); // what it said was of another text
    });
    connect(m_previous, &QPushButton::clicked, this, [this] { walk(-1); });
    connect(m_next, &QPushButton::clicked, this, [this] { walk(1); });
    connect(close, &QPushButton::clicked, this, &DiffFindBar::dismiss);
    connect(m_search, &DiffSearch::changed, this, &DiffFindBar::takeMatches);
    connect(document, &DiffDocument::fileRead, this, [this](int file) {
        if (m_awaiting && file == m_shown.file) {
            select();
        }
    });
    connect(document, &DiffDocument::changesReset, this, [this] {
        m_shown = {};
        m_search->start(isVisible() ? m_search->needle() : QString(), 0);
    });
    updateCount();
    hide();
}

void DiffFindBar::open()
{
    const QString chosen = m_view->selectedText();
    if (m_view->hasSelection() && !chosen.contains(QLatin1Char('\n')) && chosen.size() < 200) {
        m_field->setText(chosen);
    }
    m_origin = place();
    show();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
    if (m_field->text() != m_search->needle()) {
        look();
    }
}

void DiffFindBar::dismiss()
{
    hide();
    m_delay->stop();
    m_wanted = 0;
    m_search->start({}, 0);
    m_view->setFocus(Qt::OtherFocusReason);
}

DiffMatch DiffFindBar::place() const
{
    const int file = m_view->currentFile();
    if (file < 0) {
        return {};
    }
    return {file, static_cast<int>(m_view->currentRow() - m_document->firstRowOf(file)), 0, 0};
}

void DiffFindBar::look()
{
    m_delay->stop();
    m_shown = {};
    m_awaiting = false;
    m_roundTheEnd = 0;
    m_wanted = 1; // the first match from where the reader was
    m_search->start(m_field->text(), qMax(0, m_origin.file));
}

void DiffFindBar::takeMatches()
{
    if (m_wanted != 0 && !m_delay->isActive() && !isHidden()) {
        walk(m_wanted);
    }
    updateCount();
}

void DiffFindBar::walk(int step)
{
    if (isHidden()) {
        open();
        return;
    }
    if (m_delay->isActive() || m_field->text() != m_search->needle()) {
        look();
        return;
    }
    const QList<DiffMatch> &matches = m_search->matches();
    const bool first = m_shown.file < 0;
    const DiffMatch from = first ? m_origin : m_shown;
    // From a match to another one; at the beginning the one that the reader stands on counts too.
    const auto beyond = first ? std::lower_bound(matches.cbegin(), matches.cend(), from)
                              : std::upper_bound(matches.cbegin(), matches.cend(), from);
    auto at = beyond - matches.cbegin();
    if (step < 0) {
        at = std::lower_bound(matches.cbegin(), matches.cend(), from) - matches.cbegin() - 1;
    }
    const bool outside = at < 0 || at >= matches.size();
    m_wanted = outside && m_search->isRunning() ? step : 0;
    if (m_wanted != 0 || matches.isEmpty()) {
        updateCount(); // it may still come
        return;
    }
    m_roundTheEnd = outside ? step : 0;
    reveal(matches.at(outside ? (step > 0 ? 0 : matches.size() - 1) : at));
}

void DiffFindBar::reveal(const DiffMatch &match)
{
    m_shown = match;
    if (m_document->isFolded(match.file)) {
        m_document->toggleFold(match.file);
    }
    m_document->want(match.file);
    m_awaiting = !m_document->isRead(match.file);
    if (m_awaiting) {
        m_view->scrollToRow(m_document->firstRowOf(match.file));
    } else {
        select();
    }
    updateCount();
}

void DiffFindBar::select()
{
    m_awaiting = false;
    const int rows = static_cast<int>(m_document->rowsOf(m_shown.file));
    const qint64 row = m_document->firstRowOf(m_shown.file) + qMin(m_shown.row, rows - 1);
    m_view->select({row, m_shown.column}, {row, m_shown.column + m_shown.length});
    m_view->showColumns(row, m_shown.column, m_shown.column + m_shown.length);
}

QString DiffFindBar::countText() const
{
    if (m_search->needle().isEmpty() || m_search->needle() != m_field->text()) {
        return {};
    }
    const QList<DiffMatch> &matches = m_search->matches();
    QStringList parts;
    if (matches.isEmpty()) {
        parts << (m_search->isRunning() ? tr("Searching…") : tr("No match"));
    } else {
        QString all = QLocale().toString(matches.size());
        if (m_search->isRunning() || m_search->isCapped()) {
            all += QLatin1Char('+');
        }
        const auto at = std::lower_bound(matches.cbegin(), matches.cend(), m_shown);
        const bool shown = m_shown.file >= 0 && at != matches.cend() && *at == m_shown;
        //: Which match of how many: "3 of 17"
        parts << (shown ? tr("%1 of %2").arg(QLocale().toString(at - matches.cbegin() + 1), all)
                        : tr("%n match(es)", nullptr, static_cast<int>(matches.size())));
    }
    if (m_roundTheEnd != 0) {
        parts << (m_roundTheEnd > 0 ? tr("went on from the start") : tr("went on from the end"));
    }
    if (m_search->unsearched() > 0 && !m_search->isRunning()) {
        parts << tr("%n file(s) without lines to search", nullptr, m_search->unsearched());
    }
    return parts.join(QStringLiteral(" · "));
}

void DiffFindBar::updateCount()
{
    const QString text = countText();
    const bool none = m_search->matches().isEmpty();
    m_count->setText(text);
    m_count->setToken(none && !text.isEmpty() && !m_search->isRunning() ? Token::Bad : Token::Dim);
    m_field->setAccessibleDescription(text);
    m_previous->setEnabled(!none);
    m_next->setEnabled(!none);
}

void DiffFindBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        dismiss();
        return;
    }
    QWidget::keyPressEvent(event);
}

bool DiffFindBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            walk(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
            return true;
        }
    }
    if (watched == m_view && event->type() == QEvent::KeyPress && isVisible() &&
        static_cast<const QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        dismiss();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace Glovebox
