// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "server/net/live_listener.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <stdexcept>

#ifdef TESTED_WITH_TLS
#include "support/certificates.hpp"
#include "support/test_client.hpp"
#endif

namespace petstore::tests {

namespace {

/// `left` parts, or one each time the gate is opened.
class part_stream final : public server::body_stream {
 public:
  explicit part_stream(unsigned long left) : left_{left} {}
  explicit part_stream(path_handler& gated) : gated_{&gated} {}

  asio::awaitable<bool> next(std::string& part) override {
    if (gated_) co_await gated_->pass_gate();
    if (!gated_ && left_ == 13) throw std::runtime_error{"the stream threw"};
    if (left_ > 1000) part.append(64 * 1024, 'x');  // of a stream that is to fill the socket
    part.append("part\n");
    co_return gated_ || --left_ != 0;
  }

 private:
  path_handler* const gated_ = nullptr;
  unsigned long left_ = 0;
};

}  // namespace

asio::awaitable<void> path_handler::pass_gate() {
  if (is_open_) co_return;
  entered.release();
  co_await gate_.async_wait(asio::as_tuple(asio::use_awaitable));
}

asio::awaitable<void> path_handler::handle(server::request const& req, server::response& out) {
  if (req.path == "/at_once") return {};
  return handle_later(req, out);
}

asio::awaitable<void> path_handler::handle_later(server::request const& req, server::response& out) {
  if (req.path == "/throw") throw std::runtime_error{"the handler threw"};
  if (req.path == "/wait") {
    co_await pass_gate();
  }
  if (req.path == "/204/stream") {
    out.status = 204;
    out.stream = std::make_unique<part_stream>(3UL);
    co_return;
  }
  if (req.path.starts_with("/stream/")) {
    out.stream = std::make_unique<part_stream>(std::stoul(std::string{req.path.substr(8)}));
    out.body = "begin\n";
    co_return;
  }
  if (req.path == "/stream") {
    out.stream = std::make_unique<part_stream>(*this);
    co_return;
  }
  if (req.path == "/peer") {
    out.body = asio::ip::address_v6{req.peer}.to_string();
    co_return;
  }
  if (req.path == "/close") out.close = true;
  if (req.path == "/204") out.status = 204;
  if (req.path == "/304") out.status = 304;
  if (req.path.starts_with("/size/")) {
    out.body.assign(std::stoul(std::string{req.path.substr(6)}), 'x');
    co_return;
  }
  if (req.body_too_large) out.status = 413;
  out.body.append("method ").append(to_string(req.method));
  out.body.append("\ntarget ").append(req.target);
  out.body.append("\npath ").append(req.path);
  out.body.append("\nquery ").append(req.query);
  for (auto const& field : req.fields) out.body.append("\n").append(field.name).append("=").append(field.value);
  if (req.has_body) out.body.append("\nbody ").append(req.body);
}

void path_handler::refuse(errc code, std::string_view, server::request const& partial, server::response& out) {
  if (refusals_throw) throw std::runtime_error{"the refusal threw"};
  auto const& row = describe(code);
  out.status = row.status;
  out.body.append(row.code).append(" ").append(partial.target);
}

server::listener_options behind_proxy() {
  server::listener_options options;
  options.expects_proxy_header = true;
  options.trusted_proxies = {*server::address_range::parse("127.0.0.1")};
  return options;
}

live_listener::live_listener(server::connection_limits const& limits, std::size_t connections_max,
                             std::size_t connections_of_address_max, server::listener_options options,
                             std::vector<server::address_range> exempt)
    : budget_{connections_max, connections_of_address_max, std::move(exempt)} {
  options.counters = &metrics_.shard(0);
#ifdef TESTED_WITH_TLS
  if (!options.tls) {
    auto const& own = identity_of_tests();
    options.tls = std::make_shared<server::tls_context>(server::tls_credentials{own.certificate, own.key, {}, {}});
    test_client::speak_tls();
  }
#endif
  std::vector<asio::any_io_executor> const executors{context_.get_executor()};
  auto acceptors = server::open_acceptors({asio::ip::address_v4::loopback(), 0}, executors);
  auto log = [this](server::severity, std::string_view event, std::string_view detail, server::log_origin const&) {
    std::lock_guard const lock{mutex_};
    events_.emplace_back(event, detail);
  };
  auto access_log = [this](server::access_record const& r) {
    std::lock_guard const lock{mutex_};
    answers_.push_back(
        {std::string{r.request.target}, std::string{r.request.request_id}, r.response.status, r.bytes_sent});
  };
  listener_.emplace(std::move(acceptors.front()), handler_, limits, budget_, log, access_log, options);
  port_ = listener_->local_endpoint().port();
  listener_->start();
  thread_ = std::thread{[this] { context_.run(); }};
}

live_listener::~live_listener() {
  if (!is_stopped_) {
    release();
    stop(std::chrono::milliseconds{0}).wait();
  }
  thread_.join();
}

void live_listener::set_limits(server::connection_limits const& limits) {
  run_on_thread([this, &limits] { listener_->set_limits(limits); });
}

void live_listener::begin_drain() {
  run_on_thread([this] { listener_->begin_drain(); });
}

void live_listener::release() {
  run_on_thread([this] { handler_.release(); });
}

void live_listener::open_gate() {
  run_on_thread([this] { handler_.open_gate(); });
}

void live_listener::let_refusals_throw() {
  run_on_thread([this] { handler_.refusals_throw = true; });
}

std::size_t live_listener::session_count() {
  std::size_t n = 0;
  run_on_thread([&] { n = listener_->session_count(); });
  return n;
}

std::shared_ptr<std::promise<void>> live_listener::hold() {
  auto go_on = std::make_shared<std::promise<void>>();
  std::promise<void> begun;
  auto has_begun = begun.get_future();
  asio::post(context_, [&begun, go_on] {
    auto may_go_on = go_on->get_future();
    begun.set_value();
    may_go_on.wait();
  });
  has_begun.wait();
  return go_on;
}

std::future<bool> live_listener::stop(std::chrono::milliseconds timeout) {
  is_stopped_ = true;
  return listener_->async_stop(timeout, asio::use_future);
}

std::vector<seen_answer> live_listener::answers() {
  std::lock_guard const lock{mutex_};
  return answers_;
}

std::vector<std::pair<std::string, std::string>> live_listener::events() {
  std::lock_guard const lock{mutex_};
  return events_;
}

bool live_listener::has_logged(std::string_view event) {
  std::lock_guard const lock{mutex_};
  return std::ranges::find(events_, event, [](auto const& told) { return told.first; }) != events_.end();
}

void live_listener::run_on_thread(std::function<void()> work) {
  std::promise<void> done;
  auto finished = done.get_future();
  asio::post(context_, [&] {
    work();
    done.set_value();
  });
  finished.wait();
}

}  // namespace petstore::tests
