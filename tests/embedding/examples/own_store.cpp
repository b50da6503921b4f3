// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A store of the program's own. This one stands in front of another and takes no writes while the shop is closed; one
// over another database has the same functions.
#include "examples.hpp"

namespace examples {

using namespace petstore;
template <class T>
using later = asio::awaitable<result<T>>;
template <class T>
using soon = ports::eventual<result<T>>;

class closed_store final : public ports::store {
 public:
  closed_store(ports::store& inner, std::function<bool()> closed) : inner_{inner}, closed_{std::move(closed)} {}

  petstore::environment environment() const noexcept override { return inner_.environment(); }

  // clang-format off: one line for each of the functions that only pass on
  soon<entity_tag> read_pet(std::int64_t id, std::string& json) override { return inner_.read_pet(id, json); }
  soon<ports::page_end> list_pets(ports::pet_query q, std::string& json) override { return inner_.list_pets(q, json); }
  soon<entity_tag> read_category(std::int64_t id, std::string& json) override { return inner_.read_category(id, json); }
  soon<ports::page_end> list_categories(ports::category_query q, std::string& json) override {
    return inner_.list_categories(q, json);
  }
  soon<entity_tag> read_order(std::int64_t id, std::string& json) override { return inner_.read_order(id, json); }
  soon<ports::page_end> list_orders(ports::order_query q, std::string& json) override {
    return inner_.list_orders(q, json);
  }

  later<ports::stored> create_pet(new_pet p, bool known, std::optional<ports::idempotency> i, unix_ms now) override {
    return closed_() ? sorry<ports::stored>() : inner_.create_pet(std::move(p), known, std::move(i), now);
  }
  later<ports::stored> update_pet(std::int64_t id, pet_patch p, bool known, etag_condition c) override {
    return closed_() ? sorry<ports::stored>() : inner_.update_pet(id, std::move(p), known, std::move(c));
  }
  later<void> delete_pet(std::int64_t id, etag_condition c) override {
    return closed_() ? sorry<void>() : inner_.delete_pet(id, std::move(c));
  }
  later<ports::stored> create_category(new_category c) override {
    return closed_() ? sorry<ports::stored>() : inner_.create_category(std::move(c));
  }
  later<ports::stored> create_order(new_order o, std::optional<ports::idempotency> i, unix_ms now) override {
    return closed_() ? sorry<ports::stored>() : inner_.create_order(std::move(o), std::move(i), now);
  }
  later<ports::stored> update_order(std::int64_t id, order_patch p, etag_condition c, unix_ms now) override {
    return closed_() ? sorry<ports::stored>() : inner_.update_order(id, std::move(p), std::move(c), now);
  }

  later<std::uint64_t> keys_version() override { return inner_.keys_version(); }
  later<key_directory> read_keys() override { return inner_.read_keys(); }
  later<key_change> change_keys(key_command c, unix_ms now, std::string actor) override {
    return inner_.change_keys(std::move(c), now, std::move(actor));
  }
  later<std::vector<audit_entry>> read_audit_log(std::uint64_t after, std::uint32_t limit) override {
    return inner_.read_audit_log(after, limit);
  }
  later<void> ready() override { return inner_.ready(); }
  later<void> import_records(std::vector<ports::import_record> all, std::size_t& fault) override {
    return inner_.import_records(std::move(all), fault);
  }
  later<void> import_keys(ports::key_archive keys) override { return inner_.import_keys(std::move(keys)); }
  later<void> export_records(ports::export_sink& to) override { return inner_.export_records(to); }
  // clang-format on

 private:
  template <class T>
  static later<T> sorry() {
    co_return error{errc::unavailable, "The shop is closed.", {}};
  }

  ports::store& inner_;
  std::function<bool()> const closed_;
};

std::unique_ptr<ports::store> make_closed_store(ports::store& inner, std::function<bool()> closed) {
  return std::make_unique<closed_store>(inner, std::move(closed));
}

}  // namespace examples
