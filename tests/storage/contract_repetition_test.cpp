// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>

#include "petstore/error_code.hpp"
#include "storage/backends.hpp"
#include "support/free_key.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(contract_repetition)

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

ports::idempotency repeat(std::string key, unsigned char body = 1, std::uint64_t identity = 1) {
  ports::idempotency i{.identity = identity, .key = std::move(key), .body_digest = {}};
  i.body_digest.fill(body);
  return i;
}

new_pet const rex{.name = "Rex", .category_id = 1, .status = pet_status::available};

}  // namespace

PETSTORE_CONTRACT_CASE(repeated_creation_gives_the_first_answer_again_and_does_nothing) {
  auto const first = store.create_pet(rex, repeat("a"));
  auto const again = store.create_pet(rex, repeat("a"), noon + hours{1});
  BOOST_REQUIRE(first);
  BOOST_REQUIRE(again);
  BOOST_TEST(!first->replayed);
  BOOST_TEST(again->replayed);
  BOOST_TEST(again->id == first->id);
  BOOST_TEST(again->json == first->json);
  BOOST_TEST(again->tag == first->tag);
  BOOST_TEST(store.walk(pet_list{}).size() == 1u);
}

PETSTORE_CONTRACT_CASE(first_answer_outlives_the_animal_and_its_changes) {
  auto const first = store.create_pet(rex, repeat("a"));
  BOOST_REQUIRE(first);
  BOOST_REQUIRE(store.update_pet(first->id, {.name = "Max", .category_id = {}, .status = {}}));
  BOOST_TEST(store.create_pet(rex, repeat("a"))->json == first->json);
  BOOST_REQUIRE(store.delete_pet(first->id));
  BOOST_TEST(store.create_pet(rex, repeat("a"))->json == first->json);
}

PETSTORE_CONTRACT_CASE(repetition_of_a_creation_that_was_cancelled_tells_what_became_of_it) {
  BOOST_REQUIRE(store.create_category("dogs"));  // to be checked first: another step of a store on a server
  boost::asio::io_context context{1};
  boost::asio::cancellation_signal signal;
  std::exception_ptr thrown;
  std::optional<std::int64_t> created;
  auto const ended = [&](std::exception_ptr failure, result<ports::stored> const& done) {
    thrown = failure;
    if (!failure && done) created = done->id;
  };
  auto creating = store.asynchronous().create_pet(rex, true, repeat("a"), noon);
  boost::asio::co_spawn(context, std::move(creating), boost::asio::bind_cancellation_slot(signal.slot(), ended));
  context.poll();  // it has begun
  signal.emit(boost::asio::cancellation_type::terminal);
  context.restart();
  context.run();

  BOOST_TEST(created.has_value() != static_cast<bool>(thrown));
  if (thrown) BOOST_TEST(code_of(thrown) == boost::asio::error::operation_aborted);
  auto const again = store.create_pet(rex, repeat("a"));
  BOOST_REQUIRE(again);
  if (created) BOOST_TEST(again->id == *created);
  if (created) BOOST_TEST(again->replayed);
  BOOST_TEST(store.walk(pet_list{}).size() == 1u);
}

PETSTORE_CONTRACT_CASE(same_key_with_another_body_is_a_conflict) {
  BOOST_REQUIRE(store.create_pet(rex, repeat("a", 1)));
  PETSTORE_REFUSED(store.create_pet(rex, repeat("a", 2)), conflict);
  BOOST_TEST(store.create_pet(rex, repeat("a", 1))->replayed);
}

PETSTORE_CONTRACT_CASE(key_belongs_to_one_identity_and_one_operation) {
  BOOST_REQUIRE(store.create_pet(rex, repeat("a", 1, 1)));
  BOOST_TEST(!store.create_pet(rex, repeat("a", 2, 2))->replayed);
  BOOST_TEST(!store.create_order(1, repeat("a", 3, 1))->replayed);
  BOOST_TEST(store.walk(pet_list{}).size() == 2u);
}

