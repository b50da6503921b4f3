// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace petstore::tests {

/// Stands between a store and its server, and does to one request what networks do: the first piece of what a client
/// sends that contains `mark` is what it waits for.
class cutting_proxy {
 public:
  enum class cut : std::uint8_t {
    nothing,        ///< passes everything on
    before_server,  ///< the request is dropped, and the connection cut
    after_server,   ///< the server does it and answers; the answer is dropped, and the connection cut
    kept_back,      ///< the connection to the client is cut, and the request reaches the server later: by `release`
    silence,        ///< the request is dropped and nothing more is passed on, but nothing is cut either
    trickle,        ///< the first `trickled_bytes` of the answer are passed on one by one, with pauses
    standstill,     ///< the same on all connections, old and new, but nothing is dropped: until `go_on`
  };

  static constexpr std::size_t trickled_bytes = 150;
  static constexpr std::chrono::milliseconds trickle_pause{25};

  explicit cutting_proxy(std::uint16_t server_port);
  ~cutting_proxy();

  /// The way through it to a database, of which `direct` is the URI by the server's socket.
  std::string uri(std::string_view direct) const;

  void arm(cut, std::string mark);
  /// Whether what it was armed for has happened.
  bool has_cut() const noexcept { return cuts_.load() != 0; }
  /// Sends on what was kept back, and returns when the server has closed that connection or answered.
  void release();
  /// Ends a standstill.
  void go_on() noexcept { stands_still_ = false; }
  /// New connections are refused from now on, or not.
  void refuse(bool) noexcept;

 private:
  struct pair;
  void work();
  void accept_one();
  bool forward_request(pair&);
  bool forward_answer(pair&);

  std::uint16_t const server_port_;
  std::uint16_t port_ = 0;
  int listener_ = -1;
  std::vector<pair> pairs_;  ///< the thread's own

  std::atomic<cut> armed_{cut::nothing};
  std::string mark_;  ///< written before `armed_`
  std::atomic<int> cuts_{0};
  std::atomic<bool> refuses_{false};
  std::atomic<bool> stands_still_{false};
  std::atomic<int> kept_server_{-1};
  std::string kept_bytes_;  ///< written before `kept_server_`
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

}  // namespace petstore::tests
