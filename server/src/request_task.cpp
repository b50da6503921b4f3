// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "request_task.hpp"

#include <memory>
#include <new>

namespace petstore::server {
namespace {

/// The thread is ending and keeps no memory. (On the main thread, static objects may still hold frames then.)
constinit thread_local bool is_ending = false;

/// The memory of a frame, kept for the next frame of the same size.
struct kept_frame {
  ~kept_frame() {
    is_ending = true;
    ::operator delete(memory);
  }
  void* memory = nullptr;
  std::size_t size = 0;
};

thread_local kept_frame kept;

}  // namespace

void* request_task::promise_type::operator new(std::size_t size) {
  if (!is_ending && kept.size == size) {
    kept.size = 0;
    return std::exchange(kept.memory, nullptr);
  }
  return ::operator new(size);
}

void request_task::promise_type::operator delete(void* frame, std::size_t size) noexcept {
  if (!is_ending) {
    std::swap(kept.memory, frame);
    kept.size = size;
  }
  ::operator delete(frame);
}

asio::awaitable<void> request_task::rest() && {
  auto& promise = frame_.promise();
  if (!frame_.done()) return finish(std::move(*this));
  promise.rethrow();
  return {};
}

asio::awaitable<void> request_task::finish(request_task task) {
  auto const frame = task.frame_;
  auto& promise = frame.promise();
  while (!frame.done()) {
    auto work = std::move(promise.awaited_);
    try {
      co_await std::move(work);
    } catch (...) {
      promise.thrown_ = std::current_exception();
    }
    frame.resume();
  }
  promise.rethrow();
}

}  // namespace petstore::server
