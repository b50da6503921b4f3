// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "record_statements.hpp"

#include <array>
#include <string>

#include "tables.hpp"

namespace petstore::storage::postgres {
namespace {

/// `categoryId` is category_id.
std::string column_of(filter const& f) {
  std::string column;
  for (char const c : f.name) {
    bool const begins_word = c >= 'A' && c <= 'Z';
    column += begins_word ? std::string{'_', static_cast<char>(c - 'A' + 'a')} : std::string{c};
  }
  return column;
}

/// A list asks for a range of the rows of an index, (status, id) > ($3, $1), and for the order of this index, not for
/// "status = $3 … ORDER BY id": the plan is made once for all parameters, and for the latter a planner may step through
/// all ids and look for the few that match.
std::string list_sql(record_kind kind, unsigned filters) {
  std::string columns;
  std::string values;
  int parameter = 2;
  for (std::size_t i = 0; i < filters_of(kind).size(); ++i) {
    if ((filters >> i & 1) == 0) continue;
    columns += column_of(filters_of(kind)[i]) + ", ";
    values += "$" + std::to_string(++parameter) + "::bigint, ";
  }
  return std::string{"SELECT id, json FROM "} + table_of(kind).name +  //
         " WHERE (" + columns + "id) > (" + values + "$1::bigint)" +   //
         " AND (" + columns + "id) <= (" + values + "9223372036854775807)" + " ORDER BY " + columns +
         "id LIMIT $2::bigint";
}

class record_statements {
 public:
  record_statements() {
    for (auto const& kind : enumerators<record_kind>) {
      std::string const table = table_of(kind.value).name;
      add(read_statement(kind.value), "read_" + std::string{kind.word},
          "SELECT revision, json FROM " + table + " WHERE id = $1::bigint");
      for (unsigned filters = 0; filters < lists_of_kind; ++filters)  // of a kind without filters all are the same
        add(list_statement(kind.value, filters), "list_" + table + "_" + std::to_string(filters),
            list_sql(kind.value, filters));
    }
  }
  statement_text const& operator[](std::size_t number) const noexcept { return rows_[number].text; }

 private:
  struct row {
    std::string name;
    std::string sql;
    statement_text text{};
  };

  void add(statement s, std::string name, std::string sql) {
    auto& r = rows_[static_cast<std::size_t>(s) - first_record_statement];
    r.name = std::move(name);
    r.sql = std::move(sql);
    r.text = {r.name.c_str(), r.sql.c_str(), effect::none};
  }

  std::array<row, record_statement_count> rows_;
};

statement first_of(record_kind kind) noexcept {
  auto const i = static_cast<std::size_t>(kind) - static_cast<std::size_t>(enumerators<record_kind>.front().value);
  return static_cast<statement>(first_record_statement + i * (1 + lists_of_kind));
}

}  // namespace

statement read_statement(record_kind kind) noexcept {
  return first_of(kind);
}

statement list_statement(record_kind kind, unsigned filters) noexcept {
  return static_cast<statement>(static_cast<unsigned>(first_of(kind)) + 1 + filters);
}

statement_text const& text_of_record_statement(std::size_t number) noexcept {
  static record_statements const all;
  return all[number];
}

}  // namespace petstore::storage::postgres
