// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// Random records and random bodies, from fixed seeds.
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>

#include "json_fault.hpp"
#include "petstore/json.hpp"
#include "utf8_text.hpp"

BOOST_AUTO_TEST_SUITE(json_fuzz)

using namespace petstore;

namespace {

class dice {
 public:
  explicit dice(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  bool coin() { return below(2) != 0; }
  std::int64_t integer() { return static_cast<std::int64_t>(random_() >> below(64)) * (coin() ? 1 : -1); }
  std::int64_t id() { return static_cast<std::int64_t>((random_() >> (1 + below(63))) | 1); }
  unix_ms time() { return unix_ms{std::chrono::milliseconds{below(4'102'444'800'000)}}; }
  std::string name() {
    std::string out{"n"};
    auto size = below(254);
    while (size-- != 0) {
      char32_t c = 0;
      do c = static_cast<char32_t>(coin() ? 0x20 + below(0x5F) : 0xA0 + below(0x10FF60));
      while (c >= 0xD800 && c <= 0xDFFF);
      out += tests::utf8(c);
    }
    return out;
  }
  template <class T>
  std::optional<T> maybe(T value) {
    return coin() ? std::optional<T>(std::move(value)) : std::nullopt;
  }

 private:
  std::mt19937_64 random_;
};

std::string mutate(std::string body, dice& d) {
  static constexpr std::string_view pieces[] = {
      "\"",   "\\", "{", "}", "[",    "]",    ",",    ":",    "\\u",          "\\ud83d",
      "null", "1e", "-", ".", "name", "\xF0", "\xFF", "\x80", "\xEF\xBB\xBF", "categoryId"};
  for (auto steps = 1 + d.below(4); steps-- != 0;) {
    auto const at = d.below(body.size() + 1);
    switch (d.below(4)) {
      case 0: body.erase(at, d.below(5)); break;
      case 1: body.insert(at, pieces[d.below(std::size(pieces))]); break;
      case 2: body.insert(at, 1, static_cast<char>(d.below(256))); break;
      case 3:
        if (at < body.size()) body[at] = static_cast<char>(d.below(256));
        break;
    }
  }
  return body;
}

}  // namespace

BOOST_AUTO_TEST_CASE(decoding_undoes_encoding) {
  dice d(1);
  for (int i = 0; i < 1500; ++i) {
    pet const p{.id = d.id(),
                .name = d.name(),
                .category_id = d.integer(),
                .status = d.maybe(static_cast<pet_status>(1 + d.below(3)))};
    BOOST_REQUIRE((decode_json<pet>(to_json(p)).value() == p));
    category const c{.id = d.id(), .name = d.name()};
    BOOST_REQUIRE((decode_json<category>(to_json(c)).value() == c));
    order const o{.id = d.id(),
                  .pet_id = d.id(),
                  .status = static_cast<order_status>(1 + d.below(4)),
                  .created_at = d.time(),
                  .updated_at = d.time()};
    BOOST_REQUIRE((decode_json<order>(to_json(o)).value() == o));
  }
}

BOOST_AUTO_TEST_CASE(a_body_is_called_json_exactly_when_another_parser_takes_it) {
  dice d(2);
  std::string const seed =
      R"({"name":"Rex \ud83d\udc15 \u017e","categoryId":-12,"status":"sold","x":[1.5e3,{"y":null}]})";
  int taken = 0;
  for (int i = 0; i < 40'000; ++i) {
    auto const body = mutate(seed, d);
    auto const decoded = decode_json<new_pet>(body);
    auto const fault = tests::fault_of(decoded);

    boost::system::error_code ec;
    auto const value = boost::json::parse(body, ec);
    bool const is_object = !ec && value.is_object();
    bool const called_object = !fault.starts_with("the body");
    BOOST_REQUIRE_MESSAGE(is_object == called_object, body << ": " << fault);
    if (!decoded) continue;
    ++taken;
    BOOST_REQUIRE(find_name_fault(decoded->name).empty());
    BOOST_REQUIRE(std::string_view{value.at("name").as_string()} == decoded->name);
    BOOST_REQUIRE(value.at("categoryId").as_int64() == decoded->category_id);
  }
  BOOST_TEST(taken > 1000);  // else the mutations are too wild to try anything
}

BOOST_AUTO_TEST_CASE(every_prefix_of_a_body_is_refused_and_none_crashes) {
  std::string const body = R"({"name":"R\u0065x \ud83d\udc15","categoryId":-12,"status":"sold","x":[true,1e5]})";
  BOOST_TEST(tests::fault_of(decode_json<new_pet>(body)) == "");
  for (std::size_t size = 0; size < body.size(); ++size) {
    std::string const exact_size(body, 0, size);  // a heap block of its own, so that a sanitizer sees a read past it
    BOOST_TEST(!decode_json<new_pet>(exact_size));
  }
}

BOOST_AUTO_TEST_CASE(error_messages_of_hostile_bodies_are_json_themselves) {
  dice d(3);
  for (int i = 0; i < 5000; ++i) {
    auto const body = mutate(R"({"a\n":1,"a\n":2,"\u0000":1,"\u0000":2,"name":"Rex","name":"Max"})", d);
    auto const decoded = decode_json<new_pet>(body);
    if (decoded) continue;
    std::string answer;
    append_error_json(answer, decoded.error().code, decoded.error().message);
    boost::system::error_code ec;
    boost::json::parse(answer, ec);
    BOOST_REQUIRE_MESSAGE(!ec, answer);
  }
}

BOOST_AUTO_TEST_SUITE_END()
