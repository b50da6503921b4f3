// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/static_site.hpp"

#include <cstring>

#include "api/answer.hpp"
#include "petstore/api_key.hpp"
#include "petstore/server/accept.hpp"
#include "petstore/server/conditions.hpp"

namespace petstore::server {
entity_tag tag_of(std::string_view bytes) noexcept {
  auto const digest = sha256(bytes);
  entity_tag tag;
  std::memcpy(&tag.revision, digest.data(), sizeof tag.revision);
  std::memcpy(&tag.checksum, digest.data() + sizeof tag.revision, sizeof tag.checksum);
  return tag;
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
  bool const is_known = answer_not_modified(*known, tag, out);
  if (!page.gzip.empty()) out.add("Vary", "Accept-Encoding");
  if (!page.policy.empty()) {
    out.add("Content-Security-Policy", page.policy);
    out.add("Referrer-Policy", "no-referrer");
  }
  if (is_known) return {};
  out.add("Content-Type", page.type);
  if (is_compressed) out.add("Content-Encoding", "gzip");
  out.body = is_compressed ? page.gzip : page.body;
  return {};
}

}  // namespace petstore::server
