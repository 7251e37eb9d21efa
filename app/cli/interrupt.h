// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <stop_token>

namespace Glovebox {

/// Ctrl+C and SIGTERM, told on the main thread. Until a function is set the token is stopped; then
/// the function is called with how often it happened. POSIX; elsewhere the system ends the program.
class Interrupt final
{
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt &) = delete;
    Interrupt &operator=(const Interrupt &) = delete;

    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }
    void onInterrupt(std::function<void(int times)> function) { m_function = std::move(function); }

private:
    void happened();

    std::stop_source m_source;
    std::function<void(int)> m_function;
    int m_times = 0;
    std::unique_ptr<QObject> m_notifier;
};

} // namespace Glovebox
