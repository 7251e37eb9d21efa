// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/redactor.h"

#include "core/base/patternset.h"
#include "core/base/plainview.h"
#include "core/base/secretforms.h"

#include <QSet>

#include <bit>
#include <vector>

namespace Glovebox {

class SecretForms::Private final
{
public:
    PatternSet patterns;
    QStringList names; // by pattern value
    QList<QByteArray> labels;
    QStringList tooShort;
};

namespace {

constexpr int shortestSecret = 8;

/// How far apart the letters of one secret may stand when control sequences lie between. Beyond it
/// what was held back is let go, so that memory stays flat.
constexpr qint64 longestStretch = 64LL * 1024;

/// The search over one stream: the bytes as they are and, where it differs, the plain view of them,
/// both by the same patterns.
class Scan final
{
public:
    struct Found
    {
        qint64 begin = 0;
        qint64 end = 0;
        int value = 0;
        qint64 length = 0; // of the longest that was joined
    };

    explicit Scan(const PatternSet &patterns)
        : m_patterns(patterns)
        , m_begins(std::bit_ceil(static_cast<size_t>(patterns.longest()) + 1))
    {
    }

    void take(const QByteArray &bytes);
    void finish();
    /// No match to come begins before this offset.
    [[nodiscard]] qint64 safe() const;
    [[nodiscard]] qint64 position() const { return m_position; }
    [[nodiscard]] QList<Found> &found() { return m_found; }
    [[nodiscard]] const QSet<int> &values() const { return m_values; }

private:
    void takeByte(uchar byte);
    void beginView(int node);
    void takeView(const PlainView::Bytes &bytes);
    [[nodiscard]] qint64 viewBegin(int length) const
    {
        return m_begins[(m_viewCount - static_cast<size_t>(length)) & (m_begins.size() - 1)];
    }
    void endViewWhereSame();
    void add(int node, qint64 begin, qint64 end);
    void join(Found fresh);
    void addCutOff(int node, qint64 begin);

