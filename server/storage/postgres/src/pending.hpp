// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "faults.hpp"
#include "parameters.hpp"
#include "rows.hpp"
#include "statement.hpp"

namespace petstore::storage::postgres {

/// There was no connection, or it was lost: `sent` if the server may have executed the request, `timed_out` if it may
/// go on with that.
struct lost {
  bool sent = false;
  std::string cause;
  bool timed_out = false;
};

using reply = std::variant<rows, server_fault, lost>;

/// A request in flight: first in the queue of its connection, then at the server.
class pending {
 public:
  pending(statement s, parameters p) : what_(s), values_(std::move(p)) {}
  virtual ~pending() = default;

  statement what() const noexcept { return what_; }
  parameters const& values() const noexcept { return values_; }

  reply outcome = lost{};
  bool exclusive = false;  ///< shares its transaction with no other request
  bool sent_again = false;
  unsigned preparation = 0;  ///< the preparation of its statement that it relies on

  virtual void answer() = 0;  ///< passes `outcome` to the caller; the last call

 private:
  statement const what_;
  parameters const values_;
};
using pending_list = std::vector<std::unique_ptr<pending>>;

template <class Handler>
class pending_of final : public pending {
 public:
  pending_of(statement s, parameters p, Handler handler) : pending(s, std::move(p)), handler_(std::move(handler)) {}

  void answer() override { std::move(handler_)(std::move(outcome)); }

 private:
  Handler handler_;
};

}  // namespace petstore::storage::postgres
