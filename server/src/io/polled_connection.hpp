// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <memory>

#include "io/connection.hpp"
#include "io/poller.hpp"

namespace petstore::server::io {

/// Moves the bytes of a session through a socket by plain system calls, when a poller says that the socket is ready.
class polled_connection final : public connection,
                                private poller::target,
                                public boost::intrusive_ref_counter<polled_connection, boost::thread_unsafe_counter> {
 public:
  /// Takes the socket over. Throws system_error when it cannot be waited for.
  polled_connection(asio::ip::tcp::socket, asio::ip::tcp::endpoint const& peer, session_host&, std::shared_ptr<poller>,
                    std::unique_ptr<place>);
  ~polled_connection();

  /// Begins; `next` is the session's first step.
  void start(session::step next);
  session& conversation() noexcept { return session_; }

  void check_deadline(steady_time now) override;
  void finish() override;
  void abort() noexcept override;

 private:
  using ownership = boost::intrusive_ptr<polled_connection>;

  void on_ready(std::uint32_t events) override;
  void on_worked();
  void run(session::step next);
  session::step receive();
  session::step send();
  void give_up(steady_time now);
  void end() noexcept;

  asio::any_io_executor const executor_;
  std::shared_ptr<poller> const poller_;
  std::unique_ptr<place> place_;
  ownership self_;  ///< until it ends
  session session_;
  int socket_;
  session::step next_ = session::step::receive;
  bool is_readable_ = false;  ///< as far as the kernel has told
  bool is_writable_ = true;
  bool is_hung_up_ = false;  ///< reading will tell how, and never has to wait again
  bool is_blocked_ = false;  ///< the step has to wait for the socket
  bool is_working_ = false;  ///< the step is to wait for the handler
};

}  // namespace petstore::server::io
