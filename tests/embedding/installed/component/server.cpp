// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The service over a store of the host.
#include <petstore/server/application.hpp>

int main() {
  using namespace petstore;
  server::page const description = server::make_description({});
  return !description.body.empty() ? 0 : 1;
}
