// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/certificates.hpp"

#include <boost/test/unit_test.hpp>

#include "support/certificates.hpp"
#include "support/resource_limit.hpp"
#include "support/temporary_directory.hpp"

using namespace petstore::program;
using petstore::tests::identity;
using petstore::tests::self_signed;

namespace {

struct files_and_log {
  /// As the tools for certificates do: what is new comes in a new file.
  void put(identity const& i) const {
    put("cert.pem", i.certificate);
    put("key.pem", i.key);
  }
  void put(std::string const& name, std::string const& text) const {
    std::filesystem::rename(directory.write(name + ".new", text), directory / name);
  }
  loaded_settings load() const {
    return load_settings(
        {{{"tls-cert", (directory / "cert.pem").string()}, {"tls-key", (directory / "key.pem").string()}}, {}, {}});
  }
  event_report report() {
    return [this](auto, std::string_view event, std::string_view) { events.emplace_back(event); };
  }

  petstore::tests::temporary_directory directory;
  std::vector<std::string> events;
  std::chrono::system_clock::time_point const now = std::chrono::system_clock::now();
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(certificates_of_the_listener, files_and_log)

BOOST_AUTO_TEST_CASE(without_files_there_is_no_encryption) {
  certificates tested(load_settings({}), report());
  BOOST_TEST(!tested.context());
  BOOST_TEST(!tested.figures());
  tested.reload();
  tested.follow(now);
  BOOST_TEST(events.empty());
}

BOOST_AUTO_TEST_CASE(a_key_that_every_user_can_read_is_warned_of) {
  using std::filesystem::perms;
  put(self_signed());
  BOOST_TEST(check_certificates(load(), now).empty());
  BOOST_TEST(certificates(load(), report()).context());
  BOOST_TEST(events.empty());

  std::filesystem::permissions(directory / "key.pem", perms::owner_read | perms::group_read | perms::others_read);
  auto const warnings = check_certificates(load(), now);
  BOOST_REQUIRE(warnings.size() == 1u);
  BOOST_TEST(warnings.front() == "tls-key: the mode of `" + (directory / "key.pem").string() +
                                     "` lets every user of this machine read it; chmod o-r prevents that");
  BOOST_TEST(certificates(load(), report()).context());
  BOOST_TEST((events == std::vector<std::string>{"certificate"}));
}

BOOST_AUTO_TEST_CASE(a_change_is_taken_once_it_has_settled_and_once) {
  put(self_signed());
  certificates tested(load(), report());
  tested.follow(now);
  auto const before = tested.context()->expires_at();
  put(self_signed({std::chrono::hours{-1}, std::chrono::hours{48 * 24}}));
  tested.follow(now);
  BOOST_TEST((tested.context()->expires_at() == before));
  tested.follow(now);
  BOOST_TEST((tested.context()->expires_at() != before));
  tested.follow(now);
  BOOST_TEST((events == std::vector<std::string>{"certificate_reloaded"}));
}

BOOST_AUTO_TEST_CASE(a_pair_that_does_not_belong_together_is_told_once_and_not_taken) {
  auto const good = self_signed();
  put(good);
  certificates tested(load(), report());
  put(identity{self_signed().certificate, good.key});
  for (int i = 0; i < 5; ++i) tested.follow(now);
  BOOST_TEST((events == std::vector<std::string>{"certificate_not_reloaded"}));
  std::filesystem::remove(directory / "key.pem");
  for (int i = 0; i < 5; ++i) tested.follow(now);
  BOOST_TEST(events.size() == 2u);
  put(good);
  for (int i = 0; i < 5; ++i) tested.follow(now);
  BOOST_TEST(events.back() == "certificate_reloaded");
}

BOOST_AUTO_TEST_CASE(a_pair_that_could_not_be_read_is_taken_when_it_can_be) {
  put(self_signed());
  certificates tested(load(), report());
  put(self_signed());
  {
    petstore::tests::resource_limit const no_descriptors(RLIMIT_NOFILE, 0);
    for (int i = 0; i < 4; ++i) tested.follow(now);
  }
  BOOST_TEST((events == std::vector<std::string>{"certificate_not_reloaded"}));
  tested.follow(now);
  BOOST_TEST((events == std::vector<std::string>{"certificate_not_reloaded", "certificate_reloaded"}));
  BOOST_TEST(tested.figures()->is_current);
}

BOOST_AUTO_TEST_CASE(a_certificate_that_comes_to_its_end_is_warned_of_every_day) {
  using days = std::chrono::days;
  put(self_signed({std::chrono::hours{-1}, days{10}}));
  certificates tested(load(), report());
  tested.follow(now + days{2});
  BOOST_TEST(events.empty());
  for (auto const day : {4, 5, 12}) {  // on the last one it has expired
    tested.follow(now + days{day});
    tested.follow(now + days{day} + std::chrono::hours{23});
    BOOST_TEST(events.size() == 1u);
    events.clear();
  }
}

BOOST_AUTO_TEST_CASE(figures_tell_the_certificate_in_use_and_whether_it_is_that_of_the_files) {
  auto const good = self_signed();
  put(good);
  certificates tested(load(), report());
  auto const at_start = tested.figures().value();
  BOOST_TEST((at_start.expires_at == tested.context()->expires_at()));
  BOOST_TEST(at_start.is_current);
  put("key.pem", self_signed().key);
  tested.reload();
  BOOST_TEST(!tested.figures()->is_current);
  BOOST_TEST((tested.figures()->expires_at == at_start.expires_at));
  BOOST_TEST((tested.figures()->read_at == at_start.read_at));
  put("key.pem", good.key);
  tested.reload();
  BOOST_TEST(tested.figures()->is_current);
  BOOST_TEST((tested.figures()->read_at >= at_start.read_at));
}

BOOST_AUTO_TEST_CASE(a_directory_that_a_link_turns_to_is_followed) {
  namespace fs = std::filesystem;
  for (char const* name : {"one", "two"}) {
    fs::create_directory(directory / name);
    auto const pair = self_signed();
    directory.write(std::string{name} + "/cert.pem", pair.certificate);
    directory.write(std::string{name} + "/key.pem", pair.key);
  }
  fs::create_directory_symlink("one", directory / "now");
  fs::create_symlink("now/cert.pem", directory / "cert.pem");
  fs::create_symlink("now/key.pem", directory / "key.pem");
  certificates tested(load(), report());
  fs::create_directory_symlink("two", directory / "next");
  fs::rename(directory / "next", directory / "now");
  tested.follow(now);
  tested.follow(now);
  BOOST_TEST((events == std::vector<std::string>{"certificate_reloaded"}));
}

BOOST_AUTO_TEST_SUITE_END()
