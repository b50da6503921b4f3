// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "connection_group.hpp"

#include <sys/random.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/endian/conversion.hpp>
#include <optional>
#include <system_error>

#include "faults.hpp"
#include "petstore/asio/as_result.hpp"

namespace petstore::storage::postgres {
namespace {

using clock = std::chrono::steady_clock;

/// How often a caller that waits for a new connection checks whether there is one.
constexpr std::chrono::milliseconds look_interval{10};

asio::execution_context const* io_context_of(asio::any_io_executor const& executor) {
  if (!executor.target<asio::io_context::executor_type>()) return nullptr;
  return &asio::query(executor, asio::execution::context);
}

bool is_preferred(link const& a, link const& b) noexcept {
  if (a.takes_requests() != b.takes_requests()) return a.takes_requests();
  return a.in_flight() < b.in_flight();
}

}  // namespace

connection_group::connection_group(asio::any_io_executor executor, unsigned connections, link_settings const& settings,
                                   std::chrono::milliseconds outcome_timeout, health& h, connection_group* others)
    : executor_(std::move(executor)),
      io_context_(io_context_of(executor_)),
      outcome_timeout_(outcome_timeout),
      others_(others) {
  for (unsigned i = 0; i < std::max(1u, connections); ++i)
    links_.push_back(std::make_shared<link>(executor_, settings, h));
  if (::getrandom(token_prefix_.data(), token_prefix_.size(), 0) != static_cast<ssize_t>(token_prefix_.size()))
    throw std::system_error(errno, std::generic_category(), "getrandom");
}

void connection_group::start() {
  for (auto& l : links_) l->start();
}

void connection_group::close() {
  for (auto& l : links_) l->close();
}

bool connection_group::is_ready() const noexcept {
  return std::ranges::any_of(links_, [](auto const& l) { return l->is_ready(); });
}

bool connection_group::takes_requests() const noexcept {
  return std::ranges::any_of(links_, [](auto const& l) { return l->takes_requests(); });
}

void connection_group::add_to(ports::connection_figures& sum) const noexcept {
  for (auto const& l : links_) l->add_to(sum);
}

/// The first connection, unless it has had no answer for too long.
link& connection_group::for_reading() noexcept {
  link* ready = nullptr;
  for (auto& l : links_) {
    if (l->takes_requests()) return *l;
    if (!ready && l->is_ready()) ready = l.get();
  }
  return ready ? *ready : *links_.front();
}

/// The least busy connection that is not for reading, unless there is no other. Writes that wait for a lock do not move
/// to the connection for reading, where they would delay reads as well; nor do those that come after one has timed out.
link& connection_group::for_writing() noexcept {
  link* best = nullptr;
  for (auto at = links_.rbegin(); at != links_.rend(); ++at) {
    bool const is_for_reading = *at == links_.front() && links_.size() > 1;
    if (!(*at)->is_ready() || (is_for_reading && (best || suspect_->token))) continue;
    if (!best || is_preferred(**at, *best)) best = at->get();
  }
  if (best) return *best;
  return suspect_->token ? *links_.back() : *links_.front();
}

asio::awaitable<reply> connection_group::read(statement s, parameters p) {
  return for_reading().ask(s, std::move(p));
}

asio::awaitable<reply> connection_group::ask_for_life() {
  auto const best = std::ranges::min_element(links_, [](auto const& a, auto const& b) { return is_preferred(*a, *b); });
  return (*best)->ask(statement::heartbeat, {});
}

connection_group::beginning connection_group::begin_write() {
  beginning b;
  auto const number = boost::endian::native_to_big(++writes_);
  b.token.assign(token_prefix_.data(), token_prefix_.size());
  b.token.append(reinterpret_cast<char const*>(&number), sizeof number);
  b.values.add(std::string_view{b.token});
  return b;
}

/// One caller looks into a suspicion at a time. The coroutine that does may be destroyed after the group.
class connection_group::investigation {
 public:
  explicit investigation(std::shared_ptr<suspicion> what) : what_(std::move(what)) { what_->is_looked_into = true; }
  investigation(investigation const&) = delete;
  investigation& operator=(investigation const&) = delete;
  ~investigation() { what_->is_looked_into = false; }

