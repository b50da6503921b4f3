// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The connection at work: sending and receiving. link_connect.cpp makes the connection.
#include "link.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

#include "arrival.hpp"
#include "faults.hpp"
#include "statements.hpp"

namespace petstore::storage::postgres {
namespace {

/// The maximum number of reads in a transaction. With more, the first would only wait for the last.
constexpr std::size_t reads_per_transaction_max = 32;

constexpr int binary = 1;

/// A TLS record has up to 16 KiB, and libpq takes at least 8 KiB of it at a time: the rest of a record does not make
/// the socket readable.
constexpr int reads_of_tls = 3;

/// Requests that were finished together are answered one after the other. An exception of a caller is passed on, as if
/// it were alone; the others must still be answered.
class answers {
 public:
  answers(asio::any_io_executor executor, pending_list finished)
      : executor_(std::move(executor)), finished_(std::move(finished)) {}

  void operator()() {
    while (next_ != finished_.size()) {
      auto const p = std::move(finished_[next_++]);
      try {
        p->answer();
      } catch (...) {
        if (next_ != finished_.size()) asio::post(executor_, std::move(*this));
        throw;
      }
    }
  }

 private:
  asio::any_io_executor executor_;
  pending_list finished_;
  std::size_t next_ = 0;
};

}  // namespace

void link::take(std::unique_ptr<pending> p) {
  if (!takes_requests() || in_flight() >= settings_.in_flight_max) {
    p->outcome = lost{.sent = false, .cause = why_not()};
    traffic_.note_turned_away();
    finished_.push_back(std::move(p));
    answer_finished();
    do_or_lose([this] { leave_if_outdated(); });
    return;
  }
  p->exclusive = text_of(p->what()).what == effect::write;
  enqueue(std::move(p));
  do_or_lose([this] { send_soon(); });
}

std::string link::why_not() const {
  if (!is_ready()) return health_.latest_cause();
  if (is_outdated()) return takes_no_writes;
  return takes_requests() ? "too many requests are waiting for PostgreSQL" : health_.silence();
}

void link::leave_if_outdated() {
  if (is_ready() && is_outdated() && owed_.empty()) lose(takes_no_writes);
}

void link::enqueue(std::unique_ptr<pending> p) {
  traffic_.note_asked();
  queue_.push_back(std::move(p));
}

void link::finish_one(std::unique_ptr<pending> p) {
  traffic_.note_outcome(p->outcome);
  finished_.push_back(std::move(p));
}

void link::add_to(ports::connection_figures& sum) const noexcept {
  ++sum.wanted;
  if (takes_requests()) ++sum.open;
  traffic_.add_to(sum);
}

void link::send_soon() {
  if (is_sending_soon_) return;
  asio::post(executor_, [self = shared_from_this()] {
    self->is_sending_soon_ = false;
    self->do_or_lose([&] { self->send(); });
  });
  is_sending_soon_ = true;
}

void link::send() {
  std::size_t reads = 0;
  bool sent = true;
  while (sent && !queue_.empty()) {
    auto p = std::move(queue_.front());
    queue_.pop_front();
    bool const exclusive = p->exclusive;
    if (reads != 0 && (exclusive || reads == reads_per_transaction_max)) {
      sent = end_transaction();
      reads = 0;
    }
    sent = send_one(std::move(p)) && sent;
    if (exclusive) {
      sent = sent && end_transaction();
    } else {
      ++reads;
    }
  }
  if (sent && reads != 0) sent = end_transaction();
  if (!sent) return lose(PQerrorMessage(connection_.get()));
  flush();
  watch_clock();
}

/// Returns whether libpq took it. In both cases it is owed.
bool link::send_one(std::unique_ptr<pending> p) {
  auto const what = p->what();
  auto const number = static_cast<std::size_t>(what);
  auto const& text = text_of(what);
  bool sent = true;
  if (!prepared_.test(number)) {
    sent = PQsendPrepare(connection_.get(), text.name, text.sql, 0, nullptr) == 1;
    prepared_.set(number);
    ++preparations_[number];
    owed_.push_back({.what = owed::kind::preparation, .prepared = what});
  }
  p->preparation = preparations_[number];
  std::array<char const*, parameters::count_max> values;
  std::array<int, parameters::count_max> lengths;
  std::array<int, parameters::count_max> formats;
  auto const& given = p->values();
  auto const count = static_cast<std::size_t>(given.count());
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = given.bytes(i);
    lengths[i] = given.length(i);
    formats[i] = binary;
  }
  sent = sent && PQsendQueryPrepared(connection_.get(), text.name, given.count(), values.data(), lengths.data(),
                                     formats.data(), binary) == 1;
  ++sent_;
  owed_.push_back({.what = owed::kind::rows, .request = std::move(p)});
  return sent;
}

