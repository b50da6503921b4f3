// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <array>

#include "append_integer.hpp"
#include "petstore/json.hpp"

namespace petstore {
namespace {

/// 0: stands for itself. 'u': needs \u00XX. Else the letter after the backslash.
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
  constexpr char hex[] = "0123456789abcdef";
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
    if (escape == 'u') out.append({'0', '0', hex[byte >> 4], hex[byte & 15]});
  }
  out.append(text.substr(kept));
  out.push_back('"');
}

void append_json(std::string& out, pet const& p) {
  out.append(R"({"id":)");
  append_integer(out, p.id);
  out.append(R"(,"name":)");
  append_json_string(out, p.name);
  out.append(R"(,"categoryId":)");
  append_integer(out, p.category_id);
  if (p.status) out.append(R"(,"status":")").append(to_string(*p.status)).push_back('"');
  out.push_back('}');
}

void append_json(std::string& out, category const& c) {
  out.append(R"({"id":)");
  append_integer(out, c.id);
  out.append(R"(,"name":)");
  append_json_string(out, c.name);
  out.push_back('}');
}

void append_json(std::string& out, order const& o) {
  out.append(R"({"id":)");
  append_integer(out, o.id);
  out.append(R"(,"petId":)");
  append_integer(out, o.pet_id);
  out.append(R"(,"status":")").append(to_string(o.status)).append(R"(","createdAt":")");
  append_rfc3339(out, o.created_at);
  out.append(R"(","updatedAt":")");
  append_rfc3339(out, o.updated_at);
  out.append(R"("})");
}

}  // namespace petstore