 private:
  std::shared_ptr<suspicion> const what_;
};

asio::awaitable<write_outcome> connection_group::write(statement s, parameters p, std::string token) {
  if (suspect_->token) {
    auto clearing = clear_suspicion();
    if (!co_await std::move(clearing))
      co_return write_outcome{.what = write_outcome::kind::not_done, .cause = "an earlier write has not ended"};
  }
  auto asking = for_writing().ask(s, std::move(p));
  reply r = co_await std::move(asking);
  if (auto const* const found = std::get_if<rows>(&r)) {
    if (found->empty()) co_return write_outcome{.what = write_outcome::kind::overtaken};
    co_return write_outcome{.what = write_outcome::kind::done, .record_id = found->number(0, 0)};
  }
  auto* const fault = std::get_if<server_fault>(&r);
  if (fault && !is_outcome_unknown(*fault))
    co_return write_outcome{.what = write_outcome::kind::refused, .fault = std::move(*fault)};
  auto gone = fault ? lost{.sent = true, .cause = fault->message} : std::get<lost>(std::move(r));
  if (!gone.sent) co_return write_outcome{.what = write_outcome::kind::not_done, .cause = std::move(gone.cause)};
  std::optional<investigation> looking_into;
  if (gone.timed_out && !suspect_->token) {
    suspect_->token = token;
    looking_into.emplace(suspect_);
  }
  auto finding = find_outcome(std::move(token), std::move(gone.cause));
  auto outcome = co_await std::move(finding);
  if (looking_into && outcome.what != write_outcome::kind::unknown) suspect_->token.reset();
  co_return outcome;
}

/// A write that timed out may go on at the server for as long as what holds it up: a disk, or a standby. Each further
/// one would time out as well and leave a session behind. So the next one begins when the outcome of that one is known.
/// Returns whether it is.
asio::awaitable<bool> connection_group::clear_suspicion() {
  if (suspect_->is_looked_into) co_return false;
  investigation const looking_into(suspect_);
  auto looking = look_here_and_there(*suspect_->token);
  auto const found = co_await std::move(looking);
  if (found) suspect_->token.reset();
  co_return found.has_value();
}

/// Any other connection can find the outcome of a write: one of this thread, or one of the store's own thread.
asio::awaitable<std::optional<connection_group::kept_outcome>> connection_group::look_here_and_there(
    std::string token) {
  auto looking = look_for_outcome(token);
  auto found = co_await std::move(looking);
  if (found || !others_ || !others_->takes_requests()) co_return found;
  auto looking_there = others_->look_for_outcome(token);
  auto elsewhere = asio::co_spawn(others_->executor(), std::move(looking_there), asio::use_awaitable);
  found = co_await std::move(elsewhere);
  co_return found;
}

/// The connection was lost before the answer.
asio::awaitable<write_outcome> connection_group::find_outcome(std::string token, std::string cause) {
  auto const deadline = clock::now() + outcome_timeout_;
  asio::steady_timer timer(executor_);
  while (clock::now() < deadline) {
    auto looking = look_here_and_there(token);
    auto const found = co_await std::move(looking);
    if (found && found->is_forestalled)
      co_return write_outcome{.what = write_outcome::kind::not_done, .cause = std::move(cause)};
    if (found) co_return write_outcome{.what = write_outcome::kind::done, .record_id = found->record_id};
    timer.expires_after(look_interval);
    co_await timer.async_wait(as_result);
  }
  co_return write_outcome{.what = write_outcome::kind::unknown, .cause = "the outcome is unknown: " + cause};
}

/// nullopt: the outcome cannot be found now. A row with the write's token means that it took effect. If there is none,
/// this inserts one. The token is unique. So if the write is still running at the server, the insertion waits for its
/// end; if the write has not begun, it can no longer succeed.
asio::awaitable<std::optional<connection_group::kept_outcome>> connection_group::look_for_outcome(std::string token) {
  if (!for_writing().takes_requests()) co_return std::nullopt;
  auto forestalling = for_writing().ask(statement::forestall, parameters::of(std::string_view{token}));
  reply const forestalled = co_await std::move(forestalling);
  if (!std::holds_alternative<rows>(forestalled)) co_return std::nullopt;
  auto finding = for_writing().ask(statement::find_outcome, parameters::of(std::string_view{token}));
  reply const found = co_await std::move(finding);
  auto const* const row = std::get_if<rows>(&found);
  if (!row || row->empty()) co_return std::nullopt;
  co_return kept_outcome{.is_forestalled = row->is_true(0, 0), .record_id = row->number(0, 1)};
}

}  // namespace petstore::storage::postgres
