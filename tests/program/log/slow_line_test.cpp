// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/slow_line.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "program/log/noon.hpp"

using namespace petstore;
using namespace petstore::program;
using namespace std::chrono_literals;

namespace {

struct slow_request {
  server::request request;
  server::response response;

  slow_request() {
    request.request_id = "abc";
    response.status = 201;
    response.notes.operation = "createPet";
    response.notes.key = 17;
    response.notes.handling = 600ms;
    response.notes.quota_wait = 20ms;
  }
  std::string line(std::chrono::nanoseconds duration, std::chrono::nanoseconds read) const {
    std::string out;
    append_slow_line(out, noon, {request, response, duration, 300, read});
    return out;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(slow_line_suite, slow_request)

BOOST_AUTO_TEST_CASE(a_line_tells_where_all_of_the_time_went) {
  BOOST_TEST(line(1s, 100ms) ==
             R"({"time":"2026-06-01T12:00:00.007Z","level":"warning","event":"slow_request","request_id":"abc",)"
             R"("key":"k17","operation":"createPet","status":201,"duration_us":1000000,"read_us":100000,)"
             R"("quota_us":20000,"store_us":580000,"write_us":300000})");
}

BOOST_AUTO_TEST_CASE(a_request_of_a_trace_is_found_from_there) {
  std::vector<server::header_field> fields{{"traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}};
  request.fields = fields;
  BOOST_TEST(line(1s, 0s).find(R"("trace_id":"4bf92f3577b34da6a3ce929d0e0e4736")") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_never_became_a_request_has_neither_key_nor_operation) {
  response.notes = {};
  response.status = 408;
  BOOST_TEST(line(10s, 10s) ==
             R"({"time":"2026-06-01T12:00:00.007Z","level":"warning","event":"slow_request","request_id":"abc",)"
             R"("status":408,"duration_us":10000000,"read_us":10000000,"quota_us":0,"store_us":0,"write_us":0})");
}

BOOST_AUTO_TEST_CASE(no_part_is_less_than_nothing) {
  BOOST_TEST(line(600ms, 1ms).find(R"("write_us":0})") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
