// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "link.hpp"
#include "petstore/error.hpp"

namespace petstore::storage::postgres {

/// What became of a write.
struct write_outcome {
  enum class kind : std::uint8_t {
    done,       ///< it is committed
    overtaken,  ///< what it was decided by has changed: nothing was done, look again
    refused,    ///< the server's fault says why; nothing was done
    not_done,   ///< nothing was done
    unknown,    ///< nobody knows
  };
  kind what;
  std::int64_t record_id = 0;  ///< of one that is done
  server_fault fault{};
  std::string cause{};
};

/// The connections of one thread, and what is done when one of them dies under a write.
///
/// Thread safety: on the executor, except `is_ready`, `takes_requests` and `add_to`.
class connection_group {
 public:
  /// What became of a write is looked up by `others` too, when none of these connections can tell. They outlive this.
  connection_group(asio::any_io_executor, unsigned connections, link_settings const&,
                   std::chrono::milliseconds outcome_timeout, health&, connection_group* others = nullptr);

  /// Whoever is called when keys change. Before `start`, for one connection_group only.
  void listen(link::notified_function f) { links_.front()->listen(std::move(f)); }
  void start();
  void close();

  asio::any_io_executor const& executor() const noexcept { return executor_; }
  /// Whether a read would find a connection.
  bool is_ready() const noexcept;
  /// Whether one of the connections there are is answered on in time.
  bool takes_requests() const noexcept;
  void add_to(ports::connection_figures&) const noexcept;

  asio::awaitable<reply> read(statement, parameters);
  /// Asks for a sign of life, where it waits behind as little as possible.
  asio::awaitable<reply> ask_for_life();
  /// A statement that returns the id of what it wrote, or nothing when it was overtaken. Its first parameter, which
  /// `begin_write` gives, names its outcome.
  asio::awaitable<write_outcome> write(statement, parameters, std::string token);

  struct beginning {
    std::string token;
    parameters values;
  };
  beginning begin_write();

 private:
  link& for_reading() noexcept;
  link& for_writing() noexcept;
  asio::awaitable<write_outcome> find_outcome(std::string token, std::string cause);
  struct kept_outcome {
    bool is_forestalled;  ///< it did not take effect, and will not
    std::int64_t record_id;
  };
  asio::awaitable<std::optional<kept_outcome>> look_for_outcome(std::string token);

  asio::any_io_executor const executor_;
  std::chrono::milliseconds const outcome_timeout_;
  connection_group* const others_;
  std::vector<std::shared_ptr<link>> links_;  ///< shared with their own operations
  std::array<char, 8> token_prefix_;          ///< drawn by lot
  std::uint64_t writes_ = 0;
};

}  // namespace petstore::storage::postgres
