// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A store shared by several nodes.
#include <petstore/storage/postgres.hpp>

int main() {
  std::string const shown = petstore::storage::describe_postgres("postgres://shop:secret@db.example/shop");
  return shown.find("db.example") != std::string::npos && shown.find("secret") == std::string::npos ? 0 : 1;
}
