// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/tls.hpp"

#include <boost/test/unit_test.hpp>
#include <fstream>

#include "support/certificates.hpp"
#include "support/temporary_directory.hpp"

BOOST_AUTO_TEST_SUITE(tls_credentials_are_judged)

using namespace std::chrono_literals;
using namespace petstore::server;
using namespace petstore::tests;
using std::chrono::system_clock;

namespace {

tls_credentials of(identity const& i) {
  return {i.certificate, i.key, {}, client_certificates::off};
}

void check_refused(tls_credentials const& wrong, tls_error::part part, std::string const& word) {
  BOOST_CHECK_EXCEPTION(tls_context{wrong}, tls_error, [&](tls_error const& e) {
    BOOST_TEST_CONTEXT(e.what()) {
      BOOST_TEST((e.of == part));
      BOOST_TEST(std::string{e.what()}.find(word) != std::string::npos);
    }
    return true;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_pair_that_belongs_together_is_taken) {
  tls_context const context{of(self_signed())};
  BOOST_TEST(context.warnings(system_clock::now()).empty());
  BOOST_TEST((context.expires_at() > system_clock::now() + 24h));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_used_is_told_apart) {
  using enum tls_error::part;
  auto const good = self_signed(), other = self_signed();
  check_refused({good.certificate, other.key, {}, {}}, private_key, "is not the key of the first certificate");
  check_refused({"", good.key, {}, {}}, certificates, "has no certificate");
  check_refused({"nonsense", good.key, {}, {}}, certificates, "has no certificate");
  check_refused({good.key, good.key, {}, {}}, certificates, "has no certificate");
  check_refused({good.certificate, "", {}, {}}, private_key, "has no private key");
  check_refused({good.certificate, good.certificate, {}, {}}, private_key, "has no private key");
  auto spoilt = good.certificate;
  spoilt[spoilt.size() / 2] = '!';
  check_refused({spoilt, good.key, {}, {}}, certificates, "cannot be read");
  check_refused({good.certificate + spoilt, good.key, {}, {}}, certificates, "cannot be read");
  check_refused({good.certificate, good.key, "", client_certificates::required}, client_authorities,
                "has no certificate");
}

BOOST_AUTO_TEST_CASE(nobody_is_asked_for_a_passphrase) {
  auto const good = self_signed();
  check_refused({good.certificate, with_passphrase(good.key), {}, {}}, tls_error::part::private_key, "passphrase");
}

BOOST_AUTO_TEST_CASE(what_has_expired_or_is_about_to_is_warned_of) {
  auto const warning_of = [](validity v) {
    auto const all = tls_context{of(self_signed(v))}.warnings(system_clock::now());
    BOOST_REQUIRE(all.size() == 1u);
    return all.front();
  };
  BOOST_TEST(warning_of({-48h, -24h}).find("has expired on ") != std::string::npos);
  BOOST_TEST(warning_of({-48h, 24h}).find("expires on ") != std::string::npos);
  BOOST_TEST(warning_of({24h, 48 * 24h}).find("is not valid before ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_replacement_that_cannot_be_used_changes_nothing) {
  auto const good = self_signed(), other = self_signed({-1h, 48 * 24h});
  tls_context context{of(good)};
  auto const before = context.expires_at();
  BOOST_CHECK_THROW(context.replace({other.certificate, good.key, {}, {}}), tls_error);
  BOOST_TEST((context.expires_at() == before));
  context.replace(of(other));
  BOOST_TEST((context.expires_at() != before));
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_read_are_told_apart) {
  petstore::tests::temporary_directory directory;
  auto const good = self_signed();
  auto const certificate = directory.write("cert.pem", good.certificate);
  auto const key = directory.write("key.pem", good.key);
  BOOST_TEST(read_tls_files({certificate, key, {}, {}}).private_key == good.key);
  auto const part_of_failure = [](tls_files const& files) {
    try {
      (void)read_tls_files(files);
    } catch (tls_error const& e) {
      return e.of;
    }
    throw std::runtime_error("it was read");
  };
  using enum tls_error::part;
  BOOST_TEST((part_of_failure({directory / "none", key, {}, {}}) == certificates));
  BOOST_TEST((part_of_failure({certificate, directory / "none", {}, {}}) == private_key));
  BOOST_TEST((part_of_failure({directory / ".", key, {}, {}}) == certificates));
  BOOST_TEST(
      (part_of_failure({certificate, key, directory / "none", client_certificates::optional}) == client_authorities));
}

BOOST_AUTO_TEST_SUITE_END()
