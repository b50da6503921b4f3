// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// How many pages of 20 animals does the PostgreSQL store read a second, and how much processor time does the client
// need? The baseline is pgbench with the same prepared statement, the same number of connections and the same number of
// statements under way. Both use one server, which this program starts; in every second round pgbench is the first.
// Prints medians and their ratios.
//
//     store_postgres_bench [ROUNDS [SECONDS]]
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "petstore/storage/postgres.hpp"
#include "support/postgres_server.hpp"

namespace {

namespace asio = boost::asio;
using namespace petstore;
using std::chrono::duration;
using std::chrono::steady_clock;

constexpr std::int64_t animals = 10'000;
constexpr std::uint32_t page_size = 20;

struct measured {
  double pages_per_second = 0;
  double pages_per_cpu_second = 0;
};

double cpu_seconds(rusage const& u) {
  auto const seconds = [](timeval const& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(u.ru_utime) + seconds(u.ru_stime);
}

double cpu_seconds_of_this_thread() {
  rusage u{};
  ::getrusage(RUSAGE_THREAD, &u);
  return cpu_seconds(u);
}

asio::awaitable<void> read_pages(ports::store& store, unsigned seed, steady_clock::time_point end, long& pages) {
  std::minstd_rand random(seed);
  std::string json;
  while (steady_clock::now() < end) {
    json.clear();
    list_query const query{.after = static_cast<std::int64_t>(random() % (animals - page_size)), .limit = page_size};
    auto reading = store.list(query, json).wait();
    auto const page = co_await std::move(reading);
    if (!page || page->count != page_size) throw std::runtime_error("a page is missing");
    ++pages;
  }
}

measured measure_store(std::string const& uri, int at_once, double seconds) {
  asio::io_context context{1};
  storage::postgres_options options;
  options.uri = uri;
  options.executors = {context.get_executor()};
  options.connections_per_thread = 1;
  auto store = storage::open_postgres_store(options);
  // Until the thread has its own connection, its requests use another one.
  auto const settled = steady_clock::now() + std::chrono::milliseconds{300};
  while (steady_clock::now() < settled) context.run_one_for(std::chrono::milliseconds{50});

  auto const rethrow = [](std::exception_ptr thrown) {
    if (thrown) std::rethrow_exception(thrown);
  };
  long pages = 0;
  int running = at_once;
  auto const begin = steady_clock::now();
  double const cpu_before = cpu_seconds_of_this_thread();
  auto const end = begin + std::chrono::duration_cast<steady_clock::duration>(duration<double>(seconds));
  for (int i = 0; i < at_once; ++i)
    asio::co_spawn(context, read_pages(*store, static_cast<unsigned>(i) + 1, end, pages),
                   [&](std::exception_ptr thrown) {
                     --running;
                     rethrow(thrown);
                   });
  while (running > 0) context.run_one();
  duration<double> const took = steady_clock::now() - begin;
  double const cpu = cpu_seconds_of_this_thread() - cpu_before;
  store->leave_executors();
  context.run();
  return {static_cast<double>(pages) / took.count(), static_cast<double>(pages) / cpu};
}

/// pgbench's script: a pipeline with as many statements as are to be under way at once. The statement is the one that
/// the store sends (list_sql in record_statements.cpp), and has as many parameters.
void write_script(std::filesystem::path const& file, int at_once) {
  std::ofstream out(file);
  for (int i = 0; i < at_once; ++i) out << "\\set after" << i << " random(0, " << animals - page_size - 1 << ")\n";
  out << "\\set rows " << page_size + 1 << "\n";
  if (at_once > 1) out << "\\startpipeline\n";
  for (int i = 0; i < at_once; ++i)
    out << "SELECT id, json FROM pets WHERE (id) > (:after" << i << "::bigint) AND (id) <= (9223372036854775807)"
        << " ORDER BY id LIMIT :rows::bigint;\n";
  if (at_once > 1) out << "\\endpipeline\n";
}

measured measure_pgbench(std::string const& uri, int at_once, double seconds) {
  auto const script = std::filesystem::temp_directory_path() / ("petstore-pages-" + std::to_string(::getpid()));
  write_script(script, at_once);
  auto const length = std::to_string(static_cast<int>(seconds));
  auto const file = script.string();
  int out[2];
  if (::pipe(out) != 0) throw std::runtime_error("no pipe");
  pid_t const child = ::fork();
  if (child == 0) {
    ::dup2(out[1], STDOUT_FILENO);
    ::close(out[0]);
    auto const program = tests::postgres_server::program("pgbench");
    ::execl(program.c_str(), "pgbench", "--no-vacuum", "--protocol=prepared", "--client=1", "--jobs=1", "--time",
            length.c_str(), "--file", file.c_str(), uri.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(out[1]);
  std::string text;
  char piece[4096];
  for (ssize_t n; (n = ::read(out[0], piece, sizeof piece)) > 0;) text.append(piece, static_cast<std::size_t>(n));
  ::close(out[0]);
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  std::filesystem::remove(script);
  auto const at = text.find("tps = ");
  if (status != 0 || at == text.npos) throw std::runtime_error("pgbench failed: " + text);
  double const pages_per_second = std::stod(text.substr(at + 6)) * at_once;
  return {pages_per_second, pages_per_second * std::stod(length) / cpu_seconds(used)};
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void compare(std::string const& uri, int at_once, int rounds, double seconds) {
  std::vector<double> ours, ours_cpu, theirs, theirs_cpu, ratio, ratio_cpu;
  for (int i = 0; i < rounds; ++i) {
    bool const store_is_first = i % 2 == 0;
    measured s;
    if (store_is_first) s = measure_store(uri, at_once, seconds);
    auto const p = measure_pgbench(uri, at_once, seconds);
    if (!store_is_first) s = measure_store(uri, at_once, seconds);
    ours.push_back(s.pages_per_second);
    ours_cpu.push_back(s.pages_per_cpu_second);
    theirs.push_back(p.pages_per_second);
    theirs_cpu.push_back(p.pages_per_cpu_second);
    ratio.push_back(s.pages_per_second / p.pages_per_second);
    ratio_cpu.push_back(s.pages_per_cpu_second / p.pages_per_cpu_second);
  }
  std::printf("| %2d | %8.0f | %8.0f | %.2f | %8.0f | %8.0f | %.2f |\n", at_once, median(ours), median(theirs),
              median(ratio), median(ours_cpu), median(theirs_cpu), median(ratio_cpu));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
  int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  double const seconds = argc > 2 ? std::atoi(argv[2]) : 2;
  if (rounds < 1 || seconds < 1) {
    std::cerr << "Usage: store_postgres_bench [ROUNDS [SECONDS]], whole numbers from 1\n";
    return 2;
  }
  auto& server = tests::postgres_server::shared();
  auto const uri = server.create_database();
  storage::postgres_options options;
  options.uri = uri;
  options.environment = environment::production;
  (void)storage::open_postgres_store(options);
  tests::postgres_server::run(uri,
                              "INSERT INTO pets (id, revision, category_id, status, json) SELECT i, 1, i % 10, 1,"
                              " '{\"id\":' || i || ',\"name\":\"An animal with a name\",\"categoryId\":' || i % 10 || "
                              "',\"status\":\"available\"}'"
                              " FROM generate_series(1, " +
                                  std::to_string(animals) + ") AS i");
  tests::postgres_server::run(uri, "VACUUM ANALYZE");
  std::puts(
      "| at once | pages/s | pgbench | ratio | pages/s of CPU | pgbench | ratio |\n|--:|--:|--:|--:|--:|--:|--:|");
  for (int const at_once : {1, 16, 64}) compare(uri, at_once, rounds, seconds);
} catch (std::exception const& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
