// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/widgets/dialogs.h"

#include "app/widgets/fonts.h"

#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QTimer>

namespace Glovebox {

void Dialogs::ask(QWidget *parent, const Question &question, Answered answered)
{
    auto *box = new QMessageBox(QMessageBox::NoIcon, question.title, question.title,
                                QMessageBox::NoButton, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(question.text);
    box->setWindowModality(Qt::WindowModal);
    // The names that Qt itself gives these labels for style sheets.
    if (auto *title = box->findChild<QLabel *>(QStringLiteral("qt_msgbox_label"))) {
        title->setFont(strongFont(title->font()));
    }
    if (auto *text = box->findChild<QLabel *>(QStringLiteral("qt_msgbox_informativelabel"))) {
        text->setMinimumWidth(42 * text->fontMetrics().averageCharWidth());
    }
    for (const Answer &answer : question.answers) {
        const bool safe = answer.id == question.safe;
        QPushButton *button =
            box->addButton(answer.text, safe ? QMessageBox::RejectRole : QMessageBox::ActionRole);
        button->setObjectName(answer.id);
        if (safe) {
            box->setDefaultButton(button);
            box->setEscapeButton(button);
        }
    }
    QObject::connect(box, &QMessageBox::finished, parent, [box, answered, question](int) {
        const QAbstractButton *clicked = box->clickedButton();
        answered(clicked != nullptr ? clicked->objectName() : question.safe);
    });
    box->open();
}

void Dialogs::chooseFolder(QWidget *parent, const QString &title, const QString &start,
                           Chosen chosen)
{
    auto *dialog = new QFileDialog(parent, title, start);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                     [chosen](const QString &path) { chosen(path); });
    dialog->open();
}

void Dialogs::chooseFile(QWidget *parent, const QString &title, const QString &start,
                         const QStringList &filters, Chosen chosen)
{
    auto *dialog = new QFileDialog(parent, title, start);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(filters);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                     [chosen](const QString &path) { chosen(path); });
    dialog->open();
}

void Dialogs::chooseNewFile(QWidget *parent, const QString &title, const QString &start,
                            const QString &suffix, Chosen chosen)
{
    auto *dialog = new QFileDialog(parent, title, start);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(start);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                     [chosen](const QString &path) { chosen(path); });
    dialog->open();
}

void PreparedDialogs::ask(QWidget *parent, const Question &question, Answered answered)
{
    m_asked.append(question);
    if (m_answers.isEmpty()) {
        ++m_unanswered;
        return;
    }
    const QString id = m_answers.takeFirst();
    QTimer::singleShot(0, parent, [answered, id] { answered(id); });
}

void PreparedDialogs::chooseFolder(QWidget *parent, const QString &, const QString &, Chosen chosen)
{
    if (m_paths.isEmpty()) {
        ++m_unanswered;
        return;
    }
    const QString path = m_paths.takeFirst();
    QTimer::singleShot(0, parent, [chosen, path] { chosen(path); });
}

void PreparedDialogs::chooseFile(QWidget *parent, const QString &title, const QString &start,
                                 const QStringList &, Chosen chosen)
{
    chooseFolder(parent, title, start, std::move(chosen));
}

void PreparedDialogs::chooseNewFile(QWidget *parent, const QString &title, const QString &start,
                                    const QString &, Chosen chosen)
{
    chooseFolder(parent, title, start, std::move(chosen));
}

} // namespace Glovebox
