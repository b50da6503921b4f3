// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/redis/error.hpp"

#include <boost/throw_exception.hpp>

namespace petstore::redis {
namespace {

class category_type final : public std::error_category {
 public:
  char const* name() const noexcept override { return "petstore.redis"; }
  std::string message(int value) const override {
    switch (static_cast<errc>(value)) {
      case errc::bad_address: return "The address of Redis cannot be used.";
      case errc::not_connected: return "There is no connection to Redis.";
      case errc::queue_full: return "Too many calls of Redis are under way.";
      case errc::not_sent: return "The call could not be sent to Redis in time.";
      case errc::refused: return "Redis refused the call.";
      case errc::server_error: return "Redis answered with an error.";
      case errc::timed_out: return "Redis did not answer in time.";
      case errc::connection_lost: return "The connection to Redis ended before the answer.";
      case errc::bad_reply: return "What came from Redis is no reply.";
      case errc::closed: return "The client of Redis was closed.";
    }
    return "Unknown error of Redis.";
  }
};

}  // namespace

std::error_category const& category() noexcept {
  static category_type const one;
  return one;
}

std::error_code make_error_code(errc code) noexcept {
  return {static_cast<int>(code), category()};
}

bool is_surely_not_executed(errc code) noexcept {
  switch (code) {
    case errc::bad_address:
    case errc::not_connected:
    case errc::queue_full:
    case errc::not_sent:
    case errc::refused: return true;
    case errc::server_error:
    case errc::timed_out:
    case errc::connection_lost:
    case errc::bad_reply:
    case errc::closed: return false;
  }
  return false;
}

std::string to_string(failure const& failed) {
  auto text = make_error_code(failed.code).message();
  if (!failed.detail.empty()) text.append(" ").append(failed.detail);
  return text;
}

void throw_exception_from_error(failure const& failed, boost::source_location const& where) {
  boost::throw_exception(std::system_error(make_error_code(failed.code), failed.detail), where);
}

}  // namespace petstore::redis
