// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <filesystem>
#include <functional>

#include "outcome.hpp"
#include "petstore/ports/store.hpp"

/// `petstore export` and `petstore import`: the records of a store as JSON Lines. The first line describes the export;
/// each other line is one record:
///
///     {"type":"petstore-export","version":1,"environment":"production","records":{…},"lastIds":{…}}
///     {"type":"category","record":{"id":1,"name":"dogs"}}
///     {"type":"pet","record":{"id":1,"name":"Rex","categoryId":1,"status":"pending"}}
///     {"type":"order","record":{"id":1,"petId":1,"status":"placed",…}}
///
/// It has no API keys: they belong to the store, and nobody else should get their digests. Both functions throw
/// usage_error or command_error (outcome.hpp).
namespace petstore::program {

struct export_options {
  std::filesystem::path output;  ///< empty: `out`
  bool may_replace = false;      ///< whether a file that is there already may be replaced
};

struct import_options {
  std::filesystem::path input;  ///< empty: `in`
};

/// Writes one consistent snapshot of the store. A file appears under its name only when it is complete.
void export_command(ports::store&, export_options const&, streams);

/// First reads the whole input, and checks every line by itself, against the other lines, and against the store. If
/// there are faults, it prints them with their line numbers and imports nothing. Otherwise it writes the records in
/// batches. It skips a record that the store has already with the same content. So after an interruption, the same
/// command continues.
void import_command(ports::store&, import_options const&, streams);

/// The same into a new store, which `make` creates after the input was found to be without faults. So an input with
/// faults leaves no store behind. `empty` stands for the new store until then.
void import_to_new_store(ports::store& empty, std::function<ports::store&()> const& make, import_options const&,
                         streams);

}  // namespace petstore::program
