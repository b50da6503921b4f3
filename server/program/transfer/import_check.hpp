// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "petstore/ports/store.hpp"
#include "transfer/transfer_format.hpp"

namespace petstore::program {

/// A set of ids, kept as ranges, because the ids of an export form few long ranges.
class id_ranges {
 public:
  bool insert(std::int64_t id);  ///< returns false if it was in the set already
  bool contains(std::int64_t id) const;

 private:
  std::map<std::int64_t, std::int64_t> last_by_first_;
};

/// Checks the records of an import, one after the other, before any is written: each against those before it and
/// against the store. Their order does not matter.
class import_check {
 public:
  explicit import_check(ports::store& store) : store_(store) {}

  /// Call it once, before the records. Like the other functions, it throws command_error if the store cannot be read.
  void read_store();

  /// Returns the fault of a record as a sentence; nullopt if it has none so far.
  std::optional<std::string> add(transfer_line const&, std::uint64_t line);

  struct fault {
    std::uint64_t line;
    std::string sentence;
  };
  /// Returns the faults that can be found only when every record is known.
  std::vector<fault> finish();

  std::uint64_t present() const noexcept { return present_; }  ///< records that the store has already
  /// The records of the input; `given` are the highest ids among them.
  ports::export_summary const& seen() const noexcept { return seen_; }

 private:
  enum class comparison { absent, same, different };
  struct open_order {
    std::uint64_t line;
    std::int64_t id;
    bool is_new;
  };

  std::optional<std::string> add(category const&, std::uint64_t line);
  std::optional<std::string> add(pet const&, std::uint64_t line);
  std::optional<std::string> add(order const&, std::uint64_t line);
  std::optional<std::string> fault_of(comparison, std::string_view kind, std::int64_t id);
  template <class Record>
  comparison compare(Record const&);
  std::optional<std::string> check_open_order(std::int64_t animal, open_order const&);

  ports::store& store_;
  ports::export_summary seen_;
  std::uint64_t present_ = 0;
  id_ranges categories_, pets_, orders_;
  id_ranges pending_pets_;
  std::unordered_map<std::string, std::int64_t> category_of_name_;  ///< of the store and of the input
  std::map<std::int64_t, open_order> open_orders_;                  ///< of the input, by animal
};

}  // namespace petstore::program
