// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/review/diffsearch.h"

#include "core/base/pool.h"
#include "core/base/terminaltext.h"

#include <algorithm>

namespace Glovebox {

namespace {

constexpr int mostMatches = 10'000;
constexpr int filesAtOnce = 32; ///< in one job, so that many small files cost few of them
constexpr std::chrono::milliseconds longestJob{100};

void findInRow(const QString &text, const QString &needle, DiffMatch place,
               QList<DiffMatch> *matches)
{
    place.length = static_cast<int>(needle.size());
    for (qsizetype at = text.indexOf(needle, 0, Qt::CaseInsensitive);
         at >= 0 && matches->size() <= mostMatches;
         at = text.indexOf(needle, at + needle.size(), Qt::CaseInsensitive)) {
        place.column = static_cast<int>(at);
        matches->append(place);
    }
}

} // namespace

FileMatches findInFile(const Result<FileDiff> &diff, const FileChange &change, int file,
                       const QString &needle)
{
    FileMatches found;
    findInRow(displayText(change.path), needle, {file, 0, 0, 0}, &found.matches);
    if (!diff || diff->file.binary || diff->tooLarge) {
        found.searched = false;
        return found;
    }
    int row = 1;
    for (const Hunk &hunk : diff->hunks) {
        ++row; // the hunk's own header
        for (const DiffLine &line : hunk.lines) {
            if (line.kind != DiffLine::Kind::NoNewline) {
                findInRow(shownText(line), needle, {file, row, 0, 0}, &found.matches);
            }
            ++row;
        }
    }
    return found;
}

DiffSearch::DiffSearch(DiffDocument *document, QObject *parent)
    : QObject(parent)
    , m_document(document)
{
}

DiffSearch::~DiffSearch()
{
    m_stop.request_stop();
}

void DiffSearch::start(const QString &needle, int firstFile)
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    ++m_generation;
    m_needle = needle;
    m_matches.clear();
    m_unsearched = 0;
    m_capped = false;
    const auto files = m_document->changes().files.size();
    m_left = needle.isEmpty() ? 0 : static_cast<int>(files);
    m_next = m_left == 0 ? 0 : qBound(0, firstFile, m_left - 1);
    readOn();
    Q_EMIT changed(); // last: whoever hears it may begin another search
}

void DiffSearch::readOn()
{
    if (m_left == 0) {
        return;
    }
    const int generation = m_generation;
    const int count = qMin(m_left, filesAtOnce);
    QCoro::connect(runInPool([reader = m_document->reader(), changes = m_document->changes(),
                              needle = m_needle, first = m_next, count, stop = m_stop.get_token()] {
                       QList<FileMatches> found;
                       const auto end = std::chrono::steady_clock::now() + longestJob;
                       const int files = static_cast<int>(changes.files.size());
                       for (int index = 0; index < count && !stop.stop_requested(); ++index) {
                           const int file = (first + index) % files;
                           found.append(findInFile(reader(changes, file), changes.files.at(file),
                                                   file, needle));
                           if (std::chrono::steady_clock::now() > end) {
                               break;
                           }
                       }
                       return found;
                   }),
                   this, [this, generation](const QList<FileMatches> &found) {
                       if (generation == m_generation) {
                           take(found);
                       }
                   });
}

void DiffSearch::take(const QList<FileMatches> &found)
{
    for (const FileMatches &file : found) {
        m_unsearched += file.searched ? 0 : 1;
        if (file.matches.isEmpty()) {
            continue;
        }
        const auto room = mostMatches - m_matches.size();
        m_capped = m_capped || file.matches.size() > room;
        const auto at =
            std::lower_bound(m_matches.cbegin(), m_matches.cend(), file.matches.constFirst());
        const auto index = at - m_matches.cbegin();
        const QList<DiffMatch> fitting = file.matches.mid(0, room);
        m_matches = m_matches.mid(0, index) + fitting + m_matches.mid(index);
    }
    const int files = static_cast<int>(m_document->changes().files.size());
    m_next = (m_next + static_cast<int>(found.size())) % files;
    m_left = m_capped ? 0 : m_left - static_cast<int>(found.size());
    // Later: a job that is over at once would make the next one deeper on the stack.
    QMetaObject::invokeMethod(
        this,
        [this, generation = m_generation] {
            if (generation == m_generation) {
                readOn();
            }
        },
        Qt::QueuedConnection);
    Q_EMIT changed(); // last: whoever hears it may begin another search
}

} // namespace Glovebox
