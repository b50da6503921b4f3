// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/service.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <set>

#include "api/operations.hpp"
#include "described_answers.hpp"
#include "petstore/list_query.hpp"
#include "service_fixture.hpp"

namespace petstore::server {
namespace {

namespace json = boost::json;

std::string lower(std::string_view s) {
  std::string out{s};
  for (auto& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

BOOST_AUTO_TEST_SUITE(openapi)

BOOST_AUTO_TEST_CASE(every_operation_of_the_table_is_described) {
  auto const document = json::parse(openapi_document({}));
  for (auto const& op : operations) {
    if (is_keyless(op.payment)) continue;  // a page
    auto const& paths = document.at("paths").as_object();
    BOOST_REQUIRE_MESSAGE(paths.contains(op.path), op.path);
    auto const& item = paths.at(op.path).as_object();
    BOOST_REQUIRE_MESSAGE(item.contains(lower(to_string(op.method))), op.name);
    auto const& described = item.at(lower(to_string(op.method))).as_object();
    BOOST_TEST(std::string_view{described.at("operationId").as_string()} == op.name);
    BOOST_TEST(described.contains("x-stability") == (op.stability == stability::beta), op.name);
    BOOST_TEST(described.contains("deprecated") == (op.stability == stability::deprecated), op.name);
    BOOST_TEST(!described.contains("security"), op.name << " has another security than the document's");
    for (auto const* status : {"401", "429", "500", "503"})
      BOOST_TEST(described.at("responses").as_object().contains(status), op.name << " " << status);
    BOOST_TEST(described.at("responses").as_object().contains("403") == (op.scope == key_scope::write), op.name);
  }
}

BOOST_AUTO_TEST_CASE(every_described_operation_is_in_the_table) {
  auto const document = json::parse(openapi_document({}));
  std::size_t described = 0;
  for (auto const& path : document.at("paths").as_object())
    for (auto const& member : path.value().as_object()) {
      if (member.key() == "parameters") continue;
      ++described;
      bool const is_known = std::ranges::any_of(operations, [&](auto const& op) {
        return op.path == std::string_view{path.key()} && lower(to_string(op.method)) == std::string_view{member.key()};
      });
      BOOST_TEST(is_known, path.key() << " " << member.key());
    }
  auto const pages = std::ranges::count_if(operations, is_keyless, &operation::payment);
  BOOST_TEST(described + static_cast<std::size_t>(pages) == operations.size());
}

BOOST_AUTO_TEST_CASE(both_addresses_are_there_the_active_one_first) {
  service_options options;
  options.base_url = "https://pets.example/v1";
  options.staging_base_url = "https://staging.pets.example/v1";
  auto document = json::parse(openapi_document(options));
  BOOST_TEST(document.at("servers").at(0).at("url").as_string() == options.base_url);
  BOOST_TEST(document.at("servers").at(1).at("url").as_string() == options.staging_base_url);
  options.environment = environment::staging;
  document = json::parse(openapi_document(options));
  BOOST_TEST(document.at("servers").at(0).at("url").as_string() == options.staging_base_url);
  BOOST_TEST(document.at("servers").at(1).at("url").as_string() == options.base_url);
  BOOST_TEST(document.at("info").at("version").as_string() == "1.0.0");
  BOOST_TEST(std::string_view{document.at("openapi").as_string()}.starts_with("3.1."));
}

BOOST_AUTO_TEST_CASE(what_an_operation_costs_is_told_unless_it_is_one_token) {
  service_options options;
  options.costs = {{"createPet", limits::cost{5}}, {"listPets", limits::cost{1}}};
  auto const document = json::parse(openapi_document(options));
  auto const plain = json::parse(openapi_document({}));
  auto const& described = document.at("paths").at("/pets").at("post").as_object();
  BOOST_TEST(described.at("x-cost").as_int64() == 5);
  auto const text = std::string{plain.at("paths").at("/pets").at("post").at("description").as_string()};
  BOOST_TEST(std::string_view{described.at("description").as_string()} == text + "\n\nA request costs 5 tokens.");
  BOOST_TEST(document.at("paths").at("/pets").at("get") == plain.at("paths").at("/pets").at("get"));
}

BOOST_AUTO_TEST_CASE(every_error_code_is_described_and_no_other) {
  auto const document = json::parse(openapi_document({}));
  auto const& codes = document.at_pointer("/components/schemas/Error/properties/code/enum").as_array();
  std::set<std::string_view> described;
  for (auto const& code : codes) described.insert(code.as_string());
  std::set<std::string_view> known;
  for (std::size_t i = 0; i < errc_count; ++i) known.insert(describe(static_cast<errc>(i)).code);
  BOOST_TEST(described == known, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_limit_of_a_list_is_described_as_it_is_checked) {
  auto const document = json::parse(openapi_document({}));
  auto const& schema = document.at_pointer("/components/parameters/Limit/schema");
  BOOST_TEST(schema.at("maximum").to_number<std::uint32_t>() == list_query::limit_max);
  BOOST_TEST(schema.at("default").to_number<std::uint32_t>() == list_query{}.limit);
}

BOOST_AUTO_TEST_CASE(examples_fit_their_schemas) {
  described_answers const judge{openapi_document({})};
  for (auto const& schema : judge.document().at("components").at("schemas").as_object()) {
    auto const* examples = schema.value().as_object().if_contains("examples");
    BOOST_REQUIRE_MESSAGE(examples, schema.key() << " has no example");
    for (auto const& example : examples->as_array()) {
      faults found;
      judge.check_value(schema.value(), example, schema.key(), found);
      BOOST_TEST(found.empty(), schema.key() << (found.empty() ? "" : found.front()));
    }
  }
}

/// Of every media type below a part of the document.
template <class Visitor>
void visit_media_types(json::value const& part, Visitor const& visit) {
  if (auto const* list = part.if_array()) {
    for (auto const& each : *list) visit_media_types(each, visit);
  } else if (auto const* object = part.if_object()) {
    for (auto const& [name, value] : *object) {
      if (name == "content") {
        for (auto const& type : value.as_object()) visit(type.value().as_object());
      } else {
        visit_media_types(value, visit);
      }
    }
  }
}

// Named ones, since the documentation page takes a bare `example` for something else.
BOOST_AUTO_TEST_CASE(every_body_has_a_named_example_that_fits_it) {
  described_answers const judge{openapi_document({})};
  std::size_t seen = 0;
  visit_media_types(judge.document(), [&](json::object const& type) {
    BOOST_TEST(!type.contains("example"));
    auto const* examples = type.if_contains("examples");
    if (!examples) return;
    for (auto const& example : examples->as_object()) {
      faults found;
      judge.check_value(type.at("schema"), example.value().at("value"), example.key(), found);
      BOOST_TEST(found.empty(), example.key() << (found.empty() ? "" : ": " + found.front()));
      ++seen;
    }
  });
  BOOST_TEST(seen >= 38u);
}

BOOST_AUTO_TEST_CASE(the_judge_sees_what_is_wrong) {
  described_answers const judge{openapi_document({})};
  service_fixture s;
  auto const key = s.make_key();
  auto const good = s.send(method::post, "/v1/pets", key, R"({"name":"Rosa","categoryId":1})");
  BOOST_REQUIRE(good.status == 201u);
  auto const judged = [&](unsigned status, std::string_view body) {
    return judge.judge("createPet", status, good.fields, body);
  };
  BOOST_TEST(judged(201, good.body).empty());
  BOOST_TEST(!judged(202, good.body).empty());
  for (auto const* bad :
       {"", "{}", "[]", R"({"id":"1","name":"Rosa","categoryId":1})", R"({"id":1.0,"name":"Rosa","categoryId":1})",
        R"({"id":1,"name":"","categoryId":1})", R"({"id":1,"name":"Rosa","categoryId":1,"status":"lost"})",
        R"({"id":1,"name":"Rosa","categoryId":1,"secret":1})",
        R"({"id":9223372036854775808,"name":"R","categoryId":1})"})
    BOOST_TEST(!judged(201, bad).empty(), bad);
  auto fields = good.fields;
  fields.emplace_back("X-Surprise", "1");
  BOOST_TEST(judge.judge("createPet", 201, fields, good.body).size() == 1u);
  std::erase_if(fields, [](auto const& f) { return f.first == "X-Surprise" || f.first == "Location"; });
  BOOST_TEST(judge.judge("createPet", 201, fields, good.body).size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(description_page)

BOOST_AUTO_TEST_CASE(one_address_for_both_environments_is_there_once) {
  service_options options;
  options.base_url = options.staging_base_url = "https://pets.example/v1";
  auto document = json::parse(openapi_document(options));
  BOOST_REQUIRE(document.at("servers").as_array().size() == 1u);
  BOOST_TEST(document.at("servers").at(0).at("url").as_string() == options.base_url);
  BOOST_TEST(document.at("servers").at(0).at("description").as_string() == "Production");
  options.environment = environment::staging;
  document = json::parse(openapi_document(options));
  BOOST_TEST(document.at("servers").at(0).at("description").as_string() == "Staging");
}

BOOST_AUTO_TEST_CASE(the_contact_is_the_operators_or_absent) {
  service_options options;
  auto const info = [&options] { return json::parse(openapi_document(options)).at("info").as_object(); };
  BOOST_TEST(!info().contains("contact"));
  options.contact = "https://pets.example/help";
  BOOST_TEST(info().at("contact").at("url").as_string() == options.contact);
  options.contact = "help@pets.example";
  BOOST_TEST(info().at("contact").at("email").as_string() == options.contact);
  BOOST_TEST(info().at("contact").as_object().size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_first_request_names_the_address_of_the_active_environment) {
  service_options options;
  options.base_url = "https://pets.example/v1";
  options.staging_base_url = "https://staging.pets.example/v1";
  auto const description = [&options] {
    return std::string{json::parse(openapi_document(options)).at("info").at("description").as_string()};
  };
  BOOST_TEST(description().find("\"https://pets.example/v1/pets?status=available&limit=3\"") != std::string::npos);
  options.environment = environment::staging;
  BOOST_TEST(description().find("\"https://staging.pets.example/v1/pets?") != std::string::npos);
  BOOST_TEST(description().find("{base-url}") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(it_needs_no_key_and_has_a_bucket_of_its_own) {
  service_fixture s;
  s.ask({.target = "/v1/pets"});
  auto const a = s.ask({.target = "/v1/openapi.json"});
  BOOST_TEST(a.status == 200u);
  BOOST_TEST(a.body == openapi_document({}));
  BOOST_TEST(a.field("Content-Type") == "application/json");
  BOOST_TEST(a.field("Cache-Control") == "no-cache");
  BOOST_TEST(a.field("X-RateLimit-Limit") == "60");
  BOOST_TEST(a.field("X-RateLimit-Remaining") == "59");
  BOOST_TEST(a.field("X-RateLimit-Resource") == "minute");
  // A key does not change who pays.
  auto const key = s.make_key("free");
  BOOST_TEST(s.get("/v1/openapi.json", key).field("X-RateLimit-Remaining") == "58");
  BOOST_TEST(s.get("/v1/pets", key).field("X-RateLimit-Remaining") == "59");
  BOOST_TEST(s.ask({.target = "/v1/pets"}).field("X-RateLimit-Remaining") == "58");
}

BOOST_AUTO_TEST_CASE(past_its_bucket_it_is_429) {
  service_fixture s;
  for (int i = 0; i < 60; ++i) s.ask({.target = "/v1/openapi.json"});
  auto const a = s.ask({.target = "/v1/openapi.json"});
  BOOST_TEST(a.status == 429u);
  BOOST_TEST(a.field("Cache-Control") == "no-store");
}

BOOST_AUTO_TEST_CASE(a_copy_that_is_current_is_kept) {
  service_fixture s;
  auto const tag = s.ask({.target = "/v1/openapi.json"}).field("ETag");
  auto const a = s.ask({.target = "/v1/openapi.json", .fields = {{"If-None-Match", tag}}});
  BOOST_TEST(a.status == 304u);
  BOOST_TEST(a.body == "");
  BOOST_TEST(a.field("ETag") == tag);
  BOOST_TEST(a.field("Cache-Control") == "no-cache");
  service_options options;
  options.base_url = "https://pets.example/v1";
  service_fixture other{options};
  BOOST_TEST(other.ask({.target = "/v1/openapi.json"}).field("ETag") != tag);
}

BOOST_AUTO_TEST_CASE(another_method_there_is_405_and_options_needs_a_key) {
  service_fixture s;
  auto const a = s.send(method::post, "/v1/openapi.json", "", "{}");
  BOOST_TEST(a.status == 405u);
  BOOST_TEST(a.field("Allow") == "GET, HEAD, OPTIONS");
  BOOST_TEST(a.field("Cache-Control") == "no-store");
  BOOST_TEST(s.ask({.method = method::options, .target = "/v1/openapi.json"}).status == 401u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace petstore::server
