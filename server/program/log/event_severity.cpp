// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/event_severity.hpp"

#include <algorithm>
#include <array>

namespace petstore::program {

server::severity severity_of_event(std::string_view event) noexcept {
  static constexpr std::array<std::string_view, 6> errors{"store_failed", "store_full",         "store_damaged",
                                                          "store_lost",   "quota_write_failed", "quota_lost"};
  static constexpr std::array<std::string_view, 8> news{"store_upgraded",
                                                        "store_recovered",
                                                        "quota_write_recovered",
                                                        "quota_redis_connected",
                                                        "quota_redis_answers_again",
                                                        "quota_redis_restarted",
                                                        "quota_redis_master_changed",
                                                        "quota_redis_map_changed"};
  if (std::ranges::find(errors, event) != errors.end()) return server::severity::error;
  if (std::ranges::find(news, event) != news.end()) return server::severity::info;
  return server::severity::warning;
}

}  // namespace petstore::program
