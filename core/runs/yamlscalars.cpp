// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/runs/yamlscalars.h"

#include <yaml.h>

namespace Glovebox {

namespace {

constexpr int deepest = 64;

/// What libyaml holds, released on every way out.
class YamlEvents final
{
public:
    explicit YamlEvents(const QByteArray &bytes)
    {
        m_isReady = yaml_parser_initialize(&m_parser) == 1;
        if (m_isReady) {
            yaml_parser_set_input_string(&m_parser,
                                         reinterpret_cast<const unsigned char *>(bytes.constData()),
                                         static_cast<size_t>(bytes.size()));
        }
    }
    ~YamlEvents()
    {
        release();
        if (m_isReady) {
            yaml_parser_delete(&m_parser);
        }
    }
    Q_DISABLE_COPY_MOVE(YamlEvents)

    [[nodiscard]] bool next()
    {
        release();
        m_hasEvent = m_isReady && yaml_parser_parse(&m_parser, &m_event) == 1;
        return m_hasEvent;
    }
    [[nodiscard]] const yaml_event_t &event() const { return m_event; }

private:
    void release()
    {
        if (m_hasEvent) {
            yaml_event_delete(&m_event);
        }
        m_hasEvent = false;
    }

    yaml_parser_t m_parser;
    yaml_event_t m_event;
    bool m_isReady = false;
    bool m_hasEvent = false;
};

/// Follows mappings and sequences, so that a scalar is known as a key or as a value.
class Follower final
{
public:
    Follower(const QStringList &keys, QList<YamlScalar> *found)
        : m_keys(keys)
        , m_found(found)
    {
    }

    /// False when it nests too deep.
    [[nodiscard]] bool take(const yaml_event_t &event)
    {
        switch (event.type) {
        case YAML_MAPPING_START_EVENT:
        case YAML_SEQUENCE_START_EVENT:
            m_levels += Level{event.type == YAML_MAPPING_START_EVENT, true, {}};
            return m_levels.size() <= deepest;
        case YAML_MAPPING_END_EVENT:
        case YAML_SEQUENCE_END_EVENT:
            m_levels.removeLast();
            endValue();
            return true;
        case YAML_SCALAR_EVENT:
            takeScalar(event);
            return true;
        case YAML_ALIAS_EVENT:
            endValue();
            return true;
        default:
            return true;
        }
    }

private:
    struct Level
    {
        bool isMapping = false;
        bool expectsKey = true;
        QString key;
    };

    void takeScalar(const yaml_event_t &event)
    {
        const QString text =
            QString::fromUtf8(reinterpret_cast<const char *>(event.data.scalar.value),
                              static_cast<qsizetype>(event.data.scalar.length));
        if (m_levels.isEmpty() || !m_levels.last().isMapping) {
            return;
        }
        Level &level = m_levels.last();
        if (level.expectsKey) {
            level.key = text;
            level.expectsKey = false;
            return;
        }
        if (m_keys.contains(level.key)) {
            *m_found += YamlScalar{level.key, text, static_cast<int>(event.start_mark.line) + 1,
                                   static_cast<int>(m_levels.size())};
        }
        endValue();
    }

    /// A key that is no scalar counts as one without a name.
    void endValue()
    {
        if (!m_levels.isEmpty() && m_levels.last().isMapping) {
            Level &level = m_levels.last();
            level.expectsKey = !level.expectsKey;
            level.key.clear();
        }
    }

    const QStringList &m_keys;
    QList<YamlScalar> *m_found;
    QList<Level> m_levels;
};

} // namespace

std::optional<QList<YamlScalar>> yamlScalars(const QByteArray &bytes, const QStringList &keys)
{
    QList<YamlScalar> found;
    YamlEvents events(bytes);
    Follower follower(keys, &found);
    while (events.next()) {
        if (events.event().type == YAML_STREAM_END_EVENT) {
            return found;
        }
        if (!follower.take(events.event())) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace Glovebox
