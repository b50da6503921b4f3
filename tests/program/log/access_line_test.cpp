// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/access_line.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>
#include <vector>

#include "program/log/noon.hpp"

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;
namespace json = boost::json;

namespace {

/// An answered request with everything filled in.
struct answered {
  server::request request;
  server::response response;
  access_line lines;
  std::string space;

  answered() {
    request.method = server::method::patch;
    request.target = "/v1/pets/7?x=1";
    request.path = "/v1/pets/7";
    request.query = "x=1";
    request.request_id = "abc";
    request.peer = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 7};
    response.status = 409;
    response.notes.operation = "updatePet";
    response.notes.key = 17;
    response.notes.decision = limits::decision::admitted;
    response.notes.error_code = "conflict";
  }

  std::string_view write(log_time time, server::access_record const& r, std::uint32_t stands_for = 1,
                         std::uint64_t suppressed = 0) {
    space.assign(access_line::bytes_max(r), '?');
    return {space.data(), lines.write(space.data(), time, r, stands_for, suppressed)};
  }
  std::string_view text(log_time time = noon) { return write(time, {request, response, 1'234'567ns, 512}); }
  json::object line(log_time time = noon) { return json::parse(text(time)).as_object(); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(access_line_suite, answered)

BOOST_AUTO_TEST_CASE(a_line_tells_who_asked_what_and_what_came_of_it) {
  BOOST_TEST(text() ==
             R"({"time":"2026-06-01T12:00:00.007Z","request_id":"abc","key":"k17","peer":"192.0.2.7",)"
             R"("method":"PATCH","path":"/v1/pets/7","operation":"updatePet","status":409,"error":"conflict",)"
             R"("decision":"admitted","bytes":512,"duration_us":1234})"
             "\n");
}

BOOST_AUTO_TEST_CASE(a_method_that_http_does_not_know_is_left_out) {
  request.method = server::method::unknown;
  BOOST_TEST(!line().contains("method"));
  BOOST_TEST(line().at("path").as_string() == "/v1/pets/7");
}

BOOST_AUTO_TEST_CASE(a_line_that_stands_for_others_says_for_how_many) {
  std::string_view const alone = write(noon, {request, response, 1ns, 2});
  BOOST_TEST(!json::parse(alone).as_object().contains("sample"));
  std::string_view const of_many = write(noon, {request, response, 1ns, 2}, 100);
  BOOST_TEST(json::parse(of_many).at("sample").as_int64() == 100);
}

BOOST_AUTO_TEST_CASE(a_line_says_how_many_before_it_have_none) {
  BOOST_TEST(!line().contains("suppressed"));
  std::string_view const after_others = write(noon, {request, response, 1ns, 2}, 1, 4'711);
  BOOST_TEST(json::parse(after_others).at("suppressed").as_int64() == 4'711);
}

BOOST_AUTO_TEST_CASE(the_client_behind_a_proxy_is_named_beside_it) {
  response.notes.client = request.peer;
  BOOST_TEST(!line().contains("client"));
  response.notes.client = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 198, 51, 100, 1};
  BOOST_TEST(line().at("peer").as_string() == "192.0.2.7");
  BOOST_TEST(line().at("client").as_string() == "198.51.100.1");
  response.notes.client.back() = 2;
  BOOST_TEST(line().at("client").as_string() == "198.51.100.2");
}

BOOST_AUTO_TEST_CASE(a_long_path_is_cut_and_its_length_told) {
  std::string const fits = "/" + std::string(access_line::path_bytes_max - 1, 'a');
  request.path = fits;
  BOOST_TEST(line().at("path").as_string() == fits);
  BOOST_TEST(!line().contains("path_bytes"));
  std::string const long_path = fits + std::string(8'000, 'b');
  request.path = long_path;
  BOOST_TEST(line().at("path").as_string() == fits);
  BOOST_TEST(line().at("path_bytes").as_int64() == std::int64_t(long_path.size()));
}

BOOST_AUTO_TEST_CASE(a_key_where_a_long_path_is_cut_is_blotted_out_whole) {
  auto const key = "ps_live_" + std::string(20, 'a') + std::string(23, 'B');
  for (auto const* begin : {"", "x/"}) {  // with its prefix, and what is left without
    std::string const path = "/" + std::string(access_line::path_bytes_max - 20, '.') + begin +
                             key.substr(*begin ? 8 : 0) + std::string(300, '.');
    request.path = path;
    BOOST_TEST(text().find("aaaa") == std::string_view::npos, path);
  }
}

BOOST_AUTO_TEST_CASE(the_query_is_not_written) {
  BOOST_TEST(text().find("x=1") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_request_of_a_trace_is_found_from_there) {
  std::vector<server::header_field> fields{{"traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}};
  request.fields = fields;
  BOOST_TEST(line().at("trace_id").as_string() == "4bf92f3577b34da6a3ce929d0e0e4736");
  BOOST_TEST(line().at("parent_id").as_string() == "00f067aa0ba902b7");
  fields.front().value = "00-anything";
  BOOST_TEST(!line().contains("trace_id"));
}

BOOST_AUTO_TEST_CASE(what_never_became_a_request_has_neither_method_nor_path) {
  request.target = request.path = {};
  response.notes = {};
  BOOST_TEST(text() == R"({"time":"2026-06-01T12:00:00.007Z","request_id":"abc","peer":"192.0.2.7","status":409,)"
                       R"("decision":"observed","bytes":512,"duration_us":1234})"
                       "\n");
}

BOOST_AUTO_TEST_CASE(every_decision_has_its_name) {
  for (auto const& [decision, name] : {std::pair{limits::decision::admitted, "admitted"},
                                       {limits::decision::rate_limited, "rate_limited"},
                                       {limits::decision::banned, "banned"},
                                       {limits::decision::observed, "observed"}}) {
    response.notes.decision = decision;
    BOOST_TEST(line().at("decision").as_string() == name);
  }
}

BOOST_AUTO_TEST_CASE(a_key_never_reaches_a_line) {
  request.path = request.target = "/v1/pets/ps_live_abcdef";
  request.request_id = "ps_test_abcdef";
  BOOST_TEST(line().at("path").as_string() == "/v1/pets/ps_live_***");
  BOOST_TEST(line().at("request_id").as_string() == "ps_test_***");
  request.path = "/%70%73%5flive%5F%61bc";
  BOOST_TEST(line().at("path").as_string() == "/ps_live_***");
  request.path = "/aBcDeFgHiJaBcDeFgHiJaBcDeFgHiJaBcDeFgHiJaBc";
  BOOST_TEST(line().at("path").as_string() == "/***");
  request.path = "/ABcDeFgHiJaBcDeFgHiJaBcDeFgH?";  // as short as it can be
  BOOST_TEST(line().at("path").as_string() == "/***?");
}

BOOST_AUTO_TEST_CASE(a_byte_that_needs_care_is_seen_wherever_it_stands) {
  for (std::size_t size = 1; size <= 40; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      for (char const c : {'\n', '"', '\\', '\x7f', '\x80', '\xff'}) {
        std::string id(size, 'z');
        id[at] = c;
        request.request_id = id;
        auto const written = line().at("request_id").as_string();
        BOOST_TEST(written == (c < 0 ? id.replace(at, 1, "\xEF\xBF\xBD") : id));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_id_of_the_usual_kinds_stays) {
  for (std::string_view const id : {"123e4567-e89b-12d3-a456-426614174000", "4bf92f3577b34da6a3ce929d0e0e4736",
                                    "01ARZ3NDEKTSV4RRFFQ69G5FAV", "0ujtsYcgvSTl8PAuAdqWYSMnLOv"}) {
    request.request_id = id;
    BOOST_TEST(line().at("request_id").as_string() == id);
  }
}

BOOST_AUTO_TEST_CASE(any_byte_of_a_path_makes_valid_json) {
  for (int c = 0; c < 256; ++c) {
    std::string const path{'/', static_cast<char>(c), 'x'};
    request.path = path;
    auto const written = line().at("path").as_string();
    if (c < 0x80) BOOST_TEST(written == path);
    if (c >= 0x80) BOOST_TEST(written == "/\xEF\xBF\xBDx");
  }
}

BOOST_AUTO_TEST_CASE(the_longest_and_worst_path_fits_and_so_does_the_short_one_after_it) {
  std::string const worst(64 * 1024, '\x1f');
  request.path = request.request_id = worst;
  response.notes.key = std::numeric_limits<std::uint64_t>::max();
  BOOST_TEST(line().at("request_id").as_string() == worst);
  BOOST_TEST(line().at("path").as_string() == worst.substr(0, access_line::path_bytes_max));
  request.path = "/";
  BOOST_TEST(line().at("path").as_string() == "/");
}

BOOST_AUTO_TEST_CASE(the_time_follows_the_clock_wherever_it_goes) {
  BOOST_TEST(line(noon).at("time").as_string() == "2026-06-01T12:00:00.007Z");
  BOOST_TEST(line(noon + 992ms).at("time").as_string() == "2026-06-01T12:00:00.999Z");
  BOOST_TEST(line(noon + 993ms).at("time").as_string() == "2026-06-01T12:00:01.000Z");
  BOOST_TEST(line(noon - 8ms).at("time").as_string() == "2026-06-01T11:59:59.999Z");
  BOOST_TEST(line(log_time{}).at("time").as_string() == "1970-01-01T00:00:00.000Z");
}

BOOST_AUTO_TEST_CASE(each_line_has_its_own_peer) {
  BOOST_TEST(line().at("peer").as_string() == "192.0.2.7");
  request.peer = {0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  BOOST_TEST(line().at("peer").as_string() == "2001:db8::1");
  request.peer = {};
  BOOST_TEST(line().at("peer").as_string() == "::");
}

BOOST_AUTO_TEST_SUITE_END()
