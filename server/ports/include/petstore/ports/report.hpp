// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

namespace petstore::ports {

/// Receives what operators should know: the name of an event, and a sentence about it. What it throws is ignored.
using report_function = std::function<void(std::string_view event, std::string_view detail)>;

/// The function as an adapter calls it: a host's log that throws ends nothing but its own line. In place of an empty
/// function, one that does nothing.
inline report_function without_exceptions(report_function report) {
  if (!report) return [](std::string_view, std::string_view) {};
  return [report = std::move(report)](std::string_view event, std::string_view detail) {
    try {
      report(event, detail);
    } catch (...) {
    }
  };
}

}  // namespace petstore::ports
