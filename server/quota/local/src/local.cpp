// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/quota/local_quota.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "address_records.hpp"
#include "identities.hpp"
#include "option_range.hpp"
#include "petstore/limits/address_table.hpp"
#include "petstore/limits/keyed_hash.hpp"
#include "petstore/limits/operators_bans.hpp"
#include "petstore/ports/current_bans.hpp"
#include "record.hpp"
#include "wall_clock_watch.hpp"

namespace petstore::quota {
namespace {

using std::chrono::nanoseconds;

/// The maximum number of records of either address table in one write, so that many new addresses do not cause too many
/// disk writes. Identities have no such limit, since what they have used must not be lost.
constexpr std::size_t address_changes_max = 4'096;

/// How far the two clocks may drift apart before saved times are translated again. Below that, the same state is saved
/// as the same bytes, so that unchanged records are not written again.
constexpr nanoseconds translation_slack = std::chrono::milliseconds{2};

/// How often the last write is tried, and the pause between the attempts.
constexpr int last_attempts = 4;
constexpr std::chrono::milliseconds last_attempts_pause{50};

constexpr std::chrono::hours longest_use{48};  ///< a record without anything else is useless after this

bool is_past(limits::saved_account const& saved, limits::instant now) {
  std::int64_t const edge =
      std::chrono::floor<std::chrono::milliseconds>(now.wall.time_since_epoch() - longest_use).count();
  return saved.long_end_unix_ms < edge && saved.short_end_unix_ms < edge && saved.full_at_unix_ms < edge &&
         saved.announced_until_unix_ms < edge && saved.strikes_gone_at_unix_ms < edge &&
         saved.ban_until_unix_ms < edge && saved.bans_begun_unix_ms.back() < edge &&
         saved.bans_begun_unix_ms.front() < edge;
}

class local_source final : public local_quota {
 public:
  local_source(local_options options, std::unique_ptr<quota_records> records)
      : options_(std::move(options)),
        bans_(options_.bans),
        identities_(bans_, options_.clock,
                    records ? identities::forgetting::by_visits : identities::forgetting::by_new_ones,
                    options_.identities_max),
        addresses_(options_.addresses_max, limits::random_seed()),
        keyless_(options_.addresses_max, limits::random_seed()),
        wall_clock_(options_.clock()),
        has_thread_(records),
        records_(std::move(records)) {
    if (!records_) return;
    load();
    writer_ = std::jthread([this](std::stop_token stop) { write_regularly(stop); });
  }
  ~local_source() override { close(); }

  limits::account& account_of(std::uint64_t identity, limits::plan const& plan, std::uint64_t resets) override {
    check(plan);
    return identities_.account_of(identity, plan, resets);
  }
  ports::payer payer_of(std::uint64_t identity, limits::plan const& plan) override {
    check(plan);
    return {.kind = ports::payer::kind::identity, .identity = identity, .address = {}, .plan = plan};
  }

  ports::eventual<limits::verdict> charge(ports::payer const& who, limits::cost tokens, limits::instant now) override {
    return charge_now(who, tokens, now);
  }

  ports::eventual<limits::verdict> refund(ports::payer const& who, limits::verdict const& charged,
                                          limits::instant now) override {
    limits::verdict const v = refund_now(who, charged, now);
    if (v.occasion == limits::occasion::mistaken_refund) mistaken_refunds_.fetch_add(1, std::memory_order_relaxed);
    return v;
  }
  std::uint64_t mistaken_refunds() const noexcept override { return mistaken_refunds_.load(std::memory_order_relaxed); }

  ports::eventual<limits::verdict> charge_inquiry(ports::payer const& who, limits::instant now) override {
    // A caller without a key has no quota to ask for, and is charged for the 401.
    if (who.kind != ports::payer::kind::identity) return charge_now(who, 1, now);
    return with_account(who, now, [&](limits::account& a) { return a.charge_inquiry(who.plan, now); });
  }

  limits::verdict observe(ports::payer const& who, limits::instant now) override {
    if (!has_thread_) follow_wall_clock_at(now);
    auto const look = [&](limits::account& a) { return a.observe(who.plan, now); };
    if (who.kind == ports::payer::kind::identity)
      return who.account ? look(*who.account) : identities_.look_at(who.identity, who.plan, now, look);
    return table_of(who).observe(who.address, who.plan, now);
  }

