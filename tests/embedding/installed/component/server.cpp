// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The service, over whatever store the host has.
#include <petstore/server/application.hpp>
#include <petstore/server/router.hpp>

int main() {
  using namespace petstore;
  server::router const router{"/v1"};
  server::page const description = server::make_description({});
  return router.match(server::method::get, "/v1/pets").exists() && !description.body.empty() ? 0 : 1;
}
