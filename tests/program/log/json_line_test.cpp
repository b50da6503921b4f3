// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/json_line.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <vector>

#include "petstore/server/address_range.hpp"
#include "petstore/server/request.hpp"
#include "program/log/noon.hpp"

BOOST_AUTO_TEST_SUITE(json_line)

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;
namespace json = boost::json;

namespace {

json::object log_line(std::string_view detail, std::string_view request_id = {}) {
  std::string line;
  begin_log_line(line, noon, server::severity::warning, "store_failed", detail, request_id).close();
  BOOST_TEST(line.find('\n') == std::string::npos);
  return json::parse(line).as_object();
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_log_line_has_time_level_and_event) {
  auto const line = log_line("the disk is full", "req-1");
  BOOST_TEST(line.at("time").as_string() == "2026-06-01T12:00:00.007Z");
  BOOST_TEST(line.at("level").as_string() == "warning");
  BOOST_TEST(line.at("event").as_string() == "store_failed");
  BOOST_TEST(line.at("detail").as_string() == "the disk is full");
  BOOST_TEST(line.at("request_id").as_string() == "req-1");
}

BOOST_AUTO_TEST_CASE(what_is_empty_is_left_out) {
  auto const line = log_line("");
  BOOST_TEST(!line.contains("detail"));
  BOOST_TEST(!line.contains("request_id"));
}

BOOST_AUTO_TEST_CASE(a_line_about_a_request_of_a_trace_is_found_from_there) {
  server::request request;
  std::vector<server::header_field> const fields{
      {"traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}};
  request.fields = fields;
  request.request_id = "req-1";
  std::string text;
  begin_log_line(text, noon, server::severity::error, "internal", {}, server::log_origin{request}).close();
  auto const line = json::parse(text).as_object();
  BOOST_TEST(line.at("request_id").as_string() == "req-1");
  BOOST_TEST(line.at("trace_id").as_string() == "4bf92f3577b34da6a3ce929d0e0e4736");
  BOOST_TEST(line.at("parent_id").as_string() == "00f067aa0ba902b7");
}

BOOST_AUTO_TEST_CASE(any_bytes_make_valid_json) {
  std::string every;
  for (int c = 0; c < 256; ++c) every += static_cast<char>(c);
  BOOST_TEST(log_line(every).contains("detail"));
  for (std::string_view const broken :
       {"\xc3", "\xe2\x82", "\xf0\x9f\x90", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff\xfe", "a\x80z"}) {
    auto const detail = log_line(broken).at("detail").as_string();
    BOOST_TEST(detail.find("\xEF\xBF\xBD") != json::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(text_beyond_ascii_stays) {
  BOOST_TEST(log_line("Käfig … 🐕").at("detail").as_string() == "Käfig … 🐕");
}

BOOST_AUTO_TEST_CASE(a_key_never_reaches_a_line) {
  BOOST_TEST(log_line("got ps_live_0123456789").at("detail").as_string() == "got ps_live_***");
  BOOST_TEST(log_line("", "ps_test_abcdef").at("request_id").as_string() == "ps_test_***");
}

BOOST_AUTO_TEST_CASE(a_peer_is_written_as_people_write_it) {
  BOOST_TEST(server::address_text({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 1}) == "10.0.0.1");
  BOOST_TEST(server::address_text({0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}) == "2001:db8::1");
}

BOOST_AUTO_TEST_SUITE_END()