  void impose_ban(std::uint64_t identity, limits::wall_time until, limits::instant now) override {
    operators_bans_.impose(identities_.account_of(identity), until, now);
  }
  void lift_ban(std::uint64_t identity, limits::wall_time given_at, limits::instant now) override {
    auto const given_at_ms = given_at.time_since_epoch() / std::chrono::milliseconds{1};
    auto const begun_ms = identities_.account_of(identity).save({limits::per_minute(1)}, now).bans_begun_unix_ms;
    bool const began_since = std::ranges::any_of(begun_ms, [&](std::int64_t at) { return at > given_at_ms; });
    if (!began_since) operators_bans_.lift(identities_.account_of(identity));
  }

  void set_bans(limits::ban_policy const& bans) override { bans_.set(bans); }

  bool close() override {
    if (!writer_.joinable()) return !lost_;
    writer_.request_stop();
    writer_.join();
    auto const write_all = [this] { write_changes(std::numeric_limits<std::size_t>::max()); };
    for (int attempt = 1; !succeeds(write_all); ++attempt) {
      lost_ = attempt == last_attempts;
      if (lost_) {
        options_.report("quota_lost", "what was charged since the last write of quotas that succeeded is not kept");
        break;
      }
      std::this_thread::sleep_for(last_attempts_pause);
    }
    records_.reset();
    return !lost_;
  }

 private:
  limits::verdict charge_now(ports::payer const& who, limits::cost tokens, limits::instant now) {
    auto const& bans = bans_of(who);
    if (who.kind == ports::payer::kind::identity)
      return with_account(who, now, [&](limits::account& a) { return a.charge(who.plan, bans, tokens, now); });
    check(who.plan);
    return table_of(who).charge(who.address, who.plan, bans, tokens, now);
  }
  limits::verdict refund_now(ports::payer const& who, limits::verdict const& charged, limits::instant now) {
    if (who.kind != ports::payer::kind::identity) return table_of(who).refund(who.address, charged, who.plan, now);
    if (who.account) return who.account->refund(charged, who.plan, now);
    return identities_.use_charged(who.identity, who.plan, charged.at, [&](limits::account& a) {
      // It may have been forgotten since.
      return a.refund(charged, who.plan, now, limits::charged_account::likely);
    });
  }
  /// Calls `use` with the account of an identity. One that may be forgotten is locked meanwhile.
  template <class Use>
  limits::verdict with_account(ports::payer const& who, limits::instant now, Use use) {
    if (!has_thread_) follow_wall_clock_at(now);
    return who.account ? use(*who.account) : identities_.use(who.identity, who.plan, now, use);
  }
  limits::ban_policy const& bans_of(ports::payer const& who) const {
    return who.never_banned ? limits::no_bans : bans_.get();
  }

  limits::address_table& table_of(ports::payer const& who) {
    return who.kind == ports::payer::kind::keyless ? keyless_ : addresses_;
  }

  void load() {
    limits::instant const now = translatable_now();
    records_->read_all([&](std::string_view key, std::string_view value) {
      auto const parsed = parse_key(key);
      auto const saved = parsed ? decode(value) : std::nullopt;
      if (!saved) {
        options_.report("quota_record_skipped", "a damaged record of " + std::to_string(key.size() + value.size()) +
                                                    " bytes was skipped: that account starts afresh");
        past_.push_back({std::string(key), std::nullopt});
      } else if (is_past(saved->account, now)) {
        past_.push_back({std::string(key), std::nullopt});
      } else if (parsed->kind == record_kind::identity) {
        identities_.restore_later(parsed->identity, *saved);
      } else {
        auto& records = parsed->kind == record_kind::keyless ? keyless_records_ : address_records_;
        records.restore(parsed->address, saved->account, bans_.get(), now);
      }
    });
  }

  void write_regularly(std::stop_token const& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any never_notified;
    auto const clock = &std::chrono::steady_clock::now;
    auto begun = clock();
    while (!stop.stop_requested()) {
      // A pause also when a write takes longer than that.
      auto const next = std::max(begun + options_.write_interval, clock() + nanoseconds{options_.write_interval} / 4);
      never_notified.wait_until(lock, stop, next, [] { return false; });
      if (stop.stop_requested()) break;
      begun = clock();
      succeeds([this] {
        follow_wall_clock();
        write_changes(address_changes_max);
      });
    }
  }

  /// Whether the work ends without an exception: of the records, for lack of memory, or of the host's clock. The first
  /// failure and the end of the failures are reported.
  template <class Work>
  bool succeeds(Work work) noexcept {
    auto const fail = [this](char const* why) {
      if (!std::exchange(failing_, true)) options_.report("quota_write_failed", why);
      return false;
    };
    try {
      work();
    } catch (std::exception const& failure) {
      return fail(failure.what());
    } catch (...) {
      return fail("an exception of a type that is not known");
    }
    if (std::exchange(failing_, false)) options_.report("quota_write_recovered", "quotas are written again");
    return true;
  }

