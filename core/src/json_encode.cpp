// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <array>

#include "described.hpp"
#include "petstore/hex.hpp"
#include "petstore/json.hpp"
#include "petstore/json_object.hpp"

namespace petstore {
namespace {

/// 0: the byte needs no escape. 'u': it needs \u00XX. Otherwise: the letter after the backslash.
constexpr auto escapes = [] {
  std::array<char, 256> table{};
  for (std::size_t c = 0; c < 0x20; ++c) table[c] = 'u';
  table['\b'] = 'b';
  table['\t'] = 't';
  table['\n'] = 'n';
  table['\f'] = 'f';
  table['\r'] = 'r';
  table['"'] = '"';
  table['\\'] = '\\';
  return table;
}();

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  std::size_t kept = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    auto const byte = static_cast<unsigned char>(text[at]);
    char const escape = escapes[byte];
    if (escape == 0) continue;
    out.append(text.substr(kept, at - kept));
    kept = at + 1;
    out.push_back('\\');
    out.push_back(escape);
    if (escape == 'u') out.append({'0', '0', hex_digits[byte >> 4], hex_digits[byte & 15]});
  }
  out.append(text.substr(kept));
  out.push_back('"');
}

namespace {

template <class Record>
void append_record(std::string& out, Record const& record) {
  json_object object{out};
  for_each_member<Record>([&]<class Member>(Member) { object.add(json_name<Member>, record.*Member::pointer); });
  object.close();
}

}  // namespace

void append_json(std::string& out, pet const& p) {
  append_record(out, p);
}

void append_json(std::string& out, category const& c) {
  append_record(out, c);
}

void append_json(std::string& out, order const& o) {
  append_record(out, o);
}

}  // namespace petstore
