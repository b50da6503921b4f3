// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Does the write of all quotas to the disk make a request wait? Each of a million identities has used its quota since
// the last write. One thread charges them at random and times each charge, while the background thread writes them. The
// baseline is the same source without records, which never writes.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "figures/histogram.hpp"
#include "petstore/quota/local.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::bench {
namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr limits::plan large{limits::per_minute(limits::short_tokens_max), limits::per_day(limits::long_tokens_max)};
constexpr auto wait_max = 1ms;

struct settings {
  std::uint64_t identities = 1'000'000;
  double seconds = 10;
  unsigned rounds = 3;
};

/// Whose quota is charged, and so how its account is found.
enum class owner {
  key,       ///< the account keeps its address, and is charged without a lock
  customer,  ///< `payer_of`: it is found for each charge, under the mutex of one of 16 parts
};

/// Everybody who is charged.
std::vector<ports::payer> make_payers(ports::quota_source& quotas, owner whose, std::uint64_t identities) {
  std::vector<ports::payer> payers;
  payers.reserve(identities);
  for (std::uint64_t n = 1; n <= identities; ++n) {
    auto payer = quotas.payer_of(n, large);
    if (whose == owner::key) payer.account = &quotas.account_of(n, large, 0);
    payers.push_back(payer);
  }
  return payers;
}

void charge(ports::quota_source& quotas, ports::payer const& who) {
  if (!quotas.charge(who, limits::now()).take().admitted()) throw std::logic_error("a charge was refused");
}

struct waits {
  load::coarse_histogram of_charges;
  std::uint64_t too_long = 0;
};

waits measure(ports::quota_source& quotas, owner whose, settings const& wanted) {
  auto const payers = make_payers(quotas, whose, wanted.identities);
  for (auto const& one : payers) charge(quotas, one);
  std::mt19937_64 random(17);
  std::uniform_int_distribution<std::size_t> any(0, payers.size() - 1);
  waits found;
  auto const end =
      clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(wanted.seconds));
  for (auto now = clock::now(); now < end;) {
    auto const& who = payers[any(random)];
    auto const begin = clock::now();
    charge(quotas, who);
    now = clock::now();
    found.of_charges.record(now - begin);
    found.too_long += now - begin > wait_max ? 1u : 0u;
  }
  return found;
}

waits measure_with_records(owner whose, settings const& wanted) {
  tests::temporary_directory const directory;
  auto const records = directory / "quota";
  waits found;
  {
    auto const quotas = quota::open_local_quota({.directory = records});
    found = measure(*quotas, whose, wanted);
    if (!quotas->close()) throw std::runtime_error("the quotas could not be written");
  }
  if (quota::read_kept_quotas(records).size() != wanted.identities)
    throw std::runtime_error("not all quotas were written");
  return found;
}

void print_row(char const* whose, char const* writes, std::vector<waits> const& rounds) {
  auto const median_us = [&](auto figure) {
    std::vector<std::chrono::nanoseconds> of;
    for (auto const& round : rounds) of.push_back(figure(round));
    auto const middle = of.begin() + std::ssize(of) / 2;
    std::nth_element(of.begin(), middle, of.end());
    return std::chrono::duration<double, std::micro>(*middle).count();
  };
  std::uint64_t charges = 0, too_long = 0;
  for (auto const& round : rounds) charges += round.of_charges.count(), too_long += round.too_long;
  std::cout << "| " << whose << " | " << writes << " | " << charges << " | " << std::fixed << std::setprecision(2)
            << median_us([](waits const& w) { return w.of_charges.quantile(0.5); }) << " | "
            << median_us([](waits const& w) { return w.of_charges.quantile(0.999); }) << " | "
            << median_us([](waits const& w) { return w.of_charges.quantile(0.99999); }) << " | "
            << median_us([](waits const& w) { return w.of_charges.max(); }) << " | " << too_long << " |\n";
}

void compare(settings const& wanted) {
  std::cout << "| charged | writes | charges | p50 µs | p99.9 µs | p99.999 µs | longest µs | over 1 ms |\n"
               "|---|---|--:|--:|--:|--:|--:|--:|\n";
  for (auto const whose : {owner::key, owner::customer}) {
    std::vector<waits> without, with;
    for (unsigned round = 0; round < wanted.rounds; ++round) {
      without.push_back(measure(*quota::open_local_quota({}), whose, wanted));
      with.push_back(measure_with_records(whose, wanted));
    }
    auto const* const name = whose == owner::key ? "keys" : "customers";
    print_row(name, "none", without);
    print_row(name, "all of them", with);
  }
}

}  // namespace
}  // namespace petstore::bench

int main(int argc, char** argv) {
  using namespace petstore::bench;

  settings wanted;
  CLI::App app("Times charges while the quotas of all identities are written, and while nothing is.");
  app.add_option("--identities", wanted.identities)->check(CLI::Range(1, 4'000'000))->capture_default_str();
  app.add_option("--seconds", wanted.seconds, "of a round")->check(CLI::Range(0.001, 600.))->capture_default_str();
  app.add_option("--rounds", wanted.rounds)->check(CLI::Range(1, 100))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    compare(wanted);
    return 0;
  } catch (std::exception const& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
