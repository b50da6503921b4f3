// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <istream>
#include <ostream>

#include "petstore/ports/store.hpp"

/// `petstore export` and `petstore import`: a shop as JSON Lines. The first line says what follows, each other line is
/// one record:
///
///     {"type":"petstore-export","version":1,"environment":"production","records":{…},"lastIds":{…}}
///     {"type":"category","record":{"id":1,"name":"dogs"}}
///     {"type":"pet","record":{"id":1,"name":"Rex","categoryId":1,"status":"pending"}}
///     {"type":"order","record":{"id":1,"petId":1,"status":"placed",…}}
///
/// API keys are not part of it: they belong to a store, and their digests to nobody else. Both functions throw
/// usage_error or command_error (outcome.hpp).
namespace petstore::program {

struct transfer_streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;  ///< draw a bar there
};

struct export_options {
  std::filesystem::path output;  ///< empty: `out`
};

struct import_options {
  std::filesystem::path input;  ///< empty: `in`
};

/// Writes one consistent reading of the shop. A file appears under its name only when it is complete.
void export_command(ports::store&, export_options const&, transfer_streams);

/// Reads the whole input first, checks every line by itself, against the others and against the store, and names what
/// is wrong by line; then nothing is imported. What is right is written in batches. A record that is there already, and
/// is the same, is skipped: so an import that was interrupted is continued by giving the same command again.
void import_command(ports::store&, import_options const&, transfer_streams);

}  // namespace petstore::program
