// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/export.hpp"

/// The parameters of a query, which is percent-decoded after it is split. Any thread.
namespace petstore::server {

/// A parameter that an operation knows, and what a query says about it.
struct PETSTORE_EXPORT query_parameter {
  std::string_view name = {};   ///< empty: no parameter has it
  bool given = false;           ///< the query has it
  bool repeated = false;        ///< the query has it more than once
  std::string_view value = {};  ///< as sent, of the last one
};

/// Looks for the known parameters in a query as it was sent. Returns whether it has others.
PETSTORE_EXPORT bool find_parameters(std::string_view query, std::span<query_parameter> known) noexcept;

/// What is wrong with a query: the sentences of one message.
class PETSTORE_EXPORT query_faults {
 public:
  /// Adds "<subject> <what>".
  void add(std::string_view subject, std::string_view what);
  /// Whether there is none.
  bool empty() const noexcept { return message_.empty(); }
  /// invalid_request, with every fault.
  error take();

 private:
  std::string message_;
};

/// Returns the decoded value: the sent one, or a view of `buffer`. nullopt if the parameter is absent, or if a fault
/// was added for it: it is empty or given twice. A value that cannot be decoded, or is longer than the buffer, becomes
/// `%`, which no parameter accepts.
[[nodiscard]] PETSTORE_EXPORT std::optional<std::string_view> read_parameter(query_parameter const&,
                                                                             std::span<char> buffer, query_faults&);

/// Returns the size of a page that the parameter `name` asks for; nullopt with a fault if it is not an integer from 1
/// to `max`.
[[nodiscard]] PETSTORE_EXPORT std::optional<std::uint32_t> read_page_limit(std::string_view name, std::string_view text,
                                                                           std::uint32_t max, query_faults&);

}  // namespace petstore::server
