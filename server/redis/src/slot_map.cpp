// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "slot_map.hpp"

#include <utility>

#include "slot.hpp"

namespace petstore::redis {

result<std::vector<slot_range>> read_slot_map(reply const& map, node const& from) {
  failure const wrong{errc::bad_reply, "It is no map of slots."};
  if (!map.is_array()) return wrong;
  std::vector<slot_range> ranges;
  for (auto const& one : map.elements) {
    // first, last, the master, its replicas
    if (one.elements.size() < 3) return wrong;
    auto const& first = one.elements[0];
    auto const& last = one.elements[1];
    auto const& master = one.elements[2].elements;
    if (!first.is_integer() || !last.is_integer() || first.integer < 0 || first.integer > last.integer ||
        last.integer >= slot_count) {
      return wrong;
    }
    if (master.size() < 2 || !master[1].is_integer() || master[1].integer < 1 || master[1].integer > 65535)
      return wrong;
    // If the host is null, empty or a question mark, the node does not know its own name. Then it has the host of
    // `from`.
    bool const has_host = master[0].is_text() && !master[0].text.empty() && master[0].text != "?";
    ranges.push_back({static_cast<std::uint16_t>(first.integer),
                      static_cast<std::uint16_t>(last.integer),
                      {has_host ? master[0].text : from.host, static_cast<std::uint16_t>(master[1].integer)}});
  }
  return ranges;
}

}  // namespace petstore::redis
