// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "storage/lmdb/open_store.hpp"
#include "storage/lmdb/raw_file.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(lmdb_open)

namespace {

namespace fs = std::filesystem;

void make_file(fs::path const& path, std::string_view text = "hello") {
  std::ofstream(path) << text;
}

/// That the sentence names the directory and the cause.
void check_refused(storage::lmdb_options options, std::string_view cause) {
  auto const directory = options.directory.string();
  auto const sentence = refusal_of(std::move(options));
  BOOST_TEST(sentence.find("'" + directory + "'") != std::string::npos, sentence);
  BOOST_TEST(sentence.find(cause) != std::string::npos, sentence);
}

/// The refusal that a process of another user gets: root may do everything.
std::string refusal_of_nobody(storage::lmdb_options options) {
  constexpr uid_t nobody = 65534;
  int ends[2];
  BOOST_REQUIRE(::pipe(ends) == 0);
  pid_t const child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(nobody) != 0) ::_exit(1);
    auto const sentence = refusal_of(std::move(options));
    ::_exit(::write(ends[1], sentence.data(), sentence.size()) < 0 ? 1 : 0);
  }
  ::close(ends[1]);
  std::string sentence(1024, '\0');
  auto const size = ::read(ends[0], sentence.data(), sentence.size());
  ::close(ends[0]);
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
  sentence.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return sentence;
}

