// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A store implemented by the program. This one forwards to another store, but refuses writes while the shop is closed.
// A store over another database implements the same functions.
#include "examples.hpp"
#include "petstore/ports/forwarding_store.hpp"

namespace examples {

using namespace petstore;

template <class T>
using later = asio::awaitable<result<T>>;

class closed_store final : public ports::forwarding_store {
 public:
  closed_store(std::shared_ptr<ports::store> other, std::function<bool()> closed)
      : forwarding_store{std::move(other)}, closed_{std::move(closed)} {}

  later<ports::stored> create_pet(new_pet p, bool known, std::optional<ports::idempotency> i, unix_ms now) override {
    return closed_() ? sorry<ports::stored>() : forwarding_store::create_pet(std::move(p), known, std::move(i), now);
  }
  later<ports::stored> update_pet(std::int64_t id, pet_patch p, bool known, etag_condition c) override {
    return closed_() ? sorry<ports::stored>() : forwarding_store::update_pet(id, std::move(p), known, std::move(c));
  }
  later<void> delete_pet(std::int64_t id, etag_condition c) override {
    return closed_() ? sorry<void>() : forwarding_store::delete_pet(id, std::move(c));
  }
  later<ports::stored> create_category(new_category c) override {
    return closed_() ? sorry<ports::stored>() : forwarding_store::create_category(std::move(c));
  }
  later<ports::stored> create_order(new_order o, std::optional<ports::idempotency> i, unix_ms now) override {
    return closed_() ? sorry<ports::stored>() : forwarding_store::create_order(std::move(o), std::move(i), now);
  }
  later<ports::stored> update_order(std::int64_t id, order_patch p, etag_condition c, unix_ms now) override {
    return closed_() ? sorry<ports::stored>() : forwarding_store::update_order(id, std::move(p), std::move(c), now);
  }

 private:
  template <class T>
  static later<T> sorry() {
    co_return error{errc::unavailable, "The shop is closed.", {}};
  }

  std::function<bool()> const closed_;
};

std::unique_ptr<ports::store> make_closed_store(std::shared_ptr<ports::store> other, std::function<bool()> closed) {
  return std::make_unique<closed_store>(std::move(other), std::move(closed));
}

}  // namespace examples
