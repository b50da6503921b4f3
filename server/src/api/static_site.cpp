// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/static_site.hpp"

#include <algorithm>
#include <cstring>

#include "api/conditions.hpp"
#include "api/records.hpp"
#include "http/field.hpp"
#include "petstore/api_key.hpp"

namespace petstore::server {
namespace {

/// `0`, `0.0`, …: the only weights that refuse a coding.
bool is_zero(std::string_view weight) noexcept {
  return weight.starts_with('0') && weight.find_first_not_of("0.") == std::string_view::npos;
}

/// One element of Accept-Encoding: whether it names `coding`, and allows it.
struct preference {
  std::string_view coding;
  bool is_allowed = true;
};

preference read_preference(std::string_view element) noexcept {
  auto const semicolon = element.find(';');
  preference p{trim(element.substr(0, semicolon))};
  if (semicolon == std::string_view::npos) return p;
  auto const weight = trim(element.substr(semicolon + 1));
  if (weight.starts_with("q=") || weight.starts_with("Q=")) p.is_allowed = !is_zero(weight.substr(2));
  return p;
}

}  // namespace

entity_tag tag_of(std::string_view bytes) noexcept {
  auto const digest = sha256(bytes);
  entity_tag tag;
  std::memcpy(&tag.revision, digest.data(), sizeof tag.revision);
  std::memcpy(&tag.checksum, digest.data() + sizeof tag.revision, sizeof tag.checksum);
  return tag;
}

/// An element for gzip itself has priority over `*`.
bool accepts_gzip(request const& req) noexcept {
  bool by_wildcard = false;
  for (auto const& field : req.fields) {
    if (!equals_ignoring_case(field.name, "accept-encoding")) continue;
    std::string_view rest = field.value;
    while (!rest.empty()) {
      auto const comma = std::min(rest.find(','), rest.size());
      auto const p = read_preference(rest.substr(0, comma));
      if (equals_ignoring_case(p.coding, "gzip") || equals_ignoring_case(p.coding, "x-gzip")) return p.is_allowed;
      if (p.coding == "*") by_wildcard = p.is_allowed;
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return by_wildcard;
}

static_site::entry::entry(static_page const& page)
    : page_{page}, tag_{tag_of(page.body)}, gzip_tag_{tag_of(page.gzip)} {}

static_site::static_site(std::vector<static_page> pages) : entries_(pages.begin(), pages.end()) {}

result<void> static_site::answer(entry const& e, request const& req, response& out) {
  auto const known = read_condition(req, known_field::if_none_match);
  if (!known) return known.error();
  auto const& page = e.page_;
  bool const is_compressed = !page.gzip.empty() && accepts_gzip(req);
  auto const& tag = is_compressed ? e.gzip_tag_ : e.tag_;
  handlers::add_etag(out, tag);
  if (!page.gzip.empty()) out.add("Vary", "Accept-Encoding");
  if (!page.policy.empty()) {
    out.add("Content-Security-Policy", page.policy);
    out.add("Referrer-Policy", "no-referrer");
  }
  if (known->present() && known->matches_weak(tag)) {
    out.status = 304;
    return {};
  }
  out.add("Content-Type", page.type);
  if (is_compressed) out.add("Content-Encoding", "gzip");
  out.body = is_compressed ? page.gzip : page.body;
  return {};
}

}  // namespace petstore::server