    const PatternSet &m_patterns;
    PlainView m_view;
    std::vector<qint64> m_begins; // of the last bytes of the view, a ring
    size_t m_viewCount = 0;
    int m_node = PatternSet::root;
    int m_viewNode = PatternSet::root;
    bool m_viewDiffers = false;
    qint64 m_position = 0;
    QList<Found> m_found; // in order, none overlaps another
    QSet<int> m_values;
};

void Scan::take(const QByteArray &bytes)
{
    const auto *data = reinterpret_cast<const uchar *>(bytes.constData());
    const qsizetype size = bytes.size();
    for (qsizetype i = 0; i < size; ++i) {
        // Ordinary text begins nothing: this loop is where nearly all time is spent.
        if (m_node == PatternSet::root && !m_viewDiffers) {
            const qsizetype from = i;
            while (i < size && m_patterns.next(PatternSet::root, data[i]) == PatternSet::root &&
                   !PlainView::isSpecial(data[i])) {
                ++i;
            }
            m_position += i - from;
            if (i == size) {
                return;
            }
        }
        takeByte(data[i]);
    }
}

void Scan::takeByte(uchar byte)
{
    const int before = m_node;
    m_node = m_patterns.next(m_node, byte);
    if (m_patterns.matchLength(m_node) > 0) {
        add(m_node, m_position + 1 - m_patterns.matchLength(m_node), m_position + 1);
    }
    if (!m_viewDiffers && PlainView::isSpecial(byte)) {
        beginView(before);
    }
    if (m_viewDiffers) {
        takeView(m_view.take(byte, m_position));
    }
    ++m_position;
    if (m_viewDiffers) {
        endViewWhereSame();
    }
}

void Scan::beginView(int node)
{
    m_viewDiffers = true;
    m_viewNode = node;
    m_viewCount = 0;
    for (int left = m_patterns.depth(node); left > 0; --left) {
        m_begins[m_viewCount++ & (m_begins.size() - 1)] = m_position - left;
    }
}

void Scan::takeView(const PlainView::Bytes &bytes)
{
    for (const PlainView::Byte &byte : bytes) {
        m_viewNode = m_patterns.next(m_viewNode, byte.value);
        m_begins[m_viewCount++ & (m_begins.size() - 1)] = byte.begin;
        const int length = m_patterns.matchLength(m_viewNode);
        if (length > 0) {
            add(m_viewNode, viewBegin(length), byte.end);
        }
    }
}

void Scan::endViewWhereSame()
{
    const int depth = m_patterns.depth(m_viewNode);
    if (depth > 0 && m_position - viewBegin(depth) > longestStretch) {
        m_viewNode = PatternSet::root;
        m_view.reset();
    }
    if (!m_view.isIdle() || m_viewNode != m_node) {
        return;
    }
    m_viewDiffers = depth > 0 && viewBegin(depth) != m_position - depth;
}

void Scan::add(int node, qint64 begin, qint64 end)
{
    for (int shorter = node; m_patterns.matchLength(shorter) > 0;
         shorter = m_patterns.fallBack(shorter)) {
        m_values.insert(m_patterns.valueAt(shorter));
    }
    join({begin, end, m_patterns.valueAt(node), end - begin});
}

void Scan::join(Found fresh)
{
    while (!m_found.isEmpty() && m_found.last().end > fresh.begin) {
        const Found last = m_found.takeLast();
        if (last.length >= fresh.length) {
            fresh.value = last.value;
            fresh.length = last.length;
        }
        fresh.begin = qMin(fresh.begin, last.begin);
        fresh.end = qMax(fresh.end, last.end);
    }
    m_found += fresh;
}

void Scan::addCutOff(int node, qint64 begin)
{
    const int depth = m_patterns.depth(node);
    if (depth >= shortestSecret && depth * 2 >= m_patterns.shortestThrough(node)) {
        join({begin, m_position, m_patterns.valueThrough(node), m_position - begin});
    }
}

void Scan::finish()
{
    if (m_viewDiffers) {
        takeView(m_view.finish());
        const int depth = m_patterns.depth(m_viewNode);
        addCutOff(m_viewNode, depth > 0 ? viewBegin(depth) : m_position);
    }
    addCutOff(m_node, m_position - m_patterns.depth(m_node));
    m_node = m_viewNode = PatternSet::root;
    m_viewDiffers = false;
}

qint64 Scan::safe() const
{
    qint64 offset = m_position - m_patterns.depth(m_node);
    if (m_viewDiffers) {
        const int depth = m_patterns.depth(m_viewNode);
        offset = qMin(offset, m_view.undecidedFrom(offset));
        offset = depth > 0 ? qMin(offset, viewBegin(depth)) : offset;
    }
    return offset;
}

/// The name as it may stand inside a JSON string, a log line or a file.
QByteArray labelFor(const QString &name)
{
    QByteArray label = "[redacted:";
    for (const QChar c : name) {
        const bool harmless = c.isLetterOrNumber() || c == QLatin1Char('_') ||
                              c == QLatin1Char('-') || c == QLatin1Char('.');
        label += harmless && c.unicode() < 0x80 ? c.toLatin1() : '_';
    }
    return label + ']';
}

} // namespace

SecretForms::SecretForms(const QList<NamedSecret> &secrets)
    : d(std::make_unique<Private>())
{
    for (const NamedSecret &secret : secrets) {
        const QByteArray value = secret.value.reveal().trimmed();
        if (value.size() < shortestSecret) {
            if (!value.isEmpty()) {
                d->tooShort += secret.name;
            }
            continue;
        }
        const int index = static_cast<int>(d->names.size());
        d->names += secret.name;
        d->labels += labelFor(secret.name);
        for (const QByteArray &form : formsOf(value)) {
            d->patterns.add(form, index);
        }
    }
    d->patterns.close();
}

SecretForms::~SecretForms() = default;

bool SecretForms::isEmpty() const
{
    return d->patterns.isEmpty();
}

QStringList SecretForms::tooShort() const
{
    return d->tooShort;
}

QStringList SecretForms::find(const QByteArray &bytes) const
{
    Scan scan(d->patterns);
    scan.take(bytes);
    scan.finish();
    QStringList found;
    for (qsizetype i = 0; i < d->names.size(); ++i) {
        if (scan.values().contains(static_cast<int>(i))) {
            found += d->names.at(i);
        }
    }
    return found;
}

class Redactor::Private final
{
public:
    explicit Private(const SecretForms::Private &secretForms)
        : forms(secretForms)
        , scan(secretForms.patterns)
    {
    }

    [[nodiscard]] QByteArray release(qint64 safe);

    std::shared_ptr<const SecretForms> keptAlive;
    const SecretForms::Private &forms;
    Scan scan;
    QByteArray held;
};

QByteArray Redactor::Private::release(qint64 safe)
{
    const qint64 base = scan.position() - held.size();
    QList<Scan::Found> &found = scan.found();
    QByteArray out;
    qint64 done = base;
    while (!found.isEmpty() && found.first().end <= safe) {
        const Scan::Found first = found.takeFirst();
        out += QByteArrayView(held).sliced(done - base, first.begin - done);
        out += forms.labels.at(first.value);
        done = first.end;
    }
    const qint64 until = found.isEmpty() ? safe : qMin(safe, found.first().begin);
    out += QByteArrayView(held).sliced(done - base, until - done);
    held.remove(0, until - base);
    return out;
}

QByteArray SecretForms::redact(const QByteArray &bytes) const
{
    Redactor::Private once(*d);
    once.held = bytes;
    once.scan.take(bytes);
    once.scan.finish();
    return once.release(once.scan.position());
}

Redactor::Redactor(std::shared_ptr<const SecretForms> forms)
    : d(std::make_unique<Private>(*forms->d))
{
    d->keptAlive = std::move(forms);
}

Redactor::~Redactor() = default;

QByteArray Redactor::feed(const QByteArray &bytes)
{
    d->held += bytes;
    d->scan.take(bytes);
    return d->release(d->scan.safe());
}

QByteArray Redactor::finish()
{
    d->scan.finish();
    return d->release(d->scan.position());
}

qsizetype Redactor::held() const
{
    return d->held.size();
}

} // namespace Glovebox
