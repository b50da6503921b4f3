// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <libpq-fe.h>

#include <boost/endian/conversion.hpp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

namespace petstore::storage::postgres {

/// The result of a statement, in binary format. Columns are bigint, text, bytea or boolean.
class rows {
 public:
  rows() = default;
  explicit rows(PGresult* result) noexcept : result_(result) {}

  int count() const noexcept { return PQntuples(result_.get()); }
  bool empty() const noexcept { return count() == 0; }

  /// The number of rows changed by the statement.
  std::int64_t affected() const noexcept { return std::atoll(PQcmdTuples(result_.get())); }

  std::int64_t number(int row, int column) const noexcept {
    std::int64_t bits = 0;
    std::memcpy(&bits, PQgetvalue(result_.get(), row, column), sizeof bits);
    return boost::endian::big_to_native(bits);
  }
  /// Valid as long as this object.
  std::string_view text(int row, int column) const noexcept {
    return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
  }
  bool is_true(int row, int column) const noexcept { return *PQgetvalue(result_.get(), row, column) != 0; }
  bool is_null(int row, int column) const noexcept { return PQgetisnull(result_.get(), row, column) != 0; }

 private:
  struct clear {
    void operator()(PGresult* r) const noexcept { PQclear(r); }
  };
  std::unique_ptr<PGresult, clear> result_;
};

}  // namespace petstore::storage::postgres
