// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <future>
#include <latch>
#include <optional>
#include <thread>

#include "storage/lmdb/disk.hpp"
#include "storage/lmdb/open_store.hpp"
#include "support/resource_limit.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::tests {
namespace {

namespace asio = boost::asio;

/// A store whose writes can be started without waiting for them, and whose disk can be made to fail.
struct busy_store {
  busy_store() : store(open_store(options())) {}
  ~busy_store() {
    disk::heal();
    work.reset();
    thread.join();
  }

  storage::lmdb_options options() {
    auto o = options_for(directory.path());
    o.write_queue_max = 8;
    o.map_bytes_max = std::size_t{512} << 10;
    o.report = [this](std::string_view event, std::string_view) {
      std::lock_guard const lock(mutex);
      reports.emplace_back(event);
      if (report_throws) throw std::runtime_error("the host's");
    };
    return o;
  }

  template <class T>
  std::future<T> start(asio::awaitable<T> operation) {
    return asio::co_spawn(context, std::move(operation), asio::use_future);
  }
  std::future<result<ports::stored>> start_pet(std::optional<ports::idempotency> repeat = {}) {
    new_pet rex{.name = "Rex", .category_id = 1, .status = pet_status::available};
    return start(store.asynchronous().create_pet(std::move(rex), false, std::move(repeat), noon));
  }
  std::future<result<ports::stored>> start_order(std::int64_t pet) {
    return start(store.asynchronous().create_order({.pet_id = pet}, std::nullopt, noon));
  }

  /// Lets the executor's thread do what was started before this.
  void settle() {
    std::promise<void> done;
    asio::post(context, [&] { done.set_value(); });
    done.get_future().wait();
  }

  std::vector<std::string> reported() {
    std::lock_guard const lock(mutex);
    return reports;
  }

  temporary_directory directory;
  std::mutex mutex;
  std::vector<std::string> reports;
  std::atomic<bool> report_throws{false};
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  std::thread thread{[this] { context.run(); }};
  tests::test_store store;
};

/// Keeps the writer in its sync, with one animal on the way, so that what is started meanwhile queues up behind it.
class held_writer {
 public:
  explicit held_writer(busy_store& s) {
    disk::on_sync([this] {
      ++syncs;
      if (held_.exchange(true)) return 0;
      reached_.count_down();
      release_.wait();
      return 0;
    });
    first = s.start_pet();
    reached_.wait();
  }
  void release() { release_.count_down(); }

  std::future<result<ports::stored>> first;
  std::atomic<int> syncs{0};

