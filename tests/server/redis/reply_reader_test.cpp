// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "reply_reader.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "wire.hpp"

namespace petstore::redis {

BOOST_AUTO_TEST_SUITE(redis_reply_reader)

namespace {

using kind = reply::kind;

/// All replies of these bytes in pieces of that size, until a failure.
std::vector<reply> read_all(std::string_view bytes, std::size_t piece, std::string* why = nullptr,
                            reply_limits limits = {}) {
  reply_reader reader{limits};
  std::vector<reply> all;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    auto const fed = reader.feed(bytes.substr(at, piece));
    for (;;) {
      auto next = fed ? reader.next() : result<std::optional<reply>>{fed.error()};
      if (!next) {
        if (why) *why = next.error().detail;
        return all;
      }
      if (!*next) break;
      all.push_back(std::move(**next));
    }
  }
  return all;
}

BOOST_AUTO_TEST_CASE(replies_are_the_same_however_they_are_cut) {
  std::string const bytes =
      "+OK\r\n-ERR no\r\n:-42\r\n$-1\r\n*-1\r\n$0\r\n\r\n$5\r\na\r\nb\0\r\n"
      "*3\r\n:1\r\n*2\r\n$1\r\nx\r\n*0\r\n*1\r\n*1\r\n$-1\r\n+PONG\r\n";
  std::string const whole{bytes.data(), bytes.size()};
  auto const expected = read_all(whole, whole.size());
  BOOST_REQUIRE(expected.size() >= 6U);
  BOOST_TEST((expected[0].type == kind::status && expected[0].text == "OK"));
  BOOST_TEST((expected[1].is_error() && expected[1].text == "ERR no"));
  BOOST_TEST(expected[2].integer == -42);
  BOOST_TEST((expected[3].type == kind::nil));
  BOOST_TEST((expected[4].type == kind::nil));
  BOOST_TEST((expected[5].type == kind::text && expected[5].text.empty()));
  for (std::size_t piece = 1; piece < whole.size(); ++piece) {
    BOOST_TEST_CONTEXT(piece) {
      BOOST_TEST((read_all(whole, piece) == expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(arrays_hold_arrays) {
  auto const all = read_all("*3\r\n:1\r\n*2\r\n$1\r\nx\r\n*0\r\n*1\r\n*1\r\n$-1\r\n+PONG\r\n", 1);
  BOOST_REQUIRE(all.size() == 2U);
  auto const& outer = all[0];
  BOOST_REQUIRE(outer.elements.size() == 3U);
  BOOST_TEST(outer.elements[0].integer == 1);
  BOOST_TEST(outer.elements[1].elements[0].text == "x");
  BOOST_TEST(outer.elements[1].elements[1].is_array());
  BOOST_TEST(outer.elements[1].elements[1].elements.empty());
  BOOST_TEST((outer.elements[2].elements[0].elements[0].type == kind::nil));
  BOOST_TEST(all[1].text == "PONG");
}

BOOST_AUTO_TEST_CASE(what_is_no_reply_is_a_failure_however_it_is_cut) {
  for (std::string const bytes :
       {"HTTP/1.1 400 Bad Request\r\n", "\r\n", ":12x\r\n", "$-2\r\n", "*-2\r\n", "*x\r\n", "$99999999999999999999\r\n",
        "*99999999999999999999\r\n", "%1\r\n+a\r\n+b\r\n", "_\r\n", ",1.5\r\n", "#t\r\n", "~1\r\n:1\r\n",
        ">1\r\n:1\r\n", "(12\r\n", "=5\r\ntxt:x\r\n", "*1\r\n#t\r\n", "$4\r\nabcdefgh"}) {
    for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
      std::string why;
      BOOST_TEST_CONTEXT(bytes << " in " << piece) {
        BOOST_TEST(read_all("+before\r\n" + bytes, piece, &why).size() == 1U);
        BOOST_TEST(!why.empty());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_length_that_is_claimed_costs_nothing) {
  std::string why;
  // 2^31-1 elements, in each of them as many again.
  std::string deep;
  for (int i = 0; i < 5; ++i) deep += "*2147483647\r\n";
  BOOST_TEST(read_all(deep, 3, &why).empty());
  BOOST_TEST(why.empty());
  BOOST_TEST(read_all("$536870912\r\nx", 3, &why).empty());
  BOOST_TEST(why.empty());
}

BOOST_AUTO_TEST_CASE(a_reply_above_the_limit_is_a_failure) {
  reply_limits const limits{100, 6};
  auto const text = [](std::size_t size) {
    return '$' + std::to_string(size) + "\r\n" + std::string(size, 'x') + "\r\n";
  };
  std::string why;
  auto const fits = text(100 - text(10).size() + 10);
  BOOST_REQUIRE(fits.size() == 100U);
  auto const exceeds = text(100 - text(10).size() + 11);
  for (std::size_t piece : {1U, 7U, 1000U}) {
    why.clear();
    BOOST_TEST(read_all(fits + fits, piece, &why, limits).size() == 2U);
    BOOST_TEST(why.empty());
    BOOST_TEST(read_all(fits + exceeds, piece, &why, limits).size() == 1U);
    BOOST_TEST(why == "It is larger than is allowed.");
  }
  // Many small ones are no large one.
  why.clear();
  std::string many;
  for (int i = 0; i < 100; ++i) many += text(50);
  BOOST_TEST(read_all(many, 70, &why, limits).size() == 100U);
  BOOST_TEST(why.empty());
}

BOOST_AUTO_TEST_CASE(arrays_nest_no_deeper_than_the_limit) {
  std::string why;
  auto const nested = [](int depth) {
    std::string bytes;
    for (int i = 0; i < depth; ++i) bytes += "*1\r\n";
    return bytes + ":1\r\n";
  };
  BOOST_TEST(read_all(nested(6), 100, &why).size() == 1U);
  BOOST_TEST(why.empty());
  for (int depth : {7, 8, 9, 100}) {
    why.clear();
    BOOST_TEST(read_all(nested(depth), 100, &why).empty());
    BOOST_TEST(!why.empty());
  }
}

BOOST_AUTO_TEST_CASE(a_command_is_an_array_of_its_words) {
  std::string bytes;
  append_command(bytes, {"SET", "", std::string{"a\0\r\n", 4}});
  BOOST_TEST(bytes == (std::string{"*3\r\n$3\r\nSET\r\n$0\r\n\r\n$4\r\na\0\r\n\r\n", 29}));
  auto const read = read_all(bytes, 1);
  BOOST_REQUIRE(read.size() == 1U);
  BOOST_TEST(read[0].elements[2].text == (std::string{"a\0\r\n", 4}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::redis
