// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The service together with a program's own pages, its own check of customers, and its own log.
#include "examples.hpp"

namespace examples {

using namespace petstore;

/// Members show a card with a number; gold cards may ask more often.
ports::eventual<std::optional<server::principal>> member_cards::check(std::string_view token, limits::instant) {
  if (token == "card-7") return server::principal{.identity = 7, .plan = {limits::per_minute(3)}};
  if (token == "gold-8")
    return server::principal{.identity = 8, .plan = {limits::per_minute(300)}, .plan_name = "gold"};
  return std::nullopt;
}

server::application_options beside_own_pages(server::key_check& members, std::function<void(std::string)> log) {
  server::application_options options;
  options.keys = &members;
  options.mounts.push_back({"/hello", [](server::request const& asked, server::response& out) -> asio::awaitable<void> {
                              out.add("Content-Type", "text/plain");
                              out.body = "hello from " + std::string{asked.path};
                              co_return;
                            }});
  options.access_log = [log](server::access_record const& done) {
    log(std::to_string(done.response.status) + ' ' + std::string{done.request.path});
  };
  return options;
}

/// Metrics for Prometheus, with this program's own names.
std::string metrics_page(server::application const& app) {
  std::string page = "# TYPE shop_answers_total counter\n";
  server::metrics_reading const counted = app.metrics();
  for (auto const& operation : counted.operations) {
    for (std::size_t i = 0; i < operation.by_status_class.size(); ++i) {
      page += "shop_answers_total{operation=\"" + operation.name + "\",status=\"" + std::to_string(i + 1) + "xx\"} ";
      page += std::to_string(operation.by_status_class[i]) + '\n';
    }
  }
  page += "# TYPE shop_connections gauge\nshop_connections ";
  return page + std::to_string(app.connections().in_use()) + '\n';
}

}  // namespace examples