PETSTORE_CONTRACT_CASE(repeated_creation_of_a_key_makes_no_second_one) {
  auto const first = store.change_keys(free_key(1), noon, repeat("a", 1, 0));
  BOOST_REQUIRE(first);
  BOOST_TEST(!first->replayed);
  auto const version = store.keys_version().value();
  auto const again = store.change_keys(free_key(2), noon + hours{1}, repeat("a", 1, 0));
  BOOST_REQUIRE(again);
  BOOST_TEST(again->replayed);
  BOOST_TEST((again->added == first->added));
  BOOST_TEST((again->identity == first->identity));
  BOOST_TEST(store.keys_version().value() == version);
  BOOST_TEST(store.last_audit_entry().value() == 1u);
  PETSTORE_REFUSED(store.change_keys(free_key(2), noon, repeat("a", 2, 0)), conflict);
  BOOST_TEST(!store.change_keys(free_key(2), noon, repeat("b", 1, 0))->replayed);
  BOOST_TEST(!store.change_keys(free_key(3), noon + hours{25}, repeat("a", 1, 0))->replayed);
}

PETSTORE_CONTRACT_CASE(key_and_its_extension_are_two_keys) {
  BOOST_REQUIRE(store.create_pet(rex, repeat("a")));
  BOOST_TEST(!store.create_pet(rex, repeat("aa"))->replayed);
  BOOST_TEST(!store.create_pet(rex, repeat(std::string(255, 'a')))->replayed);
  BOOST_TEST(store.create_pet(rex, repeat(std::string(255, 'a')))->replayed);
}

PETSTORE_CONTRACT_CASE(refusal_is_not_remembered) {
  PETSTORE_REFUSED(store.create_order(1, repeat("a", 1)), not_found);
  store.add_pet(pet_status::available);
  auto const second = store.create_order(1, repeat("a", 2));
  BOOST_REQUIRE(second);
  BOOST_TEST(!second->replayed);
}

PETSTORE_CONTRACT_CASE(repeated_order_is_answered_although_the_animal_is_taken_by_it) {
  store.add_pet(pet_status::available);
  auto const first = store.create_order(1, repeat("a"));
  auto const again = store.create_order(1, repeat("a"), noon + milliseconds{1});
  BOOST_REQUIRE(again);
  BOOST_TEST(again->replayed);
  BOOST_TEST(again->json == first->json);
}

PETSTORE_CONTRACT_CASE(key_is_forgotten_after_24_hours) {
  BOOST_REQUIRE(store.create_pet(rex, repeat("a", 1)));
  BOOST_TEST(store.create_pet(rex, repeat("a", 1), noon + hours{24} - milliseconds{1})->replayed);
  auto const anew = store.create_pet(rex, repeat("a", 2), noon + hours{24});
  BOOST_REQUIRE(anew);
  BOOST_TEST(!anew->replayed);
  BOOST_TEST(store.create_pet(rex, repeat("a", 2), noon + hours{47})->replayed);
}

PETSTORE_CONTRACT_CASE(removal_of_expired_keys_spares_the_others) {
  for (int i = 0; i < 20; ++i) BOOST_REQUIRE(store.create_pet(rex, repeat("old" + std::to_string(i))));
  for (int i = 0; i < 5; ++i) BOOST_REQUIRE(store.create_pet(rex, repeat("new" + std::to_string(i)), noon + hours{23}));
  for (int i = 0; i < 5; ++i) BOOST_REQUIRE(store.create_pet(rex, {}, noon + hours{25}));
  for (int i = 0; i < 5; ++i)
    BOOST_TEST(store.create_pet(rex, repeat("new" + std::to_string(i)), noon + hours{25})->replayed);
  for (int i = 0; i < 20; ++i)
    BOOST_TEST(!store.create_pet(rex, repeat("old" + std::to_string(i)), noon + hours{25})->replayed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
