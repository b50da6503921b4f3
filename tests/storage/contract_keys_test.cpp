// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "storage/backends.hpp"

namespace petstore::tests {
namespace {

using std::chrono::hours;

create_key free_key(unsigned char digest) {
  create_key c;
  c.digest.fill(digest);
  c.prefix = "ps_live_";
  c.last_four = "abcd";
  c.name = "tester";
  c.plan = "free";
  return c;
}

rotate_key rotation_of(std::uint64_t number, unsigned char digest) {
  rotate_key r;
  r.number = number;
  r.digest.fill(digest);
  r.prefix = "ps_live_";
  r.last_four = "wxyz";
  r.old_expires_at = noon + hours{24};
  return r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(contract_keys)

PETSTORE_CONTRACT_CASE(new_shop_has_no_keys) {
  auto const directory = shop.read_keys();
  BOOST_REQUIRE(directory);
  BOOST_TEST(directory->keys.empty());
  BOOST_TEST(directory->identities.empty());
  BOOST_TEST(directory->version == shop.keys_version().value());
  BOOST_TEST(shop.read_audit_log(0, 10)->empty());
}

PETSTORE_CONTRACT_CASE(created_key_is_in_the_directory_as_decided) {
  auto const change = shop.change_keys(free_key(1));
  BOOST_REQUIRE(change);
  auto const directory = shop.read_keys();
  BOOST_REQUIRE(directory);
  BOOST_REQUIRE(directory->keys.size() == 1u);
  BOOST_TEST((directory->keys[0] == change->added.value()));
  BOOST_REQUIRE(directory->identities.size() == 1u);
  BOOST_TEST((directory->identities[0] == change->identity));
  BOOST_TEST(directory->keys[0].number == 1u);
}

PETSTORE_CONTRACT_CASE(rotation_changes_the_old_key_and_adds_one_of_the_same_identity) {
  BOOST_REQUIRE(shop.change_keys(free_key(1)));
  auto const change = shop.change_keys(rotation_of(1, 2));
  BOOST_REQUIRE(change);
  auto const directory = shop.read_keys();
  BOOST_REQUIRE(directory->keys.size() == 2u);
  BOOST_TEST((directory->keys[0] == change->changed.value()));
  BOOST_TEST((directory->keys[1] == change->added.value()));
  BOOST_TEST(directory->keys[1].identity == 1u);
  BOOST_TEST(directory->identities.size() == 1u);
}

PETSTORE_CONTRACT_CASE(every_change_raises_the_version_and_is_logged) {
  auto version = shop.keys_version().value();
  key_command const commands[] = {free_key(1),
                                  set_plan{.number = 1, .plan = "pro", .per_minute = {}, .per_day = {}},
                                  ban_identity{.number = 1, .until = noon + hours{1}},
                                  unban_identity{.number = 1},
                                  rotation_of(1, 2),
                                  revoke_key{.number = 1}};
  for (auto const& command : commands) {
    BOOST_REQUIRE(shop.change_keys(command));
    auto const raised = shop.keys_version().value();
    BOOST_TEST(raised > version);
    version = raised;
  }
  auto const log = shop.read_audit_log(0, 100);
  BOOST_REQUIRE(log);
  BOOST_REQUIRE(log->size() == std::size(commands));
  for (std::size_t i = 0; i < log->size(); ++i) {
    BOOST_TEST((*log)[i].sequence == i + 1);
    BOOST_TEST((*log)[i].actor == "tester");
    BOOST_TEST((*log)[i].key == 1u);
  }
}

PETSTORE_CONTRACT_CASE(refused_command_changes_and_logs_nothing) {
  BOOST_REQUIRE(shop.change_keys(free_key(1)));
  auto const version = shop.keys_version().value();
  PETSTORE_REFUSED(shop.change_keys(revoke_key{.number = 7}), not_found);
  PETSTORE_REFUSED(shop.change_keys(free_key(1)), conflict);  // the same secret twice
  BOOST_TEST(shop.keys_version().value() == version);
  BOOST_TEST(shop.read_audit_log(0, 100)->size() == 1u);
  BOOST_TEST(shop.read_keys()->keys.size() == 1u);
}

PETSTORE_CONTRACT_CASE(audit_log_is_read_in_pieces) {
  for (unsigned char i = 1; i <= 5; ++i) BOOST_REQUIRE(shop.change_keys(free_key(i)));
  auto const middle = shop.read_audit_log(2, 2);
  BOOST_REQUIRE(middle);
  BOOST_REQUIRE(middle->size() == 2u);
  BOOST_TEST(middle->front().sequence == 3u);
  BOOST_TEST(middle->back().sequence == 4u);
  BOOST_TEST(shop.read_audit_log(5, 10)->empty());
  BOOST_TEST(shop.read_audit_log(99, 10)->empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
