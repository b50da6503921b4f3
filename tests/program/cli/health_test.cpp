// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/health.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

#include "support/time_limit.hpp"

namespace petstore::program {
namespace {

using namespace std::chrono_literals;
using boost::asio::ip::tcp;

/// What somebody at the admin address does with one connection, and what is made of it.
struct peer {
  boost::asio::io_context context;
  tcp::acceptor acceptor{context, {boost::asio::ip::address_v4::loopback(), 0}};
  std::string asked;
  std::ostringstream out;
  std::ostringstream err;

  loaded_settings settings(std::string const& host = "127.0.0.1") const {
    auto const port = std::to_string(acceptor.local_endpoint().port());
    return load_settings({{{"admin-listen", host + ":" + port}}, {}, {}});
  }

  exit_code ask(loaded_settings const& settings, health_page page = health_page::live,
                std::chrono::milliseconds deadline = petstore::tests::time_limit) {
    return health_command(settings, page, deadline, {std::cin, out, err});
  }

  exit_code ask_while_it_answers(std::string const& answer, health_page page = health_page::live) {
    std::jthread const other([&] {
      tcp::socket socket(context);
      acceptor.accept(socket);
      boost::asio::read_until(socket, boost::asio::dynamic_buffer(asked), "\r\n\r\n");
      boost::system::error_code gone;  // who has read enough may have left
      boost::asio::write(socket, boost::asio::buffer(answer), gone);
    });
    return ask(settings(), page);
  }

  bool complained_of(std::string_view text) const { return err.str().find(text) != std::string::npos; }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(health, peer)

BOOST_AUTO_TEST_CASE(answer_200_is_fine_and_shown) {
  BOOST_TEST((ask_while_it_answers("HTTP/1.1 200 OK\r\nA: b\r\n\r\n{}") == exit_code::fine));
  BOOST_TEST(asked.starts_with("GET /livez HTTP/1.1\r\n"), asked);
  BOOST_TEST(out.str() == "{}\n");
  BOOST_TEST(err.str().empty());
}

BOOST_AUTO_TEST_CASE(readiness_is_another_page_and_its_reason_is_said) {
  auto const answer = "HTTP/1.1 503 Service Unavailable\r\n\r\ndraining";
  BOOST_TEST((ask_while_it_answers(answer, health_page::ready) == exit_code::failed));
  BOOST_TEST(asked.starts_with("GET /readyz HTTP/1.1\r\n"), asked);
  BOOST_TEST(complained_of("/readyz: HTTP/1.1 503 Service Unavailable draining"), err.str());
}

BOOST_AUTO_TEST_CASE(whoever_speaks_otherwise_is_not_the_service) {
  BOOST_TEST((ask_while_it_answers("SSH-2.0-OpenSSH_9\r\n") == exit_code::failed));
  BOOST_TEST(complained_of("SSH-2.0"), err.str());
}

BOOST_AUTO_TEST_CASE(closing_without_an_answer_is_a_failure) {
  BOOST_TEST((ask_while_it_answers("") == exit_code::failed));
  BOOST_TEST(complained_of("closed without an answer"), err.str());
}

BOOST_AUTO_TEST_CASE(endless_answer_is_read_up_to_its_limit) {
  std::string const endless = "HTTP/1.1 200 OK\r\n\r\n" + std::string(64 * health_answer_bytes_max, 'x');
  BOOST_TEST((ask_while_it_answers(endless) == exit_code::fine));
  BOOST_TEST(out.str().size() < health_answer_bytes_max);
}

BOOST_AUTO_TEST_CASE(silence_is_a_failure_when_the_deadline_is_over) {
  BOOST_TEST((ask(settings(), health_page::live, 50ms) == exit_code::failed));
  BOOST_TEST(complained_of("no answer within 50 ms"), err.str());
}

BOOST_AUTO_TEST_CASE(nobody_there_is_a_failure) {
  auto const nobodys = settings();
  acceptor.close();
  BOOST_TEST((ask(nobodys) == exit_code::failed));
  BOOST_TEST(complained_of("refused"), err.str());
}

BOOST_AUTO_TEST_CASE(address_of_every_interface_is_asked_on_loopback) {
  BOOST_TEST((ask(settings("0.0.0.0"), health_page::live, 50ms) == exit_code::failed));
  BOOST_TEST(complained_of("http://127.0.0.1:"), err.str());
  BOOST_TEST((ask(settings("[::]"), health_page::live, 50ms) == exit_code::failed));
  BOOST_TEST(complained_of("http://[::1]:"), err.str());
}

BOOST_AUTO_TEST_CASE(port_that_is_chosen_at_each_start_cannot_be_asked) {
  auto const unknown = load_settings({{{"admin-listen", "127.0.0.1:0"}}, {}, {}});
  BOOST_CHECK_THROW(ask(unknown), config_error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::program
