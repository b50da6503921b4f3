// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// How fast is LMDB itself with the commits of the service? Puts animals into a new file in batches of one size, without
// network, JSON and other threads. It also prints how many transactions a store has had, which shows how many writes
// shared one.
#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>

#include "bare_store.hpp"

namespace petstore::bench {
namespace {

using clock = std::chrono::steady_clock;

void run(char const* directory, std::size_t batch, double seconds) {
  bare_writer store(directory);
  std::uint64_t commits = 0;
  auto const begin = clock::now();
  std::chrono::duration<double> passed{};
  for (; passed.count() < seconds; passed = clock::now() - begin, ++commits) store.commit(batch);
  auto const writes = static_cast<double>(commits * batch);
  std::cout << "{\"commits\": " << commits << ", \"seconds\": " << passed.count()
            << ", \"writes_per_second\": " << writes / passed.count() << "}\n";
}

void print_last_transaction(char const* directory) {
  bare_environment const file(directory, MDB_RDONLY);
  MDB_envinfo info;
  check(mdb_env_info(file.handle(), &info));
  std::cout << info.me_last_txnid << '\n';
}

}  // namespace
}  // namespace petstore::bench

int main(int argc, char** argv) {
  using namespace petstore::bench;
  try {
    if (argc == 5 && argv[1] == std::string_view{"run"}) {
      run(argv[2], std::stoul(argv[3]), std::stod(argv[4]));
    } else if (argc == 3 && argv[1] == std::string_view{"last-transaction"}) {
      print_last_transaction(argv[2]);
    } else {
      std::cerr << "usage: bare_commits run DIRECTORY WRITES_PER_COMMIT SECONDS\n"
                   "       bare_commits last-transaction DIRECTORY\n";
      return 2;
    }
  } catch (std::exception const& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