  /// Moves the ends of operators' bans when the wall clock was set: for who charges, where no thread does.
  void follow_wall_clock_at(limits::instant now) {
    auto followed = followed_.load(std::memory_order_relaxed);
    if (!limits::was_set_between(limits::instant::of(now.boot, followed), now)) return;
    if (followed_.compare_exchange_strong(followed, now.wall_minus_boot())) operators_bans_.follow_wall_clock(now);
  }

  /// Data that depends on the wall clock is corrected when the clock is set, also after it was wrong for a while.
  void follow_wall_clock() {
    limits::instant const now = options_.clock();
    operators_bans_.follow_wall_clock(now);
    if (!wall_clock_.is_believed(now)) return;
    identities_.for_each([now](identities::visited const& one) {
      one.owner->account.leave_wrong_period(one.plan, now);
      return false;
    });
  }

  /// Reads everything once and writes the differences from the disk in one transaction. Finding changes by comparison
  /// costs the charging threads nothing, since they need not mark them. Throws if they could not be written.
  void write_changes(std::size_t changes_max_per_table) {
    limits::instant const now = translatable_now();
    forget_past_records(now);
    std::vector<quota_records::change> changes = past_;  // first, since an account of that name may have begun again
    std::vector<std::pair<identities::owner*, limits::saved_account>> saved_owners;
    identities_.for_each([&](identities::visited const& one) {
      identities::owner& owner = *one.owner;
      limits::saved_account saved = owner.account.save(one.plan, now);
      bool const is_useless = !one.is_kept && owner.resets == 0 && identities::counts_nothing(saved, now);
      if (is_useless) saved = {};
      if (saved == owner.written) return is_useless;
      changes.push_back({record_key(owner.identity), std::nullopt});
      if (!is_useless) changes.back().value = encode(saved, owner.resets);
      saved_owners.emplace_back(&owner, saved);
      return false;
    });
    address_records_.collect(changes, changes_max_per_table, now);
    keyless_records_.collect(changes, changes_max_per_table, now);
    if (changes.empty()) return;

    records_->write(changes);
    past_.clear();
    for (auto const& [owner, saved] : saved_owners) owner->written = saved;
    address_records_.confirm();
    keyless_records_.confirm();
  }

  /// Erases the records of identities that were not used since the start.
  void forget_past_records(limits::instant now) {
    identities_.forget_stored([&](std::uint64_t identity, limits::saved_account const& saved) {
      if (!is_past(saved, now)) return false;
      past_.push_back({record_key(identity), std::nullopt});
      return true;
    });
  }

  limits::instant translatable_now() {
    limits::instant const now = options_.clock();
    nanoseconds const offset = now.wall_minus_boot();
    if (std::chrono::abs(offset - wall_minus_boot_) > translation_slack) wall_minus_boot_ = offset;
    return limits::instant::of(now.boot, wall_minus_boot_);
  }

  local_options const options_;
  ports::current_bans bans_;
  identities identities_;
  limits::operators_bans operators_bans_;
  limits::address_table addresses_;
  limits::address_table keyless_;
  wall_clock_watch wall_clock_;  // for the background thread
  bool const has_thread_;
  std::atomic<nanoseconds> followed_{options_.clock().wall_minus_boot()};  ///< without a thread

  // Written by the thread that writes: the constructor, then the background thread, then `close`.
  address_records address_records_{addresses_, record_kind::address};
  address_records keyless_records_{keyless_, record_kind::keyless};
  std::unique_ptr<quota_records> records_;   // null without, and after `close`
  std::vector<quota_records::change> past_;  // useless records, to be erased with the next write
  nanoseconds wall_minus_boot_{0};
  bool failing_ = false;
  bool lost_ = false;  // whether the last write failed
  std::atomic<std::uint64_t> mistaken_refunds_{0};

  std::jthread writer_;
};

}  // namespace

std::unique_ptr<local_quota> make_local_quota(local_options options, std::unique_ptr<quota_records> records) {
  if (options.directory) throw std::invalid_argument("a directory of quotas is opened by open_local_quota");
  checked(options);
  if (!options.clock) options.clock = limits::now;
  options.report = ports::without_exceptions(std::move(options.report));
  return std::make_unique<local_source>(std::move(options), std::move(records));
}

std::unordered_map<std::uint64_t, kept_quota> read_kept_quotas(quota_records& records) {
  std::unordered_map<std::uint64_t, kept_quota> kept;
  records.read_all([&](std::string_view key, std::string_view value) {
    auto const whose = parse_key(key);
    auto const quota = decode(value);
    if (whose && whose->kind == record_kind::identity && quota) kept.emplace(whose->identity, *quota);
  });
  return kept;
}

}  // namespace petstore::quota
