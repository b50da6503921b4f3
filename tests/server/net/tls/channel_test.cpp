// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tls/channel.hpp"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>
#include <vector>

#include "net/tls/context.hpp"
#include "net/tls/handshake_failure.hpp"
#include "petstore/server/tls.hpp"
#include "support/certificates.hpp"
#include "support/client_side.hpp"

using namespace petstore::server;
using namespace petstore::tests;
using progress = tls::channel::progress;

namespace {

/// Both sides of one connection, with nothing between them but the test.
struct both_sides {
  explicit both_sides(tls_context const& context, client_wishes const& wishes = {})
      : server{context.shared()->begin()}, client{wishes} {}

  /// What the server makes of bytes that come in pieces of `piece`; all that it decrypts is appended to `heard`.
  progress give(std::string const& bytes, std::size_t piece = std::string::npos) {
    auto last = progress::needs_bytes;
    for (std::size_t at = 0; at < bytes.size() && last != progress::failed; at += piece) {
      std::string const part = bytes.substr(at, piece);
      server.feed(part);
      last = look();
      if (piece == std::string::npos) break;
    }
    return last;
  }
  progress look() {
    if (!is_done) {
      auto const p = server.shake_hands();
      if (p != progress::moved) return p;
      is_done = true;
    }
    for (;;) {
      char room[1'000];
      std::size_t n = 0;
      auto const p = server.decrypt(room, n);
      heard.append(room, n);
      if (p != progress::moved) return p;
    }
  }
  void take_output() {
    client.feed(server.output());
    server.output().clear();
  }
  progress shake_hands(std::size_t piece = std::string::npos) {
    while (!client.shake_hands() || !is_done) {
      auto const p = give(client.take_output(), piece);
      take_output();
      if (p == progress::failed) return p;
    }
    return progress::moved;
  }

  tls::channel server;
  client_side client;
  bool is_done = false;
  std::string heard;
};

tls_credentials own() {
  auto const& i = identity_of_tests();
  return {i.certificate, i.key, {}, client_certificates::off};
}

tls_credentials asking(authority const& a, client_certificates clients) {
  auto c = own();
  c.client_authorities = a.certificate();
  c.clients = clients;
  return c;
}

/// Whether a client with that certificate gets through, and hears what it sends back.
bool gets_in(tls_context const& context, identity const* shown, int version = TLS1_3_VERSION) {
  client_wishes wishes;
  wishes.own = shown;
  wishes.version_max = version;
  both_sides both{context, wishes};
  try {
    both.shake_hands();
    both.client.decrypt();
  } catch (client_failure const&) {
    return false;
  }
  return both.is_done;
}

/// Why a handshake fails in which the client has such wishes.
handshake_failure why_refused(tls_context const& context, client_wishes const& wishes,
                              std::function<void(SSL*)> const& prepare = {}) {
  both_sides both{context, wishes};
  if (prepare) prepare(both.client.ssl());
  try {
    both.shake_hands();
  } catch (client_failure const&) {
    both.give(both.client.take_output());  // what it has to say to that
  }
  BOOST_REQUIRE(!both.is_done);
  return tls::classify(both.server.failure_code());
}

}  // namespace

namespace petstore::server {
static std::ostream& boost_test_print_type(std::ostream& out, handshake_failure f) {
  return out << static_cast<int>(f);
}
}  // namespace petstore::server

BOOST_AUTO_TEST_SUITE(tls_channel)

BOOST_AUTO_TEST_CASE(what_is_said_is_heard_in_both_versions) {
  tls_context const context{own()};
  for (int const version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    client_wishes wishes;
    wishes.version_max = version;
    both_sides both{context, wishes};
    both.shake_hands();
    both.client.encrypt("hello");
    BOOST_TEST((both.give(both.client.take_output()) == progress::needs_bytes));
    BOOST_TEST(both.heard == "hello");
    BOOST_TEST(both.server.encrypt("hello yourself") == 14u);
    both.take_output();
    BOOST_TEST(both.client.decrypt() == "hello yourself");
  }
}

BOOST_AUTO_TEST_CASE(bytes_may_come_one_by_one) {
  tls_context const context{own()};
  both_sides both{context};
  both.shake_hands(1);
  both.client.encrypt("one");
  both.client.encrypt("two");
  both.give(both.client.take_output(), 1);
  BOOST_TEST(both.heard == "onetwo");
}

BOOST_AUTO_TEST_CASE(bytes_may_be_cut_anywhere) {
  tls_context const context{own()};
  both_sides whole{context};
  whole.shake_hands();
  for (std::size_t cut = 1; cut < 60; ++cut) {
    whole.heard.clear();
    whole.client.encrypt("some words that are cut");
    auto const record = whole.client.take_output();
    whole.give(record.substr(0, cut));
    whole.give(record.substr(std::min(cut, record.size())));
    BOOST_TEST(whole.heard == "some words that are cut");
  }
  for (std::size_t cut = 1;; ++cut) {
    both_sides both{context};
    both.client.shake_hands();
    auto const hello = both.client.take_output();
    if (cut >= hello.size()) break;
    BOOST_TEST((both.give(hello.substr(0, cut)) == progress::needs_bytes));
    both.give(hello.substr(cut));
    both.take_output();
    BOOST_TEST(both.client.shake_hands());
  }
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_kept_for_the_next_call) {
  tls_context const context{own()};
  both_sides both{context};
  both.shake_hands();
  std::string const said(40'000, 'x');
  both.client.encrypt(said);
  {
    std::string const bytes = both.client.take_output();
    both.server.feed(bytes);
    char room[100];
    std::size_t n = 0;
    BOOST_TEST((both.server.decrypt(room, n) == progress::moved));
    BOOST_TEST(n == sizeof room);
    both.server.keep_input();
    both.heard.append(room, n);
  }
  BOOST_TEST(both.server.has_input());
  both.look();
  BOOST_TEST(both.heard.size() == said.size());
  BOOST_TEST(!both.server.has_input());
}

BOOST_AUTO_TEST_CASE(a_long_answer_is_encrypted_in_parts) {
  tls_context const context{own()};
  both_sides both{context};
  both.shake_hands();
  std::string const said(300'000, 'y');
  std::string_view rest{said};
  std::string heard;
  while (!rest.empty()) {
    auto const n = both.server.encrypt(rest);
    BOOST_REQUIRE(n != 0u);
    BOOST_TEST(both.server.output().size() < 70'000u);
    rest.remove_prefix(n);
    both.take_output();
    heard += both.client.decrypt();
  }
  BOOST_TEST(heard.size() == said.size());
}

BOOST_AUTO_TEST_CASE(an_end_is_said_and_heard) {
  tls_context const context{own()};
  both_sides both{context};
  both.shake_hands();
  both.client.encrypt("last words");
  both.client.say_end();
  BOOST_TEST((both.give(both.client.take_output()) == progress::ended));
  BOOST_TEST(both.heard == "last words");
  both.server.encrypt("answer");
  both.server.say_end();
  BOOST_TEST(both.server.encrypt("too late") == 0u);
  both.take_output();
  BOOST_TEST(both.client.decrypt() == "answer");
  BOOST_TEST(both.client.has_heard_end());
}

BOOST_AUTO_TEST_CASE(an_end_that_comes_with_the_last_words_is_heard_after_them) {
  tls_context const context{own()};
  both_sides both{context};
  both.shake_hands();
  both.client.encrypt("last words");
  both.client.say_end();
  auto const sent = both.client.take_output();
  both.server.feed(sent);
  std::size_t n = 0;
  char room[100];
  BOOST_TEST((both.server.decrypt(room, n) == progress::moved));
  BOOST_TEST(n == 10u);
  BOOST_TEST(both.server.has_input());
  BOOST_TEST((both.server.decrypt(room, n) == progress::ended));
}

BOOST_AUTO_TEST_CASE(what_is_no_tls_fails_with_a_reason) {
  tls_context const context{own()};
  for (auto const& bytes :
       {std::string{"\x16\x03\x01\x00\x05hello", 10}, std::string(11, '\xff'), std::string{"GET / HTTP/1.1\r\n\r\n"}}) {
    both_sides both{context};
    BOOST_TEST((both.give(bytes) == progress::failed));
    BOOST_TEST(!both.server.failure().empty());
    std::size_t n = 0;
    char room[10];
    BOOST_TEST((both.server.decrypt(room, n) == progress::failed));
    BOOST_TEST(both.server.encrypt("x") == 0u);
  }
}

BOOST_AUTO_TEST_CASE(a_record_that_was_tampered_with_fails_after_what_came_before_it) {
  tls_context const context{own()};
  both_sides both{context};
  both.shake_hands();
  both.client.encrypt("good");
  auto bytes = both.client.take_output();
  both.client.encrypt("bad");
  bytes += both.client.take_output();
  bytes.back() ^= 1;
  BOOST_TEST((both.give(bytes) == progress::failed));
  BOOST_TEST(both.heard == "good");
  both.take_output();
  BOOST_CHECK_THROW(both.client.decrypt(), client_failure);  // the alert
}

BOOST_AUTO_TEST_CASE(versions_before_1_2_are_refused) {
  tls_context const context{own()};
  client_wishes wishes;
  wishes.version_max = TLS1_1_VERSION;
  both_sides both{context, wishes};
  SSL_set_security_level(both.client.ssl(), 0);
  SSL_set_min_proto_version(both.client.ssl(), TLS1_VERSION);
  BOOST_CHECK_THROW((both.shake_hands(), both.client.shake_hands()), client_failure);
}

BOOST_AUTO_TEST_CASE(http_1_1_is_chosen_where_it_is_offered_and_nothing_else) {
  tls_context const context{own()};
  client_wishes wishes;
  wishes.protocols = "\2h2\10http/1.1";
  both_sides both{context, wishes};
  both.shake_hands();
  unsigned char const* chosen = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(both.client.ssl(), &chosen, &size);
  BOOST_TEST((std::string{reinterpret_cast<char const*>(chosen), size} == "http/1.1"));

  wishes.protocols = "\2h2";
  both_sides other{context, wishes};
  BOOST_TEST((other.shake_hands() == progress::failed));
  BOOST_CHECK_THROW(other.client.shake_hands(), client_failure);
}

BOOST_AUTO_TEST_CASE(the_name_that_is_asked_for_does_not_matter) {
  tls_context const context{own()};
  for (char const* name : {"pets.example", "nobody.invalid"}) {
    client_wishes wishes;
    wishes.server_name = name;
    both_sides both{context, wishes};
    BOOST_TEST((both.shake_hands() == progress::moved));
  }
}

BOOST_AUTO_TEST_CASE(a_client_with_which_nothing_is_shared_is_told_from_one_that_breaks_the_rules) {
  tls_context const context{own()};
  using enum handshake_failure;
  BOOST_TEST(why_refused(context, {.version_max = TLS1_1_VERSION}, [](SSL* client) {
               SSL_set_security_level(client, 0);
               SSL_set_min_proto_version(client, TLS1_VERSION);
             }) == unsupported);
  BOOST_TEST(why_refused(context, {.protocols = "\2h2"}) == unsupported);
  BOOST_TEST(why_refused(context, {.version_max = TLS1_2_VERSION},
                         [](SSL* client) { SSL_set_cipher_list(client, "AES128-SHA256"); }) == unsupported);
  for (int const version : {TLS1_2_VERSION, TLS1_3_VERSION})
    BOOST_TEST(why_refused(context, {.version_max = version},
                           [](SSL* client) { SSL_set1_groups_list(client, "P-521"); }) == unsupported);

  for (auto const& bytes : {std::string{"\x16\x03\x01\x00\x05hello", 10}, std::string(11, '\xff')}) {
    both_sides both{context};
    BOOST_TEST((both.give(bytes) == progress::failed));
    BOOST_TEST(tls::classify(both.server.failure_code()) == malformed);
  }
  BOOST_TEST(tls::classify(0) == other);
}

BOOST_AUTO_TEST_CASE(who_does_not_believe_the_other_sides_certificate_is_told) {
  authority const known{"known"}, unknown{"unknown"};
  auto const bad = unknown.issue("DNS:client");
  tls_context const required{asking(known, client_certificates::required)};
  for (int const version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    BOOST_TEST(why_refused(required, {.version_max = version}) == handshake_failure::certificate);
    BOOST_TEST(why_refused(required, {.own = &bad, .version_max = version}) == handshake_failure::certificate);
    BOOST_TEST(why_refused(tls_context{own()}, {.version_max = version}, [](SSL* client) {
                 SSL_set_verify(client, SSL_VERIFY_PEER, nullptr);
               }) == handshake_failure::rejected);
  }
}

BOOST_AUTO_TEST_CASE(a_session_is_resumed_by_its_ticket_also_with_another_certificate) {
  for (int const version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    tls_context context{own()};
    client_wishes wishes;
    wishes.version_max = version;
    both_sides first{context, wishes};
    first.shake_hands();
    first.client.decrypt();  // the ticket
    BOOST_TEST(!first.server.is_resumed());
    auto* const session = SSL_get1_session(first.client.ssl());
    wishes.session = session;
    auto const fresh = self_signed();
    context.replace({fresh.certificate, fresh.key, {}, {}});
    both_sides second{context, wishes};
    second.shake_hands();
    BOOST_TEST(second.server.is_resumed());

    tls_context const elsewhere{own()};
    both_sides third{elsewhere, wishes};
    third.shake_hands();
    BOOST_TEST(!third.server.is_resumed());
    SSL_SESSION_free(session);
  }
}

BOOST_AUTO_TEST_CASE(clients_show_a_certificate_that_is_believed_where_they_have_to) {
  authority const known{"known"}, unknown{"unknown"};
  auto const good = known.issue("DNS:client"), bad = unknown.issue("DNS:client");
  auto const expired = known.issue("DNS:client", {std::chrono::hours{-48}, std::chrono::hours{-24}});
  tls_context const required{asking(known, client_certificates::required)};
  tls_context const optional{asking(known, client_certificates::optional)};
  for (int const version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    BOOST_TEST(gets_in(required, &good, version));
    BOOST_TEST(!gets_in(required, nullptr, version));
    BOOST_TEST(!gets_in(required, &bad, version));
    BOOST_TEST(!gets_in(required, &expired, version));
    BOOST_TEST(gets_in(optional, &good, version));
    BOOST_TEST(gets_in(optional, nullptr, version));
    BOOST_TEST(!gets_in(optional, &bad, version));
  }
}

BOOST_AUTO_TEST_CASE(no_ticket_gets_a_client_past_rules_that_have_changed) {
  authority const old_one{"old"}, new_one{"new"};
  auto const shown = old_one.issue("DNS:client");
  tls_context context{asking(old_one, client_certificates::required)};
  client_wishes wishes;
  wishes.own = &shown;
  both_sides first{context, wishes};
  first.shake_hands();
  first.client.decrypt();
  auto* const session = SSL_get1_session(first.client.ssl());
  context.replace(asking(new_one, client_certificates::required));
  wishes.session = session;
  both_sides second{context, wishes};
  BOOST_TEST((second.shake_hands() == progress::failed));
  SSL_SESSION_free(session);
}

BOOST_AUTO_TEST_SUITE_END()
