// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/near_name.hpp"

#include "config/nearest_name.hpp"

namespace petstore::load {

std::string unknown_name(std::string_view name, std::span<std::string_view const> known) {
  constexpr std::size_t shown_max = 64;
  auto text = "`" + std::string(name.substr(0, shown_max)) + "` is not known here; ";
  if (auto const nearest = nearest_name(name, known); !nearest.empty())
    return text.append("did you mean `").append(nearest).append("`?");
  text += "known are";
  for (auto const& each : known) text.append(&each == known.data() ? " " : ", ").append(each);
  return text;
}

}  // namespace petstore::load
