// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <signal.h>

#include <boost/test/unit_test.hpp>

#include "program/system/running_server.hpp"
#include "support/certificates.hpp"

using namespace petstore::tests;

namespace {

std::string const get_pets = "GET /v1/pets HTTP/1.1\r\nHost: a\r\n\r\n";

struct files_of_certificate {
  /// As the tools for certificates do: what is new comes in a new file.
  void put(identity const& i) const {
    put("cert.pem", i.certificate);
    put("key.pem", i.key);
  }
  void put(std::string const& name, std::string const& text) const {
    std::filesystem::rename(directory.write(name + ".new", text), directory / name);
  }
  std::vector<std::string> flags() const {
    // A client on a slow machine may need more than the usual ten seconds for its side of the handshake.
    return {"--store",   "memory:",   "--anonymous-per-minute",         "100000",           "--tls-cert",
            certificate, "--tls-key", (directory / "key.pem").string(), "--header-timeout", "10m"};
  }
  static bool has_told(running_server& server, char const* event) {
    return server.process().standard_error().find(event) != std::string::npos;
  }

  temporary_directory directory;
  std::string const certificate = (directory / "cert.pem").string();
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tls, files_of_certificate)

BOOST_AUTO_TEST_CASE(requests_are_answered_encrypted_and_what_is_not_encrypted_is_refused) {
  put(self_signed());
  running_server server(flags());
  auto client = test_client::over_tls(server.port());
  BOOST_TEST(client.exchange(get_pets).status == 401);
  BOOST_TEST(ask(server.port(), "GET", "/v1/pets").status == 400);
  auto const document = client.exchange("GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n").body;
  BOOST_TEST(document.find("https://127.0.0.1:" + std::to_string(server.port()) + "/v1") != std::string::npos);
  BOOST_TEST(ask(server.admin_port(), "GET", "/livez").status == 200);
  BOOST_TEST(server.stop() == 0);
  BOOST_TEST(client.ends_in_order());
}

BOOST_AUTO_TEST_CASE(a_hang_up_takes_a_new_certificate_and_a_wrong_one_changes_nothing) {
  put(self_signed());
  running_server server(flags());
  auto before = test_client::over_tls(server.port());
  BOOST_TEST(before.exchange(get_pets).status == 401);
  auto const first = before.certificate_of_server();

  auto const other = self_signed();
  put(identity{other.certificate, self_signed().key});
  server.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return has_told(server, "is not the key of the first certificate"); }));
  auto between = test_client::over_tls(server.port());
  BOOST_TEST(between.exchange(get_pets).status == 401);
  BOOST_TEST((between.certificate_of_server() == first));

  put(other);
  server.process().send_signal(SIGHUP);
  BOOST_TEST(eventually([&] { return has_told(server, "certificate_reloaded"); }));
  auto after = test_client::over_tls(server.port());
  BOOST_TEST(after.exchange(get_pets).status == 401);
  BOOST_TEST((after.certificate_of_server() != first));
  BOOST_TEST(before.exchange(get_pets).status == 401);
  BOOST_TEST(server.stop() == 0);
}

BOOST_AUTO_TEST_CASE(files_that_change_are_taken_without_a_signal) {
  put(self_signed());
  running_server server(flags());
  put(self_signed());
  BOOST_TEST(eventually([&] { return has_told(server, "certificate_reloaded"); }));
  auto client = test_client::over_tls(server.port());
  BOOST_TEST(client.exchange(get_pets).status == 401);
}

BOOST_AUTO_TEST_CASE(files_that_cannot_be_used_are_named_before_anything_is_served) {
  auto const pair = self_signed();
  put(identity{pair.certificate, self_signed().key});
  auto line = flags();
  line.insert(line.begin(), {"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"});
  auto const served = run_petstore(line);
  BOOST_TEST(served.code == 2);
  BOOST_TEST(served.err.find("tls-key: `" + (directory / "key.pem").string() +
                             "` is not the key of the first certificate (from --tls-key)") != std::string::npos);
  std::vector<std::string> const variables{"PETSTORE_TLS_CERT=" + certificate, "PETSTORE_TLS_KEY=/nowhere/key.pem"};
  auto const checked = run_petstore({"config", "check"}, variables);
  BOOST_TEST(checked.code == 2);
  BOOST_TEST(checked.err.find("tls-key: `/nowhere/key.pem` cannot be read") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_certificate_that_has_expired_is_served_and_warned_of) {
  using std::chrono::hours;
  put(self_signed({hours{-48}, hours{-24}}));
  running_server server(flags());
  BOOST_TEST(eventually([&] { return has_told(server, "the certificate has expired on "); }));
  auto client = test_client::over_tls(server.port());
  BOOST_TEST(client.exchange(get_pets).status == 401);
  auto const checked =
      run_petstore({"config", "check", "--store", "memory:"},
                   {"PETSTORE_TLS_CERT=" + certificate, "PETSTORE_TLS_KEY=" + (directory / "key.pem").string()});
  BOOST_TEST(checked.code == 0);
  BOOST_TEST(checked.err.find("has expired") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
