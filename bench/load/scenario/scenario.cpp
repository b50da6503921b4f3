// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/scenario.hpp"

#include <utility>

namespace petstore::load {

scenario plain_scenario(std::string method, std::string path, std::vector<field_template> fields, std::string body,
                        std::vector<api_key> keys) {
  step only;
  only.name = path.empty() ? method : method + " " + path;
  only.method = std::move(method);
  only.path = text_template(std::move(path));
  only.fields = std::move(fields);
  only.body = text_template(std::move(body));
  scenario plain;
  plain.operations.push_back({only.name, 1, {}, 0});
  plain.operations.front().steps.push_back(std::move(only));
  plain.keys = std::move(keys);
  return plain;
}

std::vector<std::string> step_names(scenario const& s) {
  std::vector<std::string> names;
  for (auto const& o : s.operations)
    for (auto const& each : o.steps) names.push_back(each.name);
  return names;
}

}  // namespace petstore::load
