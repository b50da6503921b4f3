// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The smallest program that serves a page with Crow.
#include <crow.h>

int main() {
  crow::SimpleApp app;
  CROW_ROUTE(app, "/hello")([] { return "hello"; });
  app.port(8080).run();
}
