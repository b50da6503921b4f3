// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "reply_reader.hpp"

#include <hiredis/hiredis.h>

#include <new>
#include <utility>

namespace petstore::redis {

/// The functions that hiredis calls while it reads. Each element is made inside its array. So an array takes memory
/// only for the elements that have come, whatever its announced length is. The address of an element is stable while it
/// is read, because the array grows only after the element is complete. No exception passes through the C code; null
/// makes it stop.
struct reply_reader::build {
  reply_limits limits;
  char const* objection = nullptr;  ///< why reading stopped; null if there was no memory

  static build& of(redisReadTask const* task) noexcept { return *static_cast<build*>(task->privdata); }

  static reply* make(redisReadTask const* task, reply::kind type) noexcept {
    try {
      auto* const parent = task->parent ? static_cast<reply*>(task->parent->obj) : nullptr;
      reply* const made = parent ? &parent->elements.emplace_back() : new reply;
      made->type = type;
      return made;
    } catch (std::bad_alloc const&) {
      return nullptr;
    }
  }

  static void* make_string(redisReadTask const* task, char* bytes, std::size_t size) noexcept {
    if (task->type != REDIS_REPLY_STRING && task->type != REDIS_REPLY_ERROR && task->type != REDIS_REPLY_STATUS) {
      return refuse_resp3(task);
    }
    auto const type = task->type == REDIS_REPLY_ERROR    ? reply::kind::error
                      : task->type == REDIS_REPLY_STATUS ? reply::kind::status
                                                         : reply::kind::text;
    // hiredis skips the two bytes behind a text, whatever they are.
    if (type == reply::kind::text && (bytes[size] != '\r' || bytes[size + 1] != '\n')) {
      of(task).objection = "A text is longer than announced.";
      return nullptr;
    }
    reply* const made = make(task, type);
    if (!made) return nullptr;
    try {
      made->text.assign(bytes, size);
    } catch (std::bad_alloc const&) {
      drop_root(task, made);
      return nullptr;
    }
    return made;
  }

  /// The length is an int in hiredis 0.14 and a size_t in hiredis 1.
  template <class Length>
  static void* make_array(redisReadTask const* task, Length) noexcept {
    if (task->type != REDIS_REPLY_ARRAY) return refuse_resp3(task);
    std::size_t depth = 1;
    for (auto const* above = task->parent; above; above = above->parent) ++depth;
    if (depth <= of(task).limits.depth_max) return make(task, reply::kind::array);
    of(task).objection = "Its arrays are nested deeper than is allowed.";
    return nullptr;
  }

  static void* make_integer(redisReadTask const* task, long long value) noexcept {
    reply* const made = make(task, reply::kind::integer);
    if (made) made->integer = value;
    return made;
  }

  /// In RESP2, nil is a text or an array of length -1.
  static void* make_nil(redisReadTask const* task) noexcept {
    return task->type == REDIS_REPLY_NIL ? refuse_resp3(task) : make(task, reply::kind::nil);
  }

#if HIREDIS_MAJOR >= 1
  static void* make_double(redisReadTask const* task, double, char*, std::size_t) noexcept { return refuse_resp3(task); }
  static void* make_bool(redisReadTask const* task, int) noexcept { return refuse_resp3(task); }
#endif

  /// hiredis 1 also reads RESP3, which no server sends unasked; hiredis 0.14 itself reports it as an error.
  static void* refuse_resp3(redisReadTask const* task) noexcept {
    of(task).objection = "It has a type that RESP2 does not have.";
    return nullptr;
  }

  static void destroy(void* root) noexcept { delete static_cast<reply*>(root); }

  /// Deletes a value that is not in an array, because the reader does not know it yet.
  static void drop_root(redisReadTask const* task, reply* made) noexcept {
    if (!task->parent) delete made;
  }
};

reply_reader::reply_reader(reply_limits limits) : limits_{limits}, build_{new build{limits}} {
  static redisReplyObjectFunctions functions = [] {
    redisReplyObjectFunctions made{};
    made.createString = build::make_string;
    made.createArray = build::make_array;
    made.createInteger = build::make_integer;
    made.createNil = build::make_nil;
    made.freeObject = build::destroy;
#if HIREDIS_MAJOR >= 1
    made.createDouble = build::make_double;
    made.createBool = build::make_bool;
#endif
    return made;
  }();
  reader_ = redisReaderCreateWithFunctions(&functions);
  if (!reader_) throw std::bad_alloc();
  reader_->privdata = build_.get();
}

reply_reader::~reply_reader() {
  redisReaderFree(reader_);
}

result<void> reply_reader::feed(std::string_view bytes) {
  if (redisReaderFeed(reader_, bytes.data(), bytes.size()) != REDIS_OK) {
    return failure{errc::bad_reply, "There is no memory for it."};
  }
  unfinished_ += bytes.size();
  return {};
}

result<std::optional<reply>> reply_reader::next() {
  void* made = nullptr;
  if (redisReaderGetReply(reader_, &made) != REDIS_OK) {
    return failure{errc::bad_reply, build_->objection ? build_->objection : reader_->errstr};
  }
  std::unique_ptr<reply> const whole{static_cast<reply*>(made)};
  // The bytes behind a whole reply belong to the next one.
  auto const behind = whole ? reader_->len - reader_->pos : 0;
  auto const size = std::exchange(unfinished_, whole ? behind : unfinished_) - behind;
  if (size > limits_.bytes_max) return failure{errc::bad_reply, "It is larger than is allowed."};
  return whole ? std::optional{std::move(*whole)} : std::nullopt;
}

}  // namespace petstore::redis