storage::lmdb_options tool_options(fs::path const& directory) {
  auto options = options_for(directory);
  options.environment.reset();
  options.serve = false;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_CASE(store_is_made_with_its_directory_for_its_owner_alone) {
  temporary_directory parent;
  auto const directory = parent / "a/b";
  open_store(directory);
  BOOST_TEST((fs::status(directory).permissions() == fs::perms::owner_all));
  auto const of_file = fs::status(directory / "data.mdb").permissions();
  BOOST_TEST((of_file == (fs::perms::owner_read | fs::perms::owner_write)));
}

BOOST_AUTO_TEST_CASE(everything_is_there_again_after_a_restart) {
  temporary_directory directory;
  entity_tag tag;
  {
    auto store = open_store(directory.path());
    BOOST_REQUIRE(store.create_category("dogs"));
    tag = store.add_pet(pet_status::available, 7).tag;
    store.add_order(1);
    create_key key;
    key.plan = "free";
    key.prefix = "ps_live_";
    BOOST_REQUIRE(store.change_keys(key));
  }
  auto store = open_store(directory.path());
  std::string json;
  BOOST_TEST(store.read_pet(1, json)->revision == tag.revision + 1);
  BOOST_TEST(store.walk(pet_list{.status = pet_status::pending, .category_id = 7}).size() == 1u);
  BOOST_TEST(store.order_of(1).status == order_status::placed);
  BOOST_TEST(store.read_keys()->keys.size() == 1u);
  PETSTORE_REFUSED(store.create_category("dogs"), conflict);
}

BOOST_AUTO_TEST_CASE(id_of_the_last_animal_is_not_given_again_after_its_deletion_and_a_restart) {
  temporary_directory directory;
  {
    auto store = open_store(directory.path());
    store.add_pet(std::nullopt);
    store.add_pet(std::nullopt);
    BOOST_REQUIRE(store.delete_pet(2));
  }
  auto store = open_store(directory.path());
  BOOST_TEST(store.add_pet(std::nullopt).id == 3);
}

BOOST_AUTO_TEST_CASE(answers_are_remembered_over_a_restart) {
  temporary_directory directory;
  ports::idempotency const once{.identity = 1, .key = "a", .body_digest = {}};
  open_store(directory.path()).create_pet({.name = "Rex", .category_id = 1, .status = {}}, once).value();
  auto store = open_store(directory.path());
  BOOST_TEST(store.create_pet({.name = "Rex", .category_id = 1, .status = {}}, once)->replayed);
}

BOOST_AUTO_TEST_CASE(second_server_is_refused_and_harms_nothing) {
  temporary_directory directory;
  auto store = open_store(directory.path());
  check_refused(options_for(directory.path()),
                "another server (process " + std::to_string(::getpid()) + ") is using it");
  store.add_pet(std::nullopt);
  BOOST_TEST(!fault_of(store.ready()));
}

BOOST_AUTO_TEST_CASE(store_belongs_to_one_environment) {
  temporary_directory directory;
  open_store(directory.path());
  auto staging = options_for(directory.path());
  staging.environment = environment::staging;
  check_refused(staging, "it belongs to the environment production, not to staging");

  auto const any = open_store(tool_options(directory.path())).asynchronous().environment();
  BOOST_TEST((any == environment::production));
}

BOOST_AUTO_TEST_CASE(tool_makes_no_store) {
  temporary_directory directory;
  check_refused(tool_options(directory / "none"), "there is no such directory");
  check_refused(tool_options(directory.path()), "there is no store in it");
  BOOST_TEST(fs::is_empty(directory.path()));
}

BOOST_AUTO_TEST_CASE(tool_may_make_a_store_wherever_a_server_may) {
  temporary_directory directory;
  fs::create_directory(directory / "lost+found");
  make_file(directory / "lock", "");
  auto options = tool_options(directory.path());
  options.environment_if_new = environment::staging;
  BOOST_TEST((open_store(options).asynchronous().environment() == environment::staging));

  options.environment_if_new = environment::production;
  BOOST_TEST((open_store(options).asynchronous().environment() == environment::staging));
}

BOOST_AUTO_TEST_CASE(what_is_no_directory_is_refused) {
  temporary_directory directory;
  make_file(directory / "file");
  check_refused(options_for(directory / "file"), "it is not a directory");
  check_refused(options_for(directory / "file/below"), "");
}

BOOST_AUTO_TEST_CASE(directory_of_someone_else_is_refused_and_left_alone) {
  temporary_directory directory;
  make_file(directory / "thesis.txt");
  check_refused(options_for(directory.path()), "it holds other files ('thesis.txt') and no store");
  BOOST_TEST(!fs::exists(directory / "data.mdb"));
  BOOST_TEST(!fs::exists(directory / "lock"));
}

BOOST_AUTO_TEST_CASE(quotas_beside_a_store_that_is_not_yet_made_do_no_harm) {
  temporary_directory directory;
  fs::create_directory(directory / "quota");
  BOOST_TEST(refusal_of(options_for(directory.path())) == "");
}

BOOST_AUTO_TEST_CASE(data_of_another_program_is_refused) {
  temporary_directory directory;
  raw_file(directory.path()).put("their table", "key", "value");
  check_refused(options_for(directory.path()), "made by another program");
  BOOST_TEST(raw_file(directory.path()).get("their table", "key").value() == "value");

  temporary_directory similar;
  raw_file(similar.path()).put("meta", "key", "value");
  check_refused(options_for(similar.path()), "made by another program");
}

BOOST_AUTO_TEST_CASE(data_that_is_not_of_lmdb_is_refused) {
  temporary_directory directory;
  make_file(directory / "data.mdb", std::string(10'000, 'x'));
  check_refused(options_for(directory.path()), "not an LMDB file");
}

BOOST_AUTO_TEST_CASE(creation_that_was_cut_short_is_made_good) {
  temporary_directory directory;
  make_file(directory / "data.mdb", "");
  BOOST_TEST(refusal_of(options_for(directory.path())) == "");
  temporary_directory empty_environment;
  { raw_file made(empty_environment.path()); }
  BOOST_TEST(refusal_of(options_for(empty_environment.path())) == "");
  temporary_directory unfinished;
  make_file(unfinished / "data.mdb.new", "half of a head");
  check_refused(tool_options(unfinished.path()), "there is no store in it");
  BOOST_TEST(refusal_of(options_for(unfinished.path())) == "");
  BOOST_TEST(!fs::exists(unfinished / "data.mdb.new"));
}

BOOST_AUTO_TEST_CASE(newer_format_is_refused) {
  temporary_directory directory;
  open_store(directory.path());
  raw_file(directory.path()).put("meta", "format", big_endian(5));
  check_refused(options_for(directory.path()), "its format is 5, written by a newer version of this program");
  BOOST_TEST(raw_file(directory.path()).get("meta", "format").value() == big_endian(5));
}

BOOST_AUTO_TEST_CASE(directory_without_permission_is_refused) {
  temporary_directory directory;
  fs::permissions(directory.path(), fs::perms::others_exec, fs::perm_options::add);
  fs::create_directory(directory / "closed");
  fs::permissions(directory / "closed", fs::perms::none);
  BOOST_TEST(refusal_of_nobody(options_for(directory / "closed")) ==
             "cannot open the store in '" + (directory / "closed").string() + "': Permission denied");
  fs::permissions(directory / "closed", fs::perms::owner_all);
}

BOOST_AUTO_TEST_CASE(a_directory_is_judged_as_a_server_would_judge_it_and_stays_as_it_is) {
  temporary_directory parent;
  auto const judgement = [](storage::lmdb_options const& options) -> std::string {
    try {
      storage::validate_lmdb_store(options);
      return "";
    } catch (storage::open_error const& e) {
      return e.what();
    }
  };
  auto options = options_for(parent / "store");
  BOOST_TEST(judgement(options) == "");
  BOOST_TEST(!fs::exists(options.directory));
  fs::create_directory(options.directory);
  BOOST_TEST(judgement(options) == "");
  BOOST_TEST(fs::is_empty(options.directory));

  auto const ends_with = [](std::string const& text, std::string_view end) { return text.ends_with(end); };
  open_store(options);
  BOOST_TEST(judgement(options) == "");
  options.environment = environment::staging;
  BOOST_TEST(ends_with(judgement(options), "it belongs to the environment production, not to staging"));
  fs::remove(options.directory / "lock.mdb");
  BOOST_TEST(ends_with(judgement(options), "it belongs to the environment production, not to staging"));
  BOOST_TEST(!fs::exists(options.directory / "lock.mdb"));

  make_file(options.directory / "data.mdb");
  BOOST_TEST(judgement(options).find("is not an LMDB file") != std::string::npos);
  fs::remove(options.directory / "data.mdb");
  make_file(options.directory / "letter.txt");
  BOOST_TEST(ends_with(judgement(options), "it holds other files ('letter.txt') and no store"));
  BOOST_TEST(ends_with(judgement(options_for(options.directory / "letter.txt")), "it is not a directory"));
  for (auto const* below : {"letter.txt/store", "letter.txt/shops/store"})
    BOOST_TEST(ends_with(judgement(options_for(options.directory / below)),
                         "the directory cannot be created: Not a directory"));
  BOOST_TEST(judgement(options_for(parent / "shops/of/ours")) == "");
  BOOST_TEST(!fs::exists(parent / "shops"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
