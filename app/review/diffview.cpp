// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/review/diffview.h"

#include "app/review/changeslistmodel.h"
#include "core/base/terminaltext.h"

#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace Glovebox {

namespace {

constexpr int headerHeight = 36;
constexpr int hunkHeight = 26;
constexpr int noticeHeight = 40;

} // namespace

DiffView::DiffView(DiffDocument *document, QWidget *parent)
    : RowView(parent)
    , m_document(document)
{
    setAccessibleName(tr("Changes"));
    connect(document, &DiffDocument::changesReset, this, [this] {
        rowsReset();
        setCurrentRow(0);
        m_told = -1;
        m_awaited = {};
        tellFile();
    });
    connect(document, &DiffDocument::rowsShifted, this,
            [this](qint64 at, qint64 delta) { rowsShifted(at, delta); });
    connect(document, &DiffDocument::fileRead, this, [this](int file) {
        viewport()->update();
        goOn(file);
    });
    connect(this, &RowView::currentRowChanged, this, [this] { tellFile(); });
}

qint64 DiffView::rowCount() const
{
    return m_document->rowCount();
}

int DiffView::heightOf(qint64 row) const
{
    switch (m_document->kindOf(row)) {
    case DiffRow::Kind::FileHeader:
        return qMax(headerHeight, lineHeight() + 8);
    case DiffRow::Kind::HunkHeader:
        return qMax(hunkHeight, lineHeight() + 4);
    case DiffRow::Kind::Notice:
        return qMax(noticeHeight, lineHeight() + 8);
    case DiffRow::Kind::Line:
    case DiffRow::Kind::Pending:
        return lineHeight();
    }
    Q_UNREACHABLE();
}

QString DiffView::rowText(qint64 number) const
{
    const DiffRow row = m_document->row(number);
    switch (row.kind) {
    case DiffRow::Kind::FileHeader:
        return displayText(m_document->changes().files.at(row.file).path);
    case DiffRow::Kind::HunkHeader:
        return displayText(row.hunk.header);
    case DiffRow::Kind::Line:
        return row.line.kind == DiffLine::Kind::NoNewline ? QString() : shownText(row.line);
    case DiffRow::Kind::Notice:
        return row.notice;
    case DiffRow::Kind::Pending:
        return {};
    }
    Q_UNREACHABLE();
}

QString DiffView::describeRow(qint64 number) const
{
    const DiffRow row = m_document->row(number);
    if (row.kind == DiffRow::Kind::FileHeader) {
        const FileChange &file = m_document->changes().files.at(row.file);
        //: A file header read aloud: path, kind, counts
        return tr("%1, %2, %3 added, %4 removed")
            .arg(displayText(file.path), kindText(file.kind))
            .arg(file.added)
            .arg(file.removed);
    }
    if (row.kind != DiffRow::Kind::Line) {
        return rowText(number);
    }
    QString what;
    switch (row.line.kind) {
    case DiffLine::Kind::Added:
        what = tr("added, line %1").arg(row.line.newLine);
        break;
    case DiffLine::Kind::Removed:
        what = tr("removed, line %1").arg(row.line.oldLine);
        break;
    case DiffLine::Kind::Context:
        what = tr("line %1").arg(row.line.newLine);
        break;
    case DiffLine::Kind::NoNewline:
        return tr("no newline at the end of the file");
    }
    const VisibleText text = VisibleText::of(shownText(row.line));
    if (!text.boxes().isEmpty()) {
        what += tr(", %n hidden character(s)", nullptr, static_cast<int>(text.boxes().size()));
    }
    return what + QStringLiteral(": ") + text.shown();
}

int DiffView::currentFile() const
{
    return rowCount() == 0 ? -1 : m_document->fileOf(qMin(currentRow(), rowCount() - 1));
}

void DiffView::tellFile()
{
    const int file = currentFile();
    if (file != m_told) {
        m_told = file;
        Q_EMIT currentFileChanged(file);
    }
}

void DiffView::showFile(int file)
{
    if (file < 0 || file >= m_document->changes().files.size()) {
        return;
    }
    m_document->want(file);
    const qint64 row = m_document->firstRowOf(file);
    scrollToRow(row);
    setCurrentRow(row);
}

void DiffView::nextFile(int step)
{
    showFile(currentFile() + step);
}

void DiffView::nextChange(int step)
{
    const int here = currentFile();
    if (here < 0) {
        return;
    }
    const bool unread = !m_document->isRead(here) && !m_document->isFolded(here);
    const bool awaited = m_awaited.file == here && m_awaited.step == step;
    if (unread && (awaited || step > 0)) {
        stopIn(here, step, m_document->firstRowOf(here)); // its changes come before the next file's
        return;
    }
    const int files = static_cast<int>(m_document->changes().files.size());
    for (int file = here; file >= 0 && file < files; file += step) {
        const QList<qint64> stops = m_document->stopsOf(file);
        const auto from = std::upper_bound(stops.cbegin(), stops.cend(), currentRow());
        const auto to = std::lower_bound(stops.cbegin(), stops.cend(), currentRow());
        if (step > 0 ? from != stops.cend() : to != stops.cbegin()) {
            stopIn(file, step, step > 0 ? *from : *std::prev(to));
            return;
        }
    }
}

void DiffView::stopIn(int file, int step, qint64 row)
{
    const bool waits = !m_document->isRead(file) && !m_document->isFolded(file);
    m_awaited = waits ? Awaited{file, step} : Awaited();
    setCurrentRow(row);
    m_document->want(file);
}

void DiffView::goOn(int file)
{
    if (m_awaited.file != file) {
        return;
    }
    const Awaited awaited = std::exchange(m_awaited, {});
    if (currentRow() == m_document->firstRowOf(file)) {
        const QList<qint64> stops = m_document->stopsOf(file);
        setCurrentRow(awaited.step > 0 ? stops.constFirst() : stops.constLast());
    }
}

void DiffView::scrollContentsBy(int dx, int dy)
{
    RowView::scrollContentsBy(dx, dy);
    if (rowCount() > 0) {
        // What the reader comes to next is read before it is in sight.
        m_document->want(m_document->fileOf(lastVisibleRow()) + 1);
    }
}

void DiffView::keyPressEvent(QKeyEvent *event)
{
    // Read by the text they produce, so that they work on every layout and shadow no mnemonic.
    const QString key = event->text();
    if (key == QLatin1String("j")) {
        setCurrentRow(currentRow() + 1);
    } else if (key == QLatin1String("k")) {
        setCurrentRow(currentRow() - 1);
    } else if (key == QLatin1String("n")) {
        nextChange(1);
    } else if (key == QLatin1String("p")) {
        nextChange(-1);
    } else if (key == QLatin1String("J")) {
        nextFile(1);
    } else if (key == QLatin1String("K")) {
        nextFile(-1);
    } else if (key == QLatin1String("o")) {
        const int file = currentFile();
        m_document->toggleFold(file);
        setCurrentRow(m_document->firstRowOf(file));
    } else {
        RowView::keyPressEvent(event);
    }
}

void DiffView::mousePressEvent(QMouseEvent *event)
{
    RowView::mousePressEvent(event);
    const qint64 row = rowAt(event->pos().y());
    if (row >= 0 && m_document->kindOf(row) == DiffRow::Kind::FileHeader && event->pos().x() < 34) {
        m_document->toggleFold(m_document->fileOf(row));
    }
}

} // namespace Glovebox
