// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace petstore::storage::postgres {

/// What operators are told of all connections together: that the server is gone, once the last connection is, however
/// often each tries again; and that it is back, with the first. Any thread.
class health {
 public:
  using report_function = std::function<void(std::string_view event, std::string_view detail)>;
  explicit health(report_function report) : report_(std::move(report)) {}

  /// A connection was lost or could not be made; `was_up` when it had been there.
  void note_lost(bool was_up, std::string_view cause);
  void note_connected();
  void tell(std::string_view event, std::string_view detail) const;

  /// Why the latest attempt failed, for the cause of an `unavailable`.
  std::string latest_cause() const;

 private:
  report_function const report_;
  mutable std::mutex mutex_;  ///< guards the rest
  std::size_t connected_ = 0;
  bool lost_ = false;
  std::string cause_ = "no connection yet";
};

}  // namespace petstore::storage::postgres
