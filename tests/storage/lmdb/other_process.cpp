// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A process beside a test: `serve DIR` writes without end and prints the id of every animal once it is answered. The
// others open the store as a tool does: `tool DIR` makes a key, `fill DIR` adds animals until there is no room,
// `rename DIR` renames the first animal many times, `read DIR` begins an export, prints a line and waits to be killed,
// `rest DIR` does so between two reads, and `occupy DIR ID` locks what LMDB locks for a reader with that process id.
// `check DIR` and `backup DIR OUTPUT` are those commands, which work beside a server.
#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <string>
#include <string_view>

#include "petstore/storage/lmdb.hpp"
#include "petstore/storage/lmdb_maintenance.hpp"

namespace {

namespace asio = boost::asio;
using namespace petstore;

constexpr unix_ms some_time{std::chrono::milliseconds{1'790'000'000'000}};

asio::awaitable<void> write_without_end(ports::store& store) {
  for (;;) {
    new_pet rex{.name = "Rex", .category_id = 1, .status = pet_status::available};
    auto const created = co_await store.create_pet(std::move(rex), false, std::nullopt, some_time);
    auto const line = std::to_string(created.value().id) + "\n";
    if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) co_return;
  }
}

asio::awaitable<void> make_key(ports::store& store) {
  create_key key;
  key.prefix = "ps_live_";
  key.plan = "free";
  auto const change = co_await store.change_keys(std::move(key), some_time, "tool");
  change.value();
}

asio::awaitable<void> fill(ports::store& store) {
  std::string long_name;
  for (int i = 0; i < 255; ++i) long_name += "\xF0\x9F\x90\x95";
  for (int i = 0; i < 1000; ++i) {
    new_pet rex{.name = long_name, .category_id = 1, .status = {}};
    auto const created = co_await store.create_pet(std::move(rex), false, std::nullopt, some_time);
    if (!created) co_return;
  }
}

asio::awaitable<void> rename(ports::store& store) {
  for (int i = 0; i < 50; ++i) {
    pet_patch patch{.name = "Rex " + std::to_string(i), .category_id = {}, .status = {}};
    auto const renamed = co_await store.update_pet(1, std::move(patch), false, {});
    renamed.value();
  }
}

class waiting_sink final : public ports::export_sink {
 public:
  void begin(ports::export_summary const&) override {
    if (::write(STDOUT_FILENO, "reading\n", 8) == 8) ::pause();
  }
  bool take(record_kind, std::string_view) override { return false; }
};

asio::awaitable<void> begin_to_read(ports::store& store) {
  waiting_sink sink;
  auto const exported = co_await store.export_records(sink);
  exported.value();
}

asio::awaitable<void> read_and_rest(ports::store& store) {
  auto const version = co_await store.keys_version();
  version.value();
  if (::write(STDOUT_FILENO, "resting\n", 8) == 8) ::pause();
}

/// As a process in another container does whose id is the same.
int occupy(std::string const& directory, std::string const& id) {
  int const file = ::open((directory + "/lock.mdb").c_str(), O_RDWR | O_CLOEXEC);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = std::stol(id);
  lock.l_len = 1;
  if (::fcntl(file, F_SETLK, &lock) != 0) return 1;
  if (::write(STDOUT_FILENO, "occupied\n", 9) == 9) ::pause();
  return 0;
}

asio::awaitable<void> run_tool(std::string_view what, ports::store& store) {
  if (what == "tool") return make_key(store);
  if (what == "fill") return fill(store);
  if (what == "rename") return rename(store);
  if (what == "rest") return read_and_rest(store);
  return begin_to_read(store);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  std::string_view const what = arguments[1];
  if (what == "check") return storage::check_lmdb_store(arguments[2], [](std::string const&) {}).faults == 0 ? 0 : 1;
  if (what == "backup") {
    storage::back_up_lmdb_store(arguments[2], arguments[3]);
    return 0;
  }
  if (what == "occupy") return occupy(arguments[2], arguments[3]);
  bool const serve = what == "serve";
  auto const store =
      storage::open_lmdb_store({.directory = arguments[2],
                                .environment = serve ? std::optional{environment::production} : std::nullopt,
                                .serve = serve,
                                .map_bytes_max = std::size_t{64} << 20,
                                .write_queue_max = 64,
                                .report = {}});
  asio::io_context context{1};
  if (serve) {
    for (int i = 0; i < 4; ++i) asio::co_spawn(context, write_without_end(*store), asio::detached);
  } else {
    asio::co_spawn(context, run_tool(what, *store), [](std::exception_ptr failure) {
      if (failure) std::rethrow_exception(failure);
    });
  }
  context.run();
}
