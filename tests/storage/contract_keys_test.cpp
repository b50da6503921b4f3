// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/storage/memory.hpp"
#include "storage/backends.hpp"
#include "support/free_key.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(contract_keys)

namespace {

using std::chrono::hours;

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

PETSTORE_CONTRACT_CASE(new_store_has_no_keys) {
  auto const directory = store.read_keys();
  BOOST_REQUIRE(directory);
  BOOST_TEST(directory->keys.empty());
  BOOST_TEST(directory->identities.empty());
  BOOST_TEST(directory->version == store.keys_version().value());
  BOOST_TEST(store.read_audit_log(0, 10)->empty());
}

PETSTORE_CONTRACT_CASE(created_key_is_in_the_directory_as_decided) {
  auto const change = store.change_keys(free_key(1));
  BOOST_REQUIRE(change);
  auto const directory = store.read_keys();
  BOOST_REQUIRE(directory);
  BOOST_REQUIRE(directory->keys.size() == 1u);
  BOOST_TEST((directory->keys[0] == change->added.value()));
  BOOST_REQUIRE(directory->identities.size() == 1u);
  BOOST_TEST((directory->identities[0] == change->identity));
  BOOST_TEST(directory->keys[0].number == 1u);
}

PETSTORE_CONTRACT_CASE(rotation_changes_the_old_key_and_adds_one_of_the_same_identity) {
  BOOST_REQUIRE(store.change_keys(free_key(1)));
  auto const change = store.change_keys(rotation_of(1, 2));
  BOOST_REQUIRE(change);
  auto const directory = store.read_keys();
  BOOST_REQUIRE(directory->keys.size() == 2u);
  BOOST_TEST((directory->keys[0] == change->changed.value()));
  BOOST_TEST((directory->keys[1] == change->added.value()));
  BOOST_TEST(directory->keys[1].identity == 1u);
  BOOST_TEST(directory->identities.size() == 1u);
}

PETSTORE_CONTRACT_CASE(every_change_raises_the_version_and_is_logged) {
  auto version = store.keys_version().value();
  key_command const commands[] = {free_key(1),
                                  set_plan{.number = 1, .plan = "pro", .per_minute = {}, .per_day = {}},
                                  ban_identity{.number = 1, .until = noon + hours{1}},
                                  unban_identity{.number = 1},
                                  reset_quota{.number = 1},
                                  rotation_of(1, 2),
                                  revoke_key{.number = 1}};
  for (auto const& command : commands) {
    BOOST_REQUIRE(store.change_keys(command));
    auto const raised = store.keys_version().value();
    BOOST_TEST(raised > version);
    version = raised;
  }
  auto const log = store.read_audit_log(0, 100);
  BOOST_REQUIRE(log);
  BOOST_REQUIRE(log->size() == std::size(commands));
  for (std::size_t i = 0; i < log->size(); ++i) {
    BOOST_TEST((*log)[i].sequence == i + 1);
    BOOST_TEST((*log)[i].actor == "tester");
    BOOST_TEST((*log)[i].key == 1u);
  }
}

PETSTORE_CONTRACT_CASE(refused_command_changes_and_logs_nothing) {
  BOOST_REQUIRE(store.change_keys(free_key(1)));
  auto const version = store.keys_version().value();
  PETSTORE_REFUSED(store.change_keys(revoke_key{.number = 7}), not_found);
  PETSTORE_REFUSED(store.change_keys(free_key(1)), conflict);  // the same secret twice
  BOOST_TEST(store.keys_version().value() == version);
  BOOST_TEST(store.read_audit_log(0, 100)->size() == 1u);
  BOOST_TEST(store.read_keys()->keys.size() == 1u);
}

PETSTORE_CONTRACT_CASE(command_that_changes_nothing_writes_and_logs_nothing) {
  BOOST_REQUIRE(store.change_keys(free_key(1)));
  BOOST_TEST(!store.change_keys(revoke_key{.number = 1})->unchanged);
  auto const before = store.archive_of_keys();
  auto const version = store.keys_version().value();
  update_key update;
  update.number = 1;
  update.plan = "free";
  key_command const commands[] = {revoke_key{.number = 1}, update,
                                  set_plan{.number = 1, .plan = "free", .per_minute = {}, .per_day = {}}};
  for (auto const& command : commands) {
    auto const change = store.change_keys(command, noon + hours{1});
    BOOST_REQUIRE(change);
    BOOST_TEST(change->unchanged);
  }
  BOOST_TEST((store.archive_of_keys() == before));
  BOOST_TEST(store.keys_version().value() == version);
}

PETSTORE_CONTRACT_CASE(audit_log_is_read_in_pieces) {
  for (unsigned char i = 1; i <= 5; ++i) BOOST_REQUIRE(store.change_keys(free_key(i)));
  auto const middle = store.read_audit_log(2, 2);
  BOOST_REQUIRE(middle);
  BOOST_REQUIRE(middle->size() == 2u);
  BOOST_TEST(middle->front().sequence == 3u);
  BOOST_TEST(middle->back().sequence == 4u);
  BOOST_TEST(store.read_audit_log(5, 10)->empty());
  BOOST_TEST(store.read_audit_log(99, 10)->empty());
}

PETSTORE_CONTRACT_CASE(last_audit_entry_is_that_of_the_latest_change) {
  BOOST_TEST(store.last_audit_entry().value() == 0u);
  for (unsigned char i = 1; i <= 3; ++i) BOOST_REQUIRE(store.change_keys(free_key(i)));
  BOOST_TEST(store.last_audit_entry().value() == 3u);
  PETSTORE_REFUSED(store.change_keys(revoke_key{.number = 7}), not_found);
  BOOST_TEST(store.last_audit_entry().value() == 3u);
}

PETSTORE_CONTRACT_CASE(update_changes_the_members_that_it_names) {
  BOOST_REQUIRE(store.change_keys(free_key(1)));
  update_key update;
  update.number = 1;
  update.name = "Rosa's";
  update.per_minute.emplace(5);
  update.scope = key_scope::read;
  update.expires_at.emplace(noon + hours{1});
  auto const change = store.change_keys(update);
  BOOST_REQUIRE(change);
  auto const directory = store.read_keys();
  BOOST_TEST((directory->keys[0] == change->changed.value()));
  BOOST_TEST((directory->identities[0] == change->identity));
  BOOST_TEST((directory->keys[0].scope == key_scope::read));
  BOOST_TEST((directory->keys[0].expires_at == noon + hours{1}));
  BOOST_TEST(directory->identities[0].name == "Rosa's");
  BOOST_TEST(directory->identities[0].plan == "free");
  BOOST_TEST(directory->identities[0].per_minute.value() == 5u);
  BOOST_TEST(store.read_audit_log(1, 1)->front().action == "update");
}

PETSTORE_CONTRACT_CASE(update_takes_effect_only_on_the_records_of_its_tag) {
  auto const made = store.change_keys(free_key(1));
  BOOST_REQUIRE(made);
  update_key update;
  update.number = 1;
  update.condition = if_match(tag_of(made->added.value(), made->identity));
  update.name = "first";
  BOOST_REQUIRE(store.change_keys(update));
  update.name = "second";
  PETSTORE_REFUSED(store.change_keys(update), precondition_failed);
  BOOST_TEST(store.read_keys()->identities[0].name == "first");
}

PETSTORE_CONTRACT_CASE(resets_of_quotas_are_numbered_and_outlast_other_changes) {
  BOOST_REQUIRE(store.change_keys(free_key(1)));
  BOOST_TEST(store.read_keys()->identities[0].quota_resets == 0u);
  auto const first = store.change_keys(reset_quota{.number = 1})->identity.quota_resets;
  auto const second = store.change_keys(reset_quota{.number = 1})->identity.quota_resets;
  BOOST_TEST(first > 0u);
  BOOST_TEST(second > first);
  BOOST_REQUIRE(store.change_keys(set_plan{.number = 1, .plan = "pro", .per_minute = {}, .per_day = {}}));
  BOOST_REQUIRE(store.change_keys(rotation_of(1, 2)));
  BOOST_REQUIRE(store.change_keys(free_key(3)));
  auto const identities = store.read_keys()->identities;
  BOOST_TEST(identities[0].quota_resets == second);
  BOOST_TEST(identities[0].plan == "pro");
  BOOST_TEST(identities[1].quota_resets == 0u);
}

/// Keys that have been through everything.
static ports::key_archive old_keys() {
  petstore::tests::test_store elsewhere{storage::make_memory_store(environment::production)};
  BOOST_REQUIRE(elsewhere.change_keys(free_key(1)));
  BOOST_REQUIRE(elsewhere.change_keys(free_key(2)));
  BOOST_REQUIRE(elsewhere.change_keys(rotation_of(1, 3)));
  BOOST_REQUIRE(elsewhere.change_keys(ban_identity{.number = 2, .until = noon + hours{1}}));
  BOOST_REQUIRE(elsewhere.change_keys(reset_quota{.number = 2}));
  BOOST_REQUIRE(elsewhere.change_keys(revoke_key{.number = 2}));
  return elsewhere.archive_of_keys();
}

PETSTORE_CONTRACT_CASE(keys_of_another_store_come_with_identities_and_audit_log) {
  auto const archive = old_keys();
  auto const version = store.keys_version().value();
  BOOST_REQUIRE(store.import_keys(archive));
  BOOST_TEST((store.archive_of_keys() == archive));
  BOOST_TEST(store.keys_version().value() > version);
}

PETSTORE_CONTRACT_CASE(keys_and_audit_log_go_on_after_those_of_another_store) {
  BOOST_REQUIRE(store.import_keys(old_keys()));
  PETSTORE_REFUSED(store.change_keys(free_key(3)), conflict);  // the rotated secret is known
  auto const change = store.change_keys(free_key(9));
  BOOST_REQUIRE(change);
  BOOST_TEST(change->added->number == 4u);
  BOOST_TEST(change->entry.sequence == 7u);
  BOOST_TEST(store.change_keys(revoke_key{.number = 2})->unchanged);  // it is already
}

PETSTORE_CONTRACT_CASE(the_same_keys_again_change_nothing) {
  BOOST_REQUIRE(store.import_keys(old_keys()));
  auto const version = store.keys_version().value();
  BOOST_REQUIRE(store.import_keys(old_keys()));
  BOOST_TEST(store.keys_version().value() == version);
}

PETSTORE_CONTRACT_CASE(a_store_with_keys_of_its_own_takes_none_of_another) {
  BOOST_REQUIRE(store.change_keys(free_key(7)));
  auto const before = store.archive_of_keys();
  PETSTORE_REFUSED(store.import_keys(old_keys()), conflict);
  BOOST_TEST((store.archive_of_keys() == before));
}

PETSTORE_CONTRACT_CASE(keys_with_a_gap_are_not_taken) {
  auto no_key = old_keys();
  no_key.keys.erase(no_key.keys.begin());
  PETSTORE_REFUSED(store.import_keys(no_key), invalid_request);
  auto no_identity = old_keys();
  no_identity.identities.pop_back();
  PETSTORE_REFUSED(store.import_keys(no_identity), invalid_request);
  auto no_entry = old_keys();
  no_entry.audit_log.erase(no_entry.audit_log.begin() + 1);
  PETSTORE_REFUSED(store.import_keys(no_entry), invalid_request);
  BOOST_TEST(store.read_keys()->keys.empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
