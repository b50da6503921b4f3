// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "wording.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace petstore::load {
namespace {

std::string printed(double value, int decimals) {
  std::array<char, 64> text;
  auto const length = std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string with_groups(std::string digits) {
  auto const point = digits.find('.');
  auto const begin = digits.starts_with('-') ? 1U : 0U;
  for (auto i = point == digits.npos ? digits.size() : point; i > begin + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

/// The number of decimals for three significant digits, for values of 1 and more.
int decimals_of(double value) {
  // A value that rounds up to the next power of ten has one more digit before its point.
  return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

struct scale {
  double factor;
  char const* unit;
};

template <std::size_t N>
std::string scaled(double value, std::array<scale, N> const& scales) {
  auto const* chosen = &scales.front();
  for (auto const& s : scales)
    if (value >= s.factor * 0.9995) chosen = &s;
  auto const shown = value / chosen->factor;
  // The smallest unit has no decimals.
  return with_groups(printed(shown, chosen == &scales.front() ? 0 : decimals_of(shown))) + " " + chosen->unit;
}

/// "1.50 ms" as "1.5 ms", "20.0" as "20"
std::string without_zeros(std::string words) {
  auto const point = words.find('.');
  if (point == words.npos) return words;
  auto end = std::min(words.find(' '), words.size());
  auto const digits_end = end;
  while (words[end - 1] == '0') --end;
  if (end - 1 == point) --end;
  return words.erase(end, digits_end - end);
}

}  // namespace

std::string duration_words(std::chrono::nanoseconds duration) {
  if (duration.count() == 0) return "0";
  if (duration.count() < 0) return "-" + duration_words(-duration);
  if (duration >= std::chrono::seconds(120)) {
    auto const seconds = std::chrono::duration<double>(duration).count();
    auto const whole = static_cast<std::int64_t>(seconds);
    if (whole >= 7'200) return std::to_string(whole / 3'600) + " h " + std::to_string(whole / 60 % 60) + " min";
    return std::to_string(whole / 60) + " min" + (whole % 60 == 0 ? "" : " " + std::to_string(whole % 60) + " s");
  }
  return scaled(static_cast<double>(duration.count()),
                std::array<scale, 4>{{{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}}});
}

std::string round_duration_words(std::chrono::nanoseconds duration) {
  return without_zeros(duration_words(duration));
}

std::string count_text(std::uint64_t count) {
  return with_groups(std::to_string(count));
}

std::string rate_words(double per_second) {
  return with_groups(printed(per_second, per_second < 99.95    ? decimals_of(per_second)
                                         : per_second < 999.95 ? 1
                                                               : 0)) +
         "/s";
}

std::string share_text(double share) {
  auto const percent = share * 100;
  if (percent > 0 && percent < 0.01) return "< 0.01 %";
  if (percent < 100 && percent >= 99.995) return "> 99.99 %";
  if (percent == 0 || percent == 100) return printed(percent, 0) + " %";
  return printed(percent, percent < 1 || percent >= 99 ? 2 : 1) + " %";
}

std::string bytes_text(double bytes) {
  return scaled(bytes, std::array<scale, 4>{{{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}}});
}

std::string number_words(double value) {
  if (value == 0) return "0";
  if (value < 0) return "-" + number_words(-value);
  if (value >= 1) return with_groups(printed(value, decimals_of(value)));
  return printed(value, 2 - static_cast<int>(std::floor(std::log10(value))));
}

std::string round_number_words(double value) {
  return without_zeros(number_words(value));
}

std::string joined(std::vector<std::string> const& parts) {
  std::string all;
  for (auto const& part : parts) all.append(all.empty() ? "" : ", ").append(part);
  return all;
}

std::string ratio_text(double ratio) {
  return "×" + number_words(ratio);
}

std::string quantile_name(double q) {
  auto digits = printed(q * 100, 4);
  while (digits.ends_with('0')) digits.pop_back();
  if (digits.ends_with('.')) digits.pop_back();
  return "p" + digits;
}

}  // namespace petstore::load
