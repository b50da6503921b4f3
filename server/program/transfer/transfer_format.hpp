// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "petstore/ports/store.hpp"

/// The lines of an export, to text and back. See transfer.hpp.
namespace petstore::program {

struct transfer_header {
  petstore::environment environment = petstore::environment::production;
  // Written by every export; one who writes a file by hand may leave them out.
  std::optional<ports::export_summary> summary;
};

using transfer_line = std::variant<category, pet, order>;

void append_header(std::string& out, petstore::environment, ports::export_summary const&);
void append_line(std::string& out, record_kind, std::string_view record);

result<transfer_header> decode_header(std::string_view line);
/// The fault, if any, is a sentence for the one who wrote the line.
result<transfer_line> decode_line(std::string_view line);

}  // namespace petstore::program
