// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/tasks/taskeditor.h"

#include "app/widgets/fonts.h"
#include "app/widgets/stateglyph.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QTextBlock>

namespace Glovebox {

namespace {

constexpr int markWidth = 22;

class Gutter final : public QWidget
{
public:
    explicit Gutter(TaskEditor *editor)
        : QWidget(editor)
        , m_editor(editor)
    {
    }
    [[nodiscard]] QSize sizeHint() const override { return {m_editor->gutterWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent *event) override { m_editor->paintGutter(event); }

private:
    TaskEditor *m_editor;
};

/// Columns of problems count characters; a document's positions count UTF-16 units.
int unitsOf(const QString &text, int characters)
{
    int units = 0;
    for (int left = characters; left > 0 && units < text.size(); --left) {
        units += text.at(units).isHighSurrogate() && units + 1 < text.size() ? 2 : 1;
    }
    return units;
}

} // namespace

TaskEditor::TaskEditor(QWidget *parent)
    : QPlainTextEdit(parent)
    , m_gutter(new Gutter(this))
{
    setFrameShape(QFrame::NoFrame);
    setFont(codeFont(font()));
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTabStopDistance(2 * fontMetrics().horizontalAdvance(QLatin1Char(' ')));
    setAccessibleName(tr("Task file"));
    setAccessibleDescription(tabText());
    connect(this, &QPlainTextEdit::blockCountChanged, this, &TaskEditor::updateMargin);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect &rect, int dy) {
        if (dy != 0) {
            m_gutter->scroll(0, dy);
        } else {
            m_gutter->update(0, rect.y(), m_gutter->width(), rect.height());
        }
    });
    updateMargin();
}

int TaskEditor::gutterWidth() const
{
    const auto digits = qMax<qsizetype>(3, QString::number(blockCount()).size());
    return markWidth +
           static_cast<int>(digits) * fontMetrics().horizontalAdvance(QLatin1Char('0')) + 12;
}

void TaskEditor::updateMargin()
{
    setViewportMargins(gutterWidth(), 0, 0, 0);
}

void TaskEditor::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    const QRect inside = contentsRect();
    m_gutter->setGeometry(inside.left(), inside.top(), gutterWidth(), inside.height());
}

void TaskEditor::keyPressEvent(QKeyEvent *event)
{
#ifdef Q_OS_MACOS
    const Qt::KeyboardModifiers wanted = Qt::MetaModifier | Qt::ShiftModifier; // Ctrl+Shift there
#else
    const Qt::KeyboardModifiers wanted = Qt::ControlModifier;
#endif
    if (event->key() == Qt::Key_M && event->modifiers() == wanted) {
        setTabChangesFocus(!tabChangesFocus());
        setAccessibleDescription(tabText());
        Q_EMIT tabChanged();
        return;
    }
    if (event == QKeySequence::InsertLineSeparator && !isReadOnly()) {
        textCursor().insertBlock(); // a line of the file, not U+2028 inside of one
        ensureCursorVisible();
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

QString TaskEditor::tabText() const
{
#ifdef Q_OS_MACOS
    const QString key = QStringLiteral("⌃⇧M");
#else
    const QString key = QStringLiteral("Ctrl+M");
#endif
    //: What the Tab key does in the text, and the key that changes that
    return tabChangesFocus() ? tr("Tab moves on (%1)").arg(key) : tr("Tab indents (%1)").arg(key);
}

void TaskEditor::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        updateUnderlines();
    }
}

void TaskEditor::setProblems(const QList<Problem> &problems)
{
    m_problems = problems;
    updateUnderlines();
    m_gutter->update();
}

void TaskEditor::updateUnderlines()
{
    const Tokens &t = Tokens::of(palette());
    QList<QTextEdit::ExtraSelection> selections;
    for (const Problem &problem : m_problems) {
        const QTextBlock block = document()->findBlockByNumber(problem.line - 1);
        if (problem.line <= 0 || !block.isValid()) {
            continue;
        }
        const QString text = block.text();
        const int from = unitsOf(text, problem.column - 1);
        const int to = problem.length > 0 ? unitsOf(text, problem.column - 1 + problem.length)
                                          : static_cast<int>(text.size());
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(block);
        selection.cursor.setPosition(block.position() + from);
        selection.cursor.setPosition(block.position() + to, QTextCursor::KeepAnchor);
        selection.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
        selection.format.setUnderlineColor(
            t[problem.severity == Severity::Error ? Token::Bad : Token::WarnMark]);
        selection.format.setToolTip(problem.message.toHtmlEscaped());
        selections.append(selection);
    }
    setExtraSelections(selections);
}

void TaskEditor::goTo(int line, int column)
{
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid()) {
        return;
    }
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + unitsOf(block.text(), column - 1));
    setTextCursor(cursor);
    ensureCursorVisible();
    setFocus();
}

void TaskEditor::paintGutter(QPaintEvent *event)
{
    QPainter painter(m_gutter);
    const Tokens &t = Tokens::of(palette());
    painter.fillRect(event->rect(), t[Token::Gut]);
    painter.setFont(font());
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF area = blockBoundingGeometry(block).translated(contentOffset());
        if (area.top() > event->rect().bottom()) {
            break;
        }
        painter.setPen(t[Token::Faint]);
        painter.drawText(QRectF(0, area.top(), m_gutter->width() - 8, fontMetrics().height()),
                         Qt::AlignRight, QString::number(block.blockNumber() + 1));
        for (const Problem &problem : m_problems) {
            if (problem.line == block.blockNumber() + 1) {
                paintGlyph(&painter,
                           QRectF(5, area.top() + (fontMetrics().height() - 13) / 2.0, 13, 13),
                           problem.severity == Severity::Error     ? failedGlyph()
                           : problem.severity == Severity::Warning ? warningGlyph()
                                                                   : infoGlyph(),
                           t);
                break;
            }
        }
    }
}

} // namespace Glovebox
