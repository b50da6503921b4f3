// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "filled_shop.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "petstore/storage/lmdb.hpp"

namespace petstore::bench {

std::unique_ptr<ports::store> open_shop(std::filesystem::path const& directory) {
  return storage::open_lmdb_store({.directory = directory,
                                   .environment = environment::production,
                                   .serve = true,
                                   .map_bytes_max = std::size_t{4} << 30,
                                   .write_queue_max = 4096,
                                   .report = {}});
}

void fill(ports::store& store) {
  constexpr std::int64_t records_per_write = 5'000;
  constexpr std::int64_t statuses = 3;
  for (std::int64_t id = 1; id <= filled_shop::animal_count;) {
    std::vector<ports::import_record> records;
    auto const end = std::min(id + records_per_write, filled_shop::animal_count + 1);
    for (; id < end; ++id)
      records.emplace_back(pet{.id = id,
                               .name = "Rex the " + std::to_string(id) + "th",
                               .category_id = id % filled_shop::category_count + 1,
                               .status = static_cast<pet_status>(id % statuses + 1)});
    std::size_t fault_at = 0;
    auto write = store.import_records(std::move(records), fault_at);
    await(std::move(write)).value();
  }
}

}  // namespace petstore::bench