 private:
  std::atomic<bool> held_{false};
  std::latch reached_{1};
  std::latch release_{1};
};

ports::idempotency const once{.identity = 1, .key = "a", .body_digest = {}};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(lmdb_writer, busy_store)

BOOST_AUTO_TEST_CASE(writes_that_queue_up_share_one_sync) {
  held_writer held(*this);
  std::vector<std::future<result<ports::stored>>> others;
  for (int i = 0; i < 8; ++i) others.push_back(start_pet());
  settle();
  held.release();
  BOOST_TEST(held.first.get()->id == 1);
  std::int64_t id = 2;
  for (auto& o : others) BOOST_TEST(o.get()->id == id++);
  BOOST_TEST(held.syncs == 2);
}

BOOST_AUTO_TEST_CASE(refused_write_changes_nothing_while_its_companions_commit) {
  held_writer held(*this);
  auto before = start_pet();
  auto refused = start_order(99);
  auto after = start_pet();
  settle();
  held.release();
  BOOST_TEST(before.get()->id == 2);
  PETSTORE_REFUSED(refused.get(), not_found);
  BOOST_TEST(after.get()->id == 3);
  BOOST_TEST(held.syncs == 2);
  BOOST_TEST(store.walk(order_list{}).empty());
}

BOOST_AUTO_TEST_CASE(second_of_two_orders_in_one_transaction_sees_the_first) {
  held_writer held(*this);
  auto winner = start_order(1);
  auto loser = start_order(1);
  settle();
  held.release();
  BOOST_TEST(!fault_of(winner.get()));
  PETSTORE_REFUSED(loser.get(), conflict);
}

BOOST_AUTO_TEST_CASE(second_of_two_equal_requests_in_one_transaction_sees_the_first) {
  held_writer held(*this);
  auto first = start_pet(once);
  auto second = start_pet(once);
  settle();
  held.release();
  auto const done = first.get();
  auto const again = second.get();
  BOOST_TEST(!done->replayed);
  BOOST_TEST(again->replayed);
  BOOST_TEST(again->id == done->id);
}

BOOST_AUTO_TEST_CASE(write_beyond_the_queue_is_unavailable) {
  held_writer held(*this);
  std::vector<std::future<result<ports::stored>>> queued;
  for (int i = 0; i < 8; ++i) queued.push_back(start_pet());
  PETSTORE_REFUSED(start_pet().get(), unavailable);
  held.release();
  for (auto& q : queued) BOOST_TEST(!fault_of(q.get()));
  BOOST_TEST(!fault_of(start_pet().get()));
}

BOOST_AUTO_TEST_CASE(reads_do_not_wait_for_the_writer) {
  held_writer held(*this);
  std::string json;
  PETSTORE_REFUSED(store.read_pet(1, json), not_found);  // not on disk, so not to be seen
  BOOST_TEST(!fault_of(store.ready()));
  held.release();
  held.first.wait();
  BOOST_TEST(!fault_of(store.read_pet(1, json)));
}

BOOST_AUTO_TEST_CASE(store_that_is_closed_does_what_has_queued_up) {
  std::future<result<ports::stored>> queued;
  {
    temporary_directory elsewhere;
    auto closing = open_store(elsewhere.path());
    new_pet rex{.name = "Rex", .category_id = 1, .status = {}};
    queued = start(closing.asynchronous().create_pet(std::move(rex), false, std::nullopt, noon));
    settle();
  }
  BOOST_TEST(queued.get()->id == 1);
}

BOOST_AUTO_TEST_CASE(full_disk_refuses_writes_until_there_is_room) {
  store.add_pet(std::nullopt);
  disk::on_write([] { return ENOSPC; });
  for (int i = 0; i < 3; ++i) PETSTORE_REFUSED(start_pet().get(), unavailable);
  std::string json;
  BOOST_TEST(!fault_of(store.read_pet(1, json)));
  auto const not_ready = store.ready();
  PETSTORE_REFUSED(not_ready, unavailable);
  BOOST_TEST(not_ready.error().cause.find("No space left on device") != std::string::npos);

  disk::heal();
  BOOST_TEST(start_pet().get()->id == 2);
  BOOST_TEST(!fault_of(store.ready()));
  std::vector<std::string> const expected{"store_full", "store_recovered"};
  BOOST_TEST(reported() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(store_that_nobody_writes_to_finds_out_by_itself_that_there_is_room_again) {
  disk::on_write([] { return ENOSPC; });
  PETSTORE_REFUSED(start_pet().get(), unavailable);
  PETSTORE_REFUSED(store.ready(), unavailable);
  disk::heal();
  BOOST_TEST(!fault_of(store.ready()));
  std::vector<std::string> const expected{"store_full", "store_recovered"};
  BOOST_TEST(reported() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(file_that_may_not_grow_is_a_lack_of_space_although_lmdb_writes_a_part) {
  auto const before = std::signal(SIGXFSZ, SIG_IGN);
  auto const written = std::filesystem::file_size(directory / "data.mdb");
  std::optional<error> fault;
  {
    resource_limit const limit(RLIMIT_FSIZE, written + 2 * 1024);  // half a page
    for (int i = 0; i < 1'000 && !fault; ++i)
      if (auto const made = start_pet().get(); !made) fault = made.error();
  }
  BOOST_REQUIRE(fault.has_value());
  BOOST_TEST((fault->code == errc::unavailable), fault->cause);
  BOOST_TEST(!fault_of(start_pet().get()));
  std::vector<std::string> const expected{"store_full", "store_recovered"};
  BOOST_TEST(reported() == expected, boost::test_tools::per_element());
  std::signal(SIGXFSZ, before);
}

BOOST_AUTO_TEST_CASE(quota_that_is_used_up_is_a_lack_of_space_although_lmdb_writes_a_part) {
  disk::on_write([] { return -1; });
  disk::on_allocation([] { return EDQUOT; });
  PETSTORE_REFUSED(start_pet().get(), unavailable);
  PETSTORE_REFUSED(store.ready(), unavailable);
  disk::on_write({});  // little is free again, and a small write fits
  BOOST_TEST(start_pet().get()->id == 1);
  BOOST_TEST(reported() == std::vector<std::string>{"store_full"}, boost::test_tools::per_element());
  disk::heal();
  BOOST_TEST(!fault_of(store.ready()));
  std::vector<std::string> const expected{"store_full", "store_recovered"};
  BOOST_TEST(reported() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(report_that_throws_ends_neither_the_writer_nor_the_process) {
  report_throws = true;
  disk::on_write([] { return ENOSPC; });
  PETSTORE_REFUSED(start_pet().get(), unavailable);
  disk::heal();
  BOOST_TEST(start_pet().get()->id == 1);
  std::vector<std::string> const expected{"store_full", "store_recovered"};
  BOOST_TEST(reported() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(write_that_changes_nothing_does_not_say_that_there_is_room_again) {
  disk::on_write([] { return ENOSPC; });
  for (int i = 0; i < 3; ++i) {
    PETSTORE_REFUSED(start_pet().get(), unavailable);
    PETSTORE_REFUSED(start_order(99).get(), not_found);
  }
  BOOST_TEST(reported() == std::vector<std::string>{"store_full"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(full_map_refuses_what_needs_room_and_lets_the_rest_pass) {
  std::string long_name;
  for (int i = 0; i < 255; ++i) long_name += "\xF0\x9F\x90\x95";
  new_pet const rex{.name = long_name, .category_id = 1, .status = {}};
  std::int64_t last = 0;
  auto added = store.create_pet(rex);
  for (; added; added = store.create_pet(rex)) last = added->id;
  PETSTORE_REFUSED(added, unavailable);
  BOOST_TEST(added.error().cause.find("MDB_MAP_FULL") != std::string::npos);
  BOOST_TEST(last > 20);
  pet_list const all{.status = {}, .category_id = {}, .after = 0, .limit = 100};
  BOOST_TEST(store.walk(all).size() == static_cast<std::size_t>(last));
  PETSTORE_REFUSED(store.ready(), unavailable);

  std::int64_t deleted = 0;
  for (std::int64_t id = 1; id <= last / 2; ++id)
    if (store.delete_pet(id)) ++deleted;
  BOOST_TEST(deleted == last / 2);
  BOOST_TEST(!fault_of(store.ready()));
  BOOST_TEST(store.create_pet(rex)->id == last + 1);
  std::vector<std::string> const expected{"store_full", "store_recovered"};
  BOOST_TEST(reported() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(use_of_the_map_is_told_and_what_is_deleted_is_not_in_use) {
  auto const before = store.asynchronous().space().value();
  BOOST_TEST(before.max_bytes == std::size_t{512} << 10);
  BOOST_TEST(before.used_bytes > 0u);
  std::vector<std::int64_t> made;
  for (int i = 0; i < 200; ++i) made.push_back(start_pet().get()->id);
  auto const full = store.asynchronous().space().value();
  BOOST_TEST(full.used_bytes > before.used_bytes);
  BOOST_TEST(full.used_bytes <= full.max_bytes);
  for (auto const id : made) BOOST_TEST(bool{start(store.asynchronous().delete_pet(id, {})).get()});
  // Two transactions more, since what one has freed is nobody's until the next but one.
  for (int i = 0; i < 2; ++i) start_pet().get().value();
  BOOST_TEST(store.asynchronous().space()->used_bytes < full.used_bytes);
}

BOOST_AUTO_TEST_CASE(map_that_many_small_writes_filled_can_be_emptied_again) {
  new_pet const rex{.name = "Rex", .category_id = 1, .status = pet_status::available};
  std::int64_t last = 0;
  for (auto added = store.create_pet(rex); added; added = store.create_pet(rex)) last = added->id;
  PETSTORE_REFUSED(store.update_pet(1, {.name = "Max", .category_id = {}, .status = {}}), unavailable);
  for (std::int64_t id = last; id >= 1; --id) BOOST_REQUIRE(store.delete_pet(id));
  BOOST_TEST(!fault_of(store.ready()));
  for (std::int64_t i = 1; i <= last / 2; ++i) BOOST_REQUIRE(store.create_pet(rex));
}

BOOST_AUTO_TEST_CASE(answers_that_have_expired_make_room_in_a_full_map) {
  std::string long_name(255, 'x');
  new_pet const rex{.name = long_name, .category_id = 1, .status = {}};
  std::optional<std::int64_t> last;
  for (int i = 0;; ++i) {
    ports::idempotency const request{.identity = 1, .key = std::to_string(i), .body_digest = {}};
    // On a day that is long past, so that the answers have expired by the clock that the store looks at.
    auto const added = store.create_pet(rex, request, unix_ms{std::chrono::hours{24}});
    if (!added) break;
    last = added->id;
  }
  BOOST_REQUIRE(last);
  for (int looks = 0; looks < 100 && fault_of(store.ready()); ++looks) {
  }
  BOOST_TEST(!fault_of(store.ready()));
  BOOST_TEST(store.create_pet(rex)->id == *last + 1);
}

BOOST_AUTO_TEST_CASE(failed_sync_leaves_the_outcome_open_and_ends_all_writing) {
  store.add_pet(std::nullopt);
  disk::on_sync([] { return EIO; });
  auto const lost = start_pet().get();
  PETSTORE_REFUSED(lost, internal);
  BOOST_TEST(lost.error().cause.find("the outcome is unknown") != std::string::npos);
  disk::heal();

  PETSTORE_REFUSED(start_pet().get(), unavailable);
  PETSTORE_REFUSED(store.delete_pet(1), unavailable);
  PETSTORE_REFUSED(store.ready(), unavailable);
  std::string json;
  BOOST_TEST(!fault_of(store.read_pet(1, json)));
  BOOST_TEST(reported() == std::vector<std::string>{"store_failed"}, boost::test_tools::per_element());
}

/// The page that says which state is the valid one is written last, by itself, through a descriptor that syncs.
BOOST_AUTO_TEST_CASE(failed_write_of_the_head_ends_all_writing_and_reads_show_what_was_certain) {
  store.add_pet(std::nullopt);
  std::atomic<bool> pages_are_synced{false};
  disk::on_sync([&] {
    pages_are_synced = true;
    return 0;
  });
  disk::on_write([&] { return pages_are_synced ? EIO : 0; });
  auto const lost = start_pet().get();
  PETSTORE_REFUSED(lost, internal);
  BOOST_TEST(lost.error().cause.find("the outcome is unknown") != std::string::npos);
  disk::heal();

  PETSTORE_REFUSED(start_pet().get(), unavailable);
  PETSTORE_REFUSED(store.ready(), unavailable);
  std::vector<std::int64_t> const certain{1};
  BOOST_TEST(store.walk(pet_list{}) == certain, boost::test_tools::per_element());
  std::vector<std::int64_t> read_on_another_thread;
  std::thread{[&] { read_on_another_thread = store.walk(pet_list{}); }}.join();
  BOOST_TEST(read_on_another_thread == certain, boost::test_tools::per_element());
  BOOST_TEST(reported() == std::vector<std::string>{"store_failed"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(half_a_write_on_a_disk_with_room_is_a_failure_of_the_disk) {
  store.add_pet(std::nullopt);
  disk::on_write([] { return -1; });
  PETSTORE_REFUSED(start_pet().get(), internal);
  disk::heal();
  PETSTORE_REFUSED(store.ready(), unavailable);
}

BOOST_AUTO_TEST_CASE(many_threads_read_and_write_at_once) {
  std::vector<std::thread> threads;
  std::atomic<int> placed{0};
  for (int i = 0; i < 4; ++i) store.add_pet(pet_status::available);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (std::int64_t round = 0; round < 25; ++round) {
        auto const pet = round % 4 + 1;
        if (auto const order = store.create_order(pet)) {
          ++placed;
          store.update_order(order->id, order_status::cancelled).value();
        }
        std::string json;
        pet_list const pending{.status = pet_status::pending, .category_id = 1};
        store.list(pending, json).value();
      }
    });
  for (auto& t : threads) t.join();
  BOOST_TEST(placed > 0);
  order_list const cancelled{.status = order_status::cancelled, .pet_id = {}};
  BOOST_TEST(store.walk(cancelled).size() == static_cast<std::size_t>(placed));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
