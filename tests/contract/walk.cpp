// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contract/walk.hpp"

#include <boost/test/unit_test.hpp>

#include "contract/expectations.hpp"

namespace contract {

std::optional<std::string> link_of(const answer& got, const std::string& relation) {
  for (const std::string& header : got.all("Link")) {
    for (const std::string& link : list_members(header)) {
      const std::size_t end = link.find('>');
      if (link[0] != '<' || end == std::string::npos) throw http_error("not a link: " + link);
      if (link.substr(end + 1) == "; rel=\"" + relation + "\"") return link.substr(1, end - 1);
    }
  }
  return {};
}

std::vector<std::int64_t> ids_of(const answer& list) {
  std::vector<std::int64_t> ids;
  const json value = list.value();
  for (const json& entry : value.elements()) ids.push_back(entry["id"].integer());
  return ids;
}

std::vector<std::int64_t> walk(client& api, std::string target, const std::function<void()>& between_pages) {
  std::vector<std::int64_t> all;
  while (true) {
    const answer page = api.get(target);
    BOOST_REQUIRE_MESSAGE(page.status == 200, target << " answered " << page.status << " " << page.body);
    const auto ids = ids_of(page);
    all.insert(all.end(), ids.begin(), ids.end());
    const auto next = link_of(page, "next");
    if (!next) return all;
    BOOST_REQUIRE_MESSAGE(!ids.empty(), "an empty page with a successor: " << target);
    target = *next;
    if (between_pages) between_pages();
  }
}

}  // namespace contract
