// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/stop_signals.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <utility>

#include "outcome.hpp"

namespace petstore::program {
namespace {

void mask_awaited_signals(int how) {
  sigset_t awaited;
  sigemptyset(&awaited);
  for (int const signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&awaited, signal);
  ::pthread_sigmask(how, &awaited, nullptr);
}

// Handlers of signals for the time in which no loop handles them.
extern "C" void end_process(int) {
  std::_Exit(static_cast<int>(exit_code::failed));
}
extern "C" void end_process_next_time(int signal) {
  std::signal(signal, end_process);
}

}  // namespace

void stop_signals::block() {
  mask_awaited_signals(SIG_BLOCK);
}

void stop_signals::unblock() {
  mask_awaited_signals(SIG_UNBLOCK);
}

stop_signals::stop_signals(boost::asio::io_context& main) : signals_(main, SIGTERM, SIGINT, SIGHUP) {}

void stop_signals::handle(std::function<void()> stop, std::function<void()> reload) {
  stop_ = std::move(stop);
  reload_ = std::move(reload);
  await_next();
}

void stop_signals::await_next() {
  signals_.async_wait([this](boost::system::error_code failure, int signal) {
    if (failure) return;
    await_next();  // first, so that the next signal is handled even if this one's handling throws
    if (signal == SIGHUP) {
      reload_();
    } else if (std::exchange(was_asked_to_stop_, true)) {
      end_process(signal);
    } else {
      stop_();
    }
  });
}

void stop_signals::leave_loop() {
  block();
  signals_.cancel();
  signals_.clear();  // removes Asio's handlers, which would swallow the signals
  for (int const signal : {SIGTERM, SIGINT}) {
    std::signal(signal, was_asked_to_stop_ ? end_process : end_process_next_time);
  }
  std::signal(SIGHUP, SIG_IGN);
  unblock();
}

void stop_signals::end_process_after(std::chrono::seconds time) {
  std::signal(SIGALRM, end_process);
  ::alarm(static_cast<unsigned>(time.count()));
}

}  // namespace petstore::program
