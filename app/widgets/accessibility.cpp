// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/rowview.h"
#include "app/widgets/stagestepper.h"

#include <QAccessibleWidget>

namespace Glovebox {

namespace {

/// One cell of the stepper: a page tab that is no widget.
class StepperCell final : public QAccessibleInterface, public QAccessibleActionInterface
{
public:
    StepperCell(StageStepper *stepper, int index)
        : m_stepper(stepper)
        , m_stage(static_cast<Stage>(index))
    {
    }

    [[nodiscard]] bool isValid() const override { return m_stepper != nullptr; }
    [[nodiscard]] QObject *object() const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface *child(int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    [[nodiscard]] QAccessibleInterface *parent() const override
    {
        return QAccessible::queryAccessibleInterface(m_stepper);
    }
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::PageTab; }

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        if (m_stepper == nullptr) {
            return {};
        }
        if (kind == QAccessible::Name) {
            return m_stepper->describe(m_stage);
        }
        if (kind == QAccessible::Description) {
            return m_stepper->stages().at(static_cast<size_t>(m_stage)).waitFor;
        }
        return {};
    }

    void setText(QAccessible::Text, const QString &) override {}

    [[nodiscard]] QRect rect() const override
    {
        if (m_stepper == nullptr) {
            return {};
        }
        const QRect cell = m_stepper->cellRect(m_stage);
        return {m_stepper->mapToGlobal(cell.topLeft()), cell.size()};
    }

    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state;
        if (m_stepper == nullptr) {
            state.invalid = true;
            return state;
        }
        state.selectable = true;
        state.selected = m_stepper->shown() == m_stage;
        state.focusable = true;
        state.focused = m_stepper->hasFocus() && m_stepper->focused() == m_stage;
        state.disabled = !m_stepper->canOpen(m_stage);
        return state;
    }

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface
                   ? static_cast<QAccessibleActionInterface *>(this)
                   : nullptr;
    }

    [[nodiscard]] QStringList actionNames() const override { return {pressAction()}; }
    void doAction(const QString &name) override
    {
        if (name == pressAction() && m_stepper != nullptr) {
            m_stepper->open(m_stage);
        }
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
    QPointer<StageStepper> m_stepper;
    Stage m_stage;
};

class StepperAccessible final : public QAccessibleWidget
{
public:
    explicit StepperAccessible(StageStepper *stepper)
        : QAccessibleWidget(stepper, QAccessible::PageTabList)
        , m_stepper(stepper)
    {
    }

    ~StepperAccessible() override
    {
        for (const QAccessible::Id id : m_cells) {
            QAccessible::deleteAccessibleInterface(id);
        }
    }

    [[nodiscard]] int childCount() const override { return stageCount; }

    [[nodiscard]] QAccessibleInterface *child(int index) const override
    {
        if (index < 0 || index >= stageCount) {
            return nullptr;
        }
        QAccessible::Id &id = m_cells.at(static_cast<size_t>(index));
        if (id == 0) {
            id = QAccessible::registerAccessibleInterface(new StepperCell(m_stepper, index));
        }
        return QAccessible::accessibleInterface(id);
    }

    [[nodiscard]] int indexOfChild(const QAccessibleInterface *wanted) const override
    {
        for (int index = 0; index < stageCount; ++index) {
            if (child(index) == wanted) {
                return index;
            }
        }
        return -1;
    }

    [[nodiscard]] QAccessibleInterface *focusChild() const override
    {
        return m_stepper->hasFocus() ? child(static_cast<int>(m_stepper->focused())) : nullptr;
    }

private:
    StageStepper *m_stepper;
    mutable std::array<QAccessible::Id, stageCount> m_cells{};
};

/// A row view reads as text: the row that the keyboard is on, in stored order, hidden characters by
/// code point. New rows at the end announce nothing and move nothing.
class RowViewAccessible final : public QAccessibleWidget, public QAccessibleTextInterface
{
public:
    explicit RowViewAccessible(RowView *view)
        : QAccessibleWidget(view, QAccessible::Document)
        , m_view(view)
    {
    }

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TextInterface) {
            return static_cast<QAccessibleTextInterface *>(this);
        }
        return QAccessibleWidget::interface_cast(type);
    }

    [[nodiscard]] QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? line() : QAccessibleWidget::text(kind);
    }

    void selection(int, int *start, int *end) const override { *start = *end = 0; }
    [[nodiscard]] int selectionCount() const override { return 0; }
    void addSelection(int, int) override {}
    void removeSelection(int) override {}
    void setSelection(int, int, int) override {}
    [[nodiscard]] int cursorPosition() const override { return 0; }
    void setCursorPosition(int) override {}
    [[nodiscard]] QString text(int start, int end) const override
    {
        return line().mid(start, end - start);
    }
    [[nodiscard]] int characterCount() const override { return static_cast<int>(line().size()); }
    [[nodiscard]] QRect characterRect(int) const override { return {}; }
    [[nodiscard]] int offsetAtPoint(const QPoint &) const override { return 0; }
    void scrollToSubstring(int, int) override {}
    [[nodiscard]] QString attributes(int, int *start, int *end) const override
    {
        *start = 0;
        *end = characterCount();
        return {};
    }

private:
    [[nodiscard]] QString line() const { return m_view->describeRow(m_view->currentRow()); }

    RowView *m_view;
};

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    if (auto *stepper = qobject_cast<StageStepper *>(object)) {
        return new StepperAccessible(stepper);
    }
    if (auto *view = qobject_cast<RowView *>(object)) {
        return new RowViewAccessible(view);
    }
    return nullptr;
}

} // namespace

void installAccessibility()
{
    QAccessible::installFactory(makeInterface);
}

} // namespace Glovebox
