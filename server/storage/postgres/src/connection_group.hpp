// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/execution_context.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "link.hpp"
#include "petstore/error.hpp"

namespace petstore::storage::postgres {

/// The outcome of a write.
struct write_outcome {
  enum class kind : std::uint8_t {
    done,       ///< it is committed
    overtaken,  ///< the records that it was based on have changed: nothing was done, try again
    refused,    ///< with the server's fault; nothing was done
    not_done,   ///< nothing was done
    unknown,    ///< it cannot be found out
  };
  kind what;
  std::int64_t record_id = 0;  ///< of a write that is done
  server_fault fault{};
  std::string cause{};
};

/// The connections of one executor, and the recovery of writes whose connection is lost.
///
/// Thread safety: on the executor, except `is_ready`, `takes_requests` and `add_to`.
class connection_group {
 public:
  /// `others` must outlive this. It looks for the outcome of a write, too, if none of these connections can find it.
  connection_group(asio::any_io_executor, unsigned connections, link_settings const&,
                   std::chrono::milliseconds outcome_timeout, health&, connection_group* others = nullptr);

  /// Calls `f` when keys change. Call it before `start`, for one connection_group only.
  void listen(link::notified_function f) { links_.front()->listen(std::move(f)); }
  void start();
  void close();

  asio::any_io_executor const& executor() const noexcept { return executor_; }
  /// Whether work on this executor, which is of this context, may use the connections. One thread runs an io_context,
  /// and so all that is on it; several may run the context of a strand.
  bool serves(asio::any_io_executor const& executor, asio::execution_context const& context) const noexcept {
    return io_context_ ? io_context_ == &context : executor_ == executor;
  }
  /// Whether there is a connection for a read.
  bool is_ready() const noexcept;
  /// Whether one of the connections gets answers in time.
  bool takes_requests() const noexcept;
  void add_to(ports::connection_figures&) const noexcept;

  asio::awaitable<reply> read(statement, parameters);
  /// Sends a probe, on the connection with the shortest wait.
  asio::awaitable<reply> ask_for_life();
  /// Runs a statement that returns the id of what it wrote, or nothing if its basis has changed. Its first parameter,
  /// from `begin_write`, is the token of its outcome.
  asio::awaitable<write_outcome> write(statement, parameters, std::string token);

  struct beginning {
    std::string token;
    parameters values;
  };
  beginning begin_write();

 private:
  link& for_reading() noexcept;
  link& for_writing() noexcept;
  asio::awaitable<bool> clear_suspicion();
  asio::awaitable<write_outcome> find_outcome(std::string token, std::string cause);
  struct kept_outcome {
    bool is_forestalled;  ///< it did not take effect, and will not
    std::int64_t record_id;
  };
  asio::awaitable<std::optional<kept_outcome>> look_for_outcome(std::string token);
  asio::awaitable<std::optional<kept_outcome>> look_here_and_there(std::string token);

  asio::any_io_executor const executor_;
  asio::execution_context const* const io_context_;  ///< of the executor; null if the executor is a strand
  std::chrono::milliseconds const outcome_timeout_;
  connection_group* const others_;
  std::vector<std::shared_ptr<link>> links_;  ///< shared with their own operations
  std::array<char, 8> token_prefix_;          ///< random
  std::uint64_t writes_ = 0;
  /// A write that timed out, and may still run at the server.
  struct suspicion {
    std::optional<std::string> token;
    bool is_looked_into = false;
  };
  class investigation;
  std::shared_ptr<suspicion> const suspect_ = std::make_shared<suspicion>();  ///< shared with who looks into it
};

}  // namespace petstore::storage::postgres
