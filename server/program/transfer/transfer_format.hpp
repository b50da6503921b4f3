// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "petstore/ports/store.hpp"

/// Encodes and decodes the lines of an export. See transfer.hpp.
namespace petstore::program {

struct transfer_header {
  petstore::environment environment = petstore::environment::production;
  // Every export writes it; a file that is written by hand may leave it out.
  std::optional<ports::export_summary> summary;
};

using transfer_line = std::variant<category, pet, order>;

void append_header(std::string& out, petstore::environment, ports::export_summary const&);
void append_line(std::string& out, record_kind, std::string_view record);

result<transfer_header> decode_header(std::string_view line);
/// An error has a sentence for the author of the line.
result<transfer_line> decode_line(std::string_view line);

}  // namespace petstore::program
