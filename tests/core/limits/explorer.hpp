// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "limits/account_protocol.hpp"

/// Every order in which threads can interleave their atomic operations on one account.
///
/// A thread is a function of what its operations returned, so its state is the list of those results: to let it take
/// one more step, run it from its beginning, answer from the list, perform the first operation the list does not know,
/// and stop it at the next one. No stacks are switched, a state is a value, and states reached by several orders are
/// explored once.
namespace petstore::limits {

using detail::cell;
using detail::word;
using detail::word_pair;

struct cells {
  std::array<word, detail::cell_count> words{};
  word bans_written = 0;  ///< how often the ban's pair was replaced, for the tests alone

  word& operator[](cell c) { return words[static_cast<std::size_t>(c)]; }
  word operator[](cell c) const { return words[static_cast<std::size_t>(c)]; }
  friend bool operator==(cells const&, cells const&) = default;
};

constexpr cell second_of(cell first) {
  return static_cast<cell>(static_cast<std::size_t>(first) + 1);
}

/// The Memory of account_protocol.hpp that stops its caller after one new operation. `Pairs` says what a swap of a pair
/// is: `one_swap`, or a mistake on purpose.
template <class Pairs>
class stepped_memory {
 public:
  struct stop {};

  stepped_memory(cells& memory, std::vector<word>& results) : memory_(memory), results_(results) {}

  word load(cell c) {
    return operation([&] { return memory_[c]; });
  }
  word load_acquire(cell c) { return load(c); }

  bool swap(cell c, word expected, word desired) {
    return operation([&] { return word{exchange(c, expected, desired)}; }) != 0;
  }
  bool swap_pair(cell first, word_pair expected, word_pair desired) {
    return Pairs::swap(*this, first, expected, desired);
  }

  void store(cell c, word w) {
    operation([&] { return memory_[c] = w; });
  }

  template <class Effect>
  word operation(Effect effect) {
    if (replayed_ < results_.size()) return results_[replayed_++];
    if (took_a_step_) throw stop{};
    took_a_step_ = true;
    ++replayed_;
    return results_.emplace_back(effect());
  }

  bool exchange(cell c, word expected, word desired) {
    if (memory_[c] != expected) return false;
    memory_[c] = desired;
    return true;
  }
  bool has(cell first, word_pair p) const { return memory_[first] == p.first && memory_[second_of(first)] == p.second; }
  void put(cell first, word_pair p) {
    memory_[first] = p.first;
    memory_[second_of(first)] = p.second;
    if (first == cell::ban_until) ++memory_.bans_written;
  }

 private:
  cells& memory_;
  std::vector<word>& results_;
  std::size_t replayed_ = 0;
  bool took_a_step_ = false;
};

struct one_swap {
  template <class Memory>
  static bool swap(Memory& m, cell first, word_pair expected, word_pair desired) {
    return m.operation([&] {
      if (!m.has(first, expected)) return word{0};
      m.put(first, desired);
      return word{1};
    }) != 0;
  }
};

template <class Pairs = one_swap>
class explorer {
 public:
  using memory = stepped_memory<Pairs>;
  /// What a thread does, and a number that stands for what it was told.
  using thread = std::function<std::uint64_t(memory&)>;
  using outcomes = std::vector<std::uint64_t>;

  explorer(cells const& start, std::vector<thread> threads) : start_(start), threads_(std::move(threads)) {}

  /// Calls `judge` at every state in which all threads are done. Returns how many interleavings there are.
  std::uint64_t explore(std::function<void(cells const&, outcomes const&)> judge) {
    judge_ = std::move(judge);
    seen_.clear();
    return from({start_, std::vector<std::vector<word>>(threads_.size()),
                 std::vector<std::optional<std::uint64_t>>(threads_.size())});
  }
  std::size_t states() const { return seen_.size(); }

  /// The threads one after another in each order: what a program without threads could have done.
  std::vector<std::pair<cells, outcomes>> sequential() const {
    std::vector<std::size_t> order(threads_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::vector<std::pair<cells, outcomes>> all;
    do {
      state s{start_, std::vector<std::vector<word>>(threads_.size()),
              std::vector<std::optional<std::uint64_t>>(threads_.size())};
      for (std::size_t const i : order)
        while (!s.told[i]) step(s, i);
      all.emplace_back(s.memory, told(s));
    } while (std::next_permutation(order.begin(), order.end()));
    return all;
  }

 private:
  struct state {
    cells memory;
    std::vector<std::vector<word>> results;
    std::vector<std::optional<std::uint64_t>> told;
  };

  void step(state& s, std::size_t i) const {
    memory m(s.memory, s.results[i]);
    try {
      s.told[i] = threads_[i](m);
    } catch (typename memory::stop const&) {
    }
  }

  static outcomes told(state const& s) {
    outcomes all;
    for (auto const& t : s.told) all.push_back(*t);
    return all;
  }

  static std::string name_of(state const& s) {
    static_assert(std::has_unique_object_representations_v<cells>);
    std::string name(reinterpret_cast<char const*>(&s.memory), sizeof s.memory);
    for (auto const& results : s.results) {
      name.push_back(static_cast<char>(results.size()));
      name.append(reinterpret_cast<char const*>(results.data()), results.size() * sizeof(word));
    }
    return name;
  }

  std::uint64_t from(state const& s) {
    auto const [place, is_new] = seen_.try_emplace(name_of(s), 0);
    if (!is_new) return place->second;
    std::uint64_t orders = 0;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (s.told[i]) continue;
      state next = s;
      step(next, i);
      orders += from(next);
    }
    if (orders == 0) {
      judge_(s.memory, told(s));
      orders = 1;
    }
    return seen_[name_of(s)] = orders;
  }

  cells start_;
  std::vector<thread> threads_;
  std::function<void(cells const&, outcomes const&)> judge_;
  std::unordered_map<std::string, std::uint64_t> seen_;
};

}  // namespace petstore::limits
