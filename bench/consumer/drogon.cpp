// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The smallest program that serves a page with drogon.
#include <drogon/drogon.h>

int main() {
  drogon::app()
      .registerHandler("/hello",
                       [](drogon::HttpRequestPtr const&, std::function<void(drogon::HttpResponsePtr const&)>&& answer) {
                         auto const response = drogon::HttpResponse::newHttpResponse();
                         response->setBody("hello");
                         answer(response);
                       })
      .addListener("127.0.0.1", 8080)
      .run();
}
