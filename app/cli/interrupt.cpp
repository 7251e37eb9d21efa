// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include <QSocketNotifier>

#ifdef Q_OS_UNIX
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#endif

namespace Glovebox {

#ifdef Q_OS_UNIX

namespace {

// A signal handler may only touch this: it writes one byte, the event loop reads it.
int signalPipe[2] = {-1, -1};

void writeByte(int)
{
    const char byte = 1;
    const ssize_t written = ::write(signalPipe[1], &byte, 1);
    static_cast<void>(written);
}

} // namespace

Interrupt::Interrupt()
{
    if (::pipe(signalPipe) != 0) {
        return;
    }
    for (const int end : signalPipe) {
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
        ::fcntl(end, F_SETFL, O_NONBLOCK);
    }
    struct sigaction action = {};
    action.sa_handler = writeByte;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
    auto notifier = std::make_unique<QSocketNotifier>(signalPipe[0], QSocketNotifier::Read);
    QObject::connect(notifier.get(), &QSocketNotifier::activated, notifier.get(), [this] {
        char bytes[16];
        while (::read(signalPipe[0], bytes, sizeof bytes) > 0) {
        }
        happened();
    });
    m_notifier = std::move(notifier);
}

Interrupt::~Interrupt()
{
    m_notifier.reset();
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    ::close(signalPipe[0]);
    ::close(signalPipe[1]);
}

#else

Interrupt::Interrupt() = default;
Interrupt::~Interrupt() = default;

#endif

void Interrupt::happened()
{
    ++m_times;
    if (m_function) {
        m_function(m_times);
    } else {
        m_source.request_stop();
    }
}

} // namespace Glovebox
