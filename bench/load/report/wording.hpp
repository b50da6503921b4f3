// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The format of numbers in all reports: three significant digits, a unit that keeps them short, groups of thousands.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace petstore::load {

/// "850 ns", "1.24 ms", "12.0 s"; "0" for none; minutes from 120 s on.
std::string duration_words(std::chrono::nanoseconds);
/// The same without trailing zeros, for round figures: "1 ms", "30 s".
std::string round_duration_words(std::chrono::nanoseconds);
/// "1,234,567"
std::string count_text(std::uint64_t);
/// "498.7/s", "131,092/s"
std::string rate_words(double per_second);
/// "97.3 %"; "100 %" and "0 %" only for exactly these values.
std::string share_text(double share);
/// "512 B", "1.24 MB": powers of 1,000.
std::string bytes_text(double bytes);
/// Three significant digits without a unit: "0.0123", "1.24", "12,400".
std::string number_words(double);
/// The same without trailing zeros: "20".
std::string round_number_words(double);
/// "×1.24"; "×0.81"
std::string ratio_text(double ratio);
/// "a, b"
std::string joined(std::vector<std::string> const& parts);
/// The name of a quantile: 0.5 is "p50", 0.999 "p99.9".
std::string quantile_name(double q);

}  // namespace petstore::load