bool link::end_transaction() {
  owed_.push_back({.what = owed::kind::end_of_transaction});
  sent_at_.push_back(std::chrono::steady_clock::now());
  return PQpipelineSync(connection_.get()) == 1;
}

void link::flush() {
  int const left = PQflush(connection_.get());
  if (left < 0) return lose(PQerrorMessage(connection_.get()));
  if (left == 0 || awaits_writable_) return;
  socket_.async_wait(asio::posix::descriptor_base::wait_write,
                     [self = shared_from_this()](boost::system::error_code cancelled) {
                       self->awaits_writable_ = false;
                       if (!cancelled) self->do_or_lose([&] { self->flush(); });
                     });
  awaits_writable_ = true;
}

void link::await_readable() {
  socket_.async_wait(asio::posix::descriptor_base::wait_read,
                     [self = shared_from_this()](boost::system::error_code cancelled) {
                       self->do_or_lose([&] { cancelled ? self->await_readable() : self->receive(); });
                     });
}

void link::receive() {
  for (int i = PQsslInUse(connection_.get()) != 0 ? reads_of_tls : 1; i > 0; --i)
    if (PQconsumeInput(connection_.get()) == 0) return lose(PQerrorMessage(connection_.get()));
  heard_at_ = std::chrono::steady_clock::now();
  if (silent_.exchange(false, std::memory_order_relaxed)) clock_.cancel();  // to be set for the next silence
  health_.note_heard(heard_at_);
  auto const unfinished = sent_at_.size();
  while (!owed_.empty() && PQisBusy(connection_.get()) == 0)
    if (!take_result(PQgetResult(connection_.get()))) break;
  if (sent_at_.size() == unfinished) arriving_at_ = heard_at_;
  bool notified = false;
  while (PGnotify* const n = PQnotifies(connection_.get())) {
    PQfreemem(n);
    notified = true;
  }
  if (PQstatus(connection_.get()) == CONNECTION_BAD) return lose(PQerrorMessage(connection_.get()));
  leave_if_outdated();
  if (!is_ready()) return;
  if (!queue_.empty()) send_soon();  // reads that shared the transaction of a failed one
  await_readable();
  answer_finished();
  if (notified && notified_) notified_();
}

/// Returns false if nothing more has arrived although something is owed.
bool link::take_result(PGresult* r) {
  auto& next = owed_.front();
  if (!r) {  // the end of a statement's results
    if (!next.has_come) return false;
    if (next.what == owed::kind::end_of_transaction) {  // it was the end of the transaction whose commit failed
      next.has_come = false;
      return true;
    }
    if (next.request) transaction_.push_back(std::move(next.request));
    owed_.pop_front();
    return true;
  }
  rows result(r);
  switch (PQresultStatus(r)) {
    case PGRES_PIPELINE_SYNC:
      owed_.pop_front();
      finish_transaction();
      return true;
    case PGRES_TUPLES_OK:
    case PGRES_COMMAND_OK:
      if (next.request) next.request->outcome = std::move(result);
      break;
    case PGRES_PIPELINE_ABORTED:
      // A statement before it failed. If this is a preparation, the next request fails, too.
      if (next.what == owed::kind::preparation) prepared_.reset(static_cast<std::size_t>(next.prepared));
      break;
    default:
      transaction_fault_ = fault_of(r);
      if (next.what == owed::kind::preparation) {
        prepared_.set(static_cast<std::size_t>(next.prepared), is_prepared_already(*transaction_fault_));
        if (owed_.size() > 1 && owed_[1].request) owed_[1].request->outcome = *transaction_fault_;
      } else if (next.request) {
        next.request->outcome = *transaction_fault_;
      }
      if (is_read_only(*transaction_fault_) && settings_.where.wants_writes())
        health_.note_demoted(made_after_.load(std::memory_order_relaxed));
  }
  next.has_come = true;
  return true;
}

