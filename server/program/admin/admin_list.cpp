// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "petstore/crc32c.hpp"
#include "petstore/json.hpp"
#include "petstore/server/percent.hpp"

namespace petstore::program {
namespace {

/// No longer value is accepted; the longest is a name, of 255 bytes.
constexpr std::size_t value_bytes_max = 255;
constexpr char cursor_version = '2';
constexpr std::size_t cursor_size = 1 + 8 + 16 + 16 + 8;

struct position {
  std::uint32_t list = 0;
  list_position last;
};

std::string to_text(position p) {
  auto text = fmt::format("{}{:08x}{:016x}{:016x}", cursor_version, p.list, p.last.rank, p.last.number);
  return fmt::format("{}{:08x}", text, crc32c(text));
}

template <class Number>
Number parse_digits(std::string_view digits) {
  Number number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, 16);
  return number;
}

std::optional<position> parse_position(std::string_view text) {
  if (text.size() != cursor_size) return std::nullopt;
  list_position const last{.number = parse_digits<std::uint64_t>(text.substr(25, 16)),
                           .rank = parse_digits<std::uint64_t>(text.substr(9, 16))};
  position const p{parse_digits<std::uint32_t>(text.substr(1, 8)), last};
  return to_text(p) == text ? std::optional{p} : std::nullopt;
}

/// Escapes everything but the unreserved characters (RFC 3986, 2.3).
std::string percent_encode(std::string_view plain) {
  constexpr std::string_view unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string encoded;
  for (char const c : plain) {
    if (unreserved.find(c) != unreserved.npos) {
      encoded.push_back(c);
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

}  // namespace

admin_list::admin_list(std::string_view name, std::vector<std::string_view> const& filters, std::string_view query)
    : name_{name} {
  std::vector<server::query_parameter> known{{.name = "limit"}, {.name = "cursor"}};
  for (auto const filter : filters) known.push_back({.name = filter});
  server::find_parameters(query, known);
  std::array<char, value_bytes_max> buffer;
  for (auto const& k : known) {
    auto value = server::read_parameter(k, buffer, faults_);
    if (value == "%" && !server::percent_equal(k.value, "%")) {  // a text filter would accept it
      faults_.add(k.name, fmt::format("must be percent-encoded text of at most {} bytes", value_bytes_max));
      value.reset();
    }
    parameters_.push_back({k.name, value ? std::optional{std::string{*value}} : std::nullopt});
  }
}

std::optional<std::string> admin_list::text(std::string_view filter) const {
  return find(filter).value;
}

result<admin_page> admin_list::finish() {
  admin_page page;
  if (auto const sent = text("limit")) {
    page.limit = server::read_page_limit("limit", *sent, admin_page::limit_max, faults_).value_or(page.limit);
  }
  if (auto const sent = text("cursor")) {
    auto const made = parse_position(*sent);
    if (!made) {
      add_fault("cursor", "is none that this list gave out");
    } else if (faults_.empty() && made->list != checksum()) {
      add_fault("cursor", "belongs to other filters");
    } else {
      page.after = made->last;
    }
  }
  if (!faults_.empty()) return faults_.take();
  return page;
}

std::string admin_list::next_query(list_position last) const {
  std::string query;
  for (auto const& [name, value] : parameters_)
    if (value && name != "cursor") query.append(name).append("=").append(percent_encode(*value)).append("&");
  return query.append("cursor=").append(to_text({checksum(), last}));
}

admin_list::parameter const& admin_list::find(std::string_view name) const {
  return *std::ranges::find(parameters_, name, &parameter::name);
}

/// Identifies the list and its filters: a cursor of another list or of other filters is refused.
std::uint32_t admin_list::checksum() const {
  std::string text{name_};
  for (auto const& [name, value] : parameters_)
    if (value && name != "limit" && name != "cursor")
      text.append("&").append(name).append("=").append(percent_encode(*value));
  return crc32c(text);
}

}  // namespace petstore::program
