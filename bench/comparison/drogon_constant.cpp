// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// drogon with one thread: a constant answer to every request, and a line of its access log for each.
// Usage: drogon_constant PORT BODY_BYTES LOG_DIRECTORY
#include <drogon/drogon.h>
#include <json/value.h>

#include <string>

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  std::string const body(std::stoul(argv[2]), 'x');
  Json::Value log;
  log["name"] = "drogon::plugin::AccessLogger";
  log["config"]["log_path"] = argv[3];
  Json::Value configuration;
  configuration["plugins"].append(log);
  drogon::app()
      .loadConfigJson(configuration)
      .setDefaultHandler([body](drogon::HttpRequestPtr const&,
                                std::function<void(drogon::HttpResponsePtr const&)>&& answer) {
        auto const response = drogon::HttpResponse::newHttpResponse();
        response->setContentTypeCode(drogon::CT_APPLICATION_JSON);
        response->setBody(body);
        answer(response);
      })
      .setThreadNum(1)
      .setIdleConnectionTimeout(0)
      .addListener("127.0.0.1", static_cast<std::uint16_t>(std::stoul(argv[1])))
      .run();
}