void link::finish_transaction() {
  sent_at_.pop_front();
  auto const fault = std::exchange(transaction_fault_, std::nullopt);
  for (auto& p : transaction_) {
    --sent_;
    auto const* const own = std::get_if<server_fault>(&p->outcome);
    bool const unprepared = own && is_unprepared(*own);  // its preparation was in a transaction that failed
    bool const not_run = unprepared || (own && is_prepared_already(*own));
    bool const neighbour_failed = fault && !own && !p->exclusive;
    auto const number = static_cast<std::size_t>(p->what());
    // Another request may have prepared the statement since this one was sent.
    if (unprepared && p->preparation == preparations_[number]) prepared_.reset(number);
    if ((not_run || neighbour_failed) && !p->sent_again) {
      p->sent_again = true;
      p->exclusive = true;
      p->outcome = lost{};
      queue_.push_back(std::move(p));
      continue;
    }
    if (fault && !own) p->outcome = *fault;  // the failure of its commit
    finish_one(std::move(p));
  }
  transaction_.clear();
}

void link::answer_finished() {
  if (finished_.empty()) return;
  asio::post(executor_, answers(executor_, std::exchange(finished_, {})));
}

/// One timer for all requests in flight: it is set for the first one, and checks again when it expires.
void link::watch_clock() {
  if (clock_runs_ || sent_at_.empty()) return;
  auto next = due();
  if (!silent_) next = std::min(next, waits_since() + health_.silence_limit());
  clock_.expires_at(next);
  clock_.async_wait([self = shared_from_this()](boost::system::error_code) {
    self->clock_runs_ = false;
    if (!self->sent_at_.empty()) self->do_or_lose([&] { self->look_at_clock(); });
  });
  clock_runs_ = true;
}

void link::look_at_clock() {
  auto const now = std::chrono::steady_clock::now();
  // If data has arrived and was only not read yet, because this process or thread was suspended, the answer is in time.
  if (peek(socket_.native_handle()) == arrival::nothing) {
    auto const did_not = [](std::string const& what, std::chrono::milliseconds within) {
      return "PostgreSQL did not " + what + " within " + std::to_string(within.count()) + " ms";
    };
    if (now - sent_at_.front() >= settings_.whole_answer_timeout())
      return lose(did_not("send its whole answer", settings_.whole_answer_timeout()), true);
    if (now >= due()) return lose(did_not("answer", settings_.statement_timeout), true);
    if (!silent_ && now - waits_since() >= health_.silence_limit()) become_silent(now);
  }
  watch_clock();
}

/// When the connection is lost if nothing more arrives. Of a write that waits for a lock nothing arrives, and the
/// writes behind it get no more time when it fails. An answer that arrives slowly holds up those behind it, too.
std::chrono::steady_clock::time_point link::due() const {
  auto const begun = sent_at_.front();
  return std::min(std::max(begun, arriving_at_) + settings_.statement_timeout,
                  begun + settings_.whole_answer_timeout());
}

/// Since when nothing has arrived although an answer is due.
std::chrono::steady_clock::time_point link::waits_since() const {
  return std::max(heard_at_, sent_at_.front());
}

/// Requests go on waiting, as long as they may. Probes are answered now, since the server is silent; the server's later
/// answer to them is ignored.
void link::become_silent(std::chrono::steady_clock::time_point now) {
  silent_.store(true, std::memory_order_relaxed);
  health_.note_waiting(now);
  auto const give_up = [&](std::unique_ptr<pending>& p) {
    if (!p || text_of(p->what()).what != effect::probe) return;
    p->outcome = lost{.sent = true, .cause = health_.silence()};
    --sent_;
    finish_one(std::move(p));
  };
  for (auto& o : owed_) give_up(o.request);
  for (auto& p : transaction_) give_up(p);
  std::erase(transaction_, nullptr);
  answer_finished();
}

}  // namespace petstore::storage::postgres
