// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/runs/logview.h"

#include "app/widgets/icon.h"
#include "core/base/pool.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>

namespace Glovebox {

namespace {

constexpr qint64 firstRead = 256LL * 1024; // so that something is on screen at once
constexpr qint64 nextRead = 8LL * 1024 * 1024;
constexpr int padding = 12;

struct Scanned
{
    LogScan scan;
    bool more = false;
};

} // namespace

Token terminalToken(int colour)
{
    switch (colour) {
    case 1:
        return Token::Bad;
    case 2:
        return Token::Ok;
    case 3:
        return Token::Warn;
    case 4:
        return Token::SynF;
    case 5:
        return Token::Mov;
    case 6:
        return Token::SynT;
    case 0:
        return Token::Dim; // black on a dark page would be nothing
    default:
        return Token::Text;
    }
}

LogView::LogView(QWidget *parent)
    : RowView(parent)
    , m_coalesce(new QTimer(this))
    , m_newLinesButton(new QPushButton(viewport()))
{
    setAccessibleName(tr("Log"));
    m_coalesce->setSingleShot(true);
    m_coalesce->setInterval(50);
    m_newLinesButton->setFocusPolicy(Qt::NoFocus);
    m_newLinesButton->setCursor(Qt::ArrowCursor);
    m_newLinesButton->setIcon(themedIcon(QStringLiteral("arrow-down")));
    m_newLinesButton->hide();
    connect(m_coalesce, &QTimer::timeout, this, &LogView::scan);
    connect(m_newLinesButton, &QPushButton::clicked, this, [this] { setFollowing(true); });
    connect(this, &RowView::scrolledByReader, this, [this] { setFollowing(isAtEnd()); });
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        // Before the value is taken over: look again when it is.
        QMetaObject::invokeMethod(
            this, [this] { setFollowing(isAtEnd()); }, Qt::QueuedConnection);
    });
}

void LogView::setSource(const LogSource &source)
{
    ++m_generation;
    m_reading = false;
    m_again = false;
    m_newLines = 0;
    m_lines.setScan(LogScan(source));
    rowsReset();
    updateButton();
    scan();
}

void LogView::setGutter(Gutter gutter)
{
    m_gutter = gutter;
    rowsReset();
}

void LogView::refresh()
{
    if (!m_coalesce->isActive()) {
        m_coalesce->start();
    }
}

void LogView::scan()
{
    if (m_reading) {
        m_again = true;
        return;
    }
    m_reading = true;
    m_again = false;
    const int generation = m_generation;
    const LogScan from = m_lines.scan();
    const qint64 maximum = from.scannedBytes() == 0 ? firstRead : nextRead;
    QCoro::connect(runInPool([from, maximum] {
                       Scanned result{from, false};
                       result.more = result.scan.advance(maximum);
                       return result;
                   }),
                   this, [this, generation](const Scanned &result) {
                       takeScan(generation, result.scan, result.more);
                   });
}

void LogView::takeScan(int generation, const LogScan &scanned, bool more)
{
    if (generation != m_generation) {
        return; // another log is shown by now
    }
    m_reading = false;
    const qint64 before = rowCount();
    const bool grew = more;
    m_lines.setScan(scanned);
    if (grew) {
        rowsReset();
        if (m_following) {
            toEnd();
        } else {
            m_newLines += qMax<qint64>(0, rowCount() - before);
        }
        updateButton();
        Q_EMIT linesChanged(rowCount());
    }
    if (more || m_again) {
        scan();
    }
}

void LogView::toEnd()
{
    verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void LogView::setFollowing(bool follow)
{
    if (follow) {
        m_newLines = 0;
        toEnd();
    }
    updateButton();
    if (follow != m_following) {
        m_following = follow;
        Q_EMIT followingChanged(follow);
    }
}

void LogView::updateButton()
{
    m_newLinesButton->setVisible(m_newLines > 0);
    if (m_newLines == 0) {
        return;
    }
    m_newLinesButton->setText(tr("%n new line(s)", nullptr, static_cast<int>(m_newLines)));
    m_newLinesButton->adjustSize();
    m_newLinesButton->move(viewport()->width() - m_newLinesButton->width() - padding,
                           viewport()->height() - m_newLinesButton->height() - padding);
}

void LogView::resizeEvent(QResizeEvent *event)
{
    RowView::resizeEvent(event);
    updateButton();
    if (m_following) {
        toEnd();
    }
}

void LogView::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_End && event->modifiers() == Qt::NoModifier) {
        setFollowing(true);
        return;
    }
    RowView::keyPressEvent(event);
}

void LogView::find(const QString &needle, FindDirection direction)
{
    m_needle = needle;
    const int generation = m_generation;
    const LogScan in = m_lines.scan();
    const int step = direction == FindDirection::Forward ? 1 : -1;
    // A match that is selected already isn't found again.
    const qint64 from = qMax<qint64>(0, hasSelection() ? currentRow() + step : currentRow());
    QCoro::connect(
        runInPool([in, needle, from, direction] { return findInLog(in, needle, from, direction); }),
        this, [this, generation, needle](std::optional<qint64> row) {
            if (generation != m_generation || needle != m_needle) {
                return;
            }
            if (row) {
                setFollowing(false);
                const auto column =
                    static_cast<int>(rowText(*row).indexOf(needle, 0, Qt::CaseInsensitive));
                select({*row, column}, {*row, column + static_cast<int>(needle.size())});
            }
            Q_EMIT findFinished(row.has_value());
        });
}

qint64 LogView::rowCount() const
{
    return m_lines.count();
}

QString LogView::rowText(qint64 row) const
{
    return m_lines.line(row).text;
}

int LogView::textLeft() const
{
    if (m_gutter == Gutter::None) {
        return padding;
    }
    const auto digits = QString::number(qMax<qint64>(999, rowCount())).size();
    return static_cast<int>(digits) * columnWidth() + 2 * padding;
}

QList<QTextLayout::FormatRange> LogView::rowFormats(qint64 row) const
{
    const Tokens &t = Tokens::of(palette());
    QList<QTextLayout::FormatRange> formats;
    for (const TextSpan &span : m_lines.line(row).spans) {
        QTextLayout::FormatRange range;
        range.start = span.start;
        range.length = span.length;
        if (span.colour >= 0) {
            range.format.setForeground(t[terminalToken(span.colour)]);
        }
        if (span.bold) {
            range.format.setFontWeight(QFont::DemiBold);
        }
        formats.append(range);
    }
    return formats;
}

void LogView::paintRow(QPainter *painter, qint64 row, const QRect &area)
{
    const Tokens &t = Tokens::of(palette());
    const bool current = hasFocus() && row == currentRow();
    painter->fillRect(area, current ? t[Token::Alt] : t[Token::Base]);
    if (m_gutter == Gutter::LineNumbers) {
        painter->setFont(textFont());
        painter->setPen(t[Token::Faint]);
        painter->drawText(QRect(0, area.top(), textLeft() - padding, area.height()),
                          Qt::AlignRight | Qt::AlignVCenter, QString::number(row + 1));
    }
    painter->setPen(t[Token::Text]);
    paintText(painter, row, area);
    if (current) {
        painter->fillRect(QRect(area.left(), area.top(), 3, area.height()), t[Token::Accent]);
    }
}

} // namespace Glovebox
