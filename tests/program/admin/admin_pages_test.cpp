// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_pages.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>
#include <span>

#include "petstore/storage/memory.hpp"

using namespace petstore;
using namespace petstore::program;
using server::method;

namespace {

struct pages {
  std::unique_ptr<ports::store> store = storage::make_memory_store(environment::production);
  server::readiness readiness;
  admin_pages admin{*store, readiness, [](metrics_format wanted) {
                      return std::string(wanted == metrics_format::openmetrics ? "# EOF\n" : "petstore_ready 1\n");
                    }};
  server::response response;

  server::response const& ask(server::method m, std::string_view path,
                              std::span<server::header_field const> fields = {}) {
    server::request request;
    request.method = m;
    request.target = request.path = path;
    request.fields = fields;
    response.clear();
    boost::asio::io_context context;
    auto answering = admin.handle(request, response);
    boost::asio::co_spawn(context, std::move(answering), boost::asio::detached);
    context.run();
    return response;
  }

  std::string_view field(std::string_view name) const {
    std::string_view const all = response.fields;
    auto const at = all.find(std::string(name) + ": ");
    if (at == all.npos) return {};
    auto const begin = at + name.size() + 2;
    return all.substr(begin, all.find('\r', begin) - begin);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(admin_pages_suite, pages)

BOOST_AUTO_TEST_CASE(livez_never_depends_on_readiness) {
  readiness.draining = true;
  readiness.store_ready = false;
  BOOST_TEST(ask(method::get, "/livez").status == 200u);
}

// Prometheus and Kubernetes ask by whatever name they know.
BOOST_AUTO_TEST_CASE(probes_and_metrics_answer_under_any_name) {
  server::header_field const host{"Host", "petstore.shop.svc:9090"};
  for (auto const* path : {"/livez", "/readyz", "/metrics"})
    BOOST_TEST(ask(method::get, path, {&host, 1}).status == 200u);
}

BOOST_AUTO_TEST_CASE(readyz_follows_the_drain) {
  BOOST_TEST(ask(method::get, "/readyz").status == 200u);
  readiness.draining = true;
  BOOST_TEST(ask(method::get, "/readyz").status == 503u);
  BOOST_TEST(field("Retry-After") == "1");
  auto const body = boost::json::parse(response.body).as_object();
  BOOST_TEST(body.at("code").as_string() == "unavailable");
  BOOST_TEST(body.at("message").as_string() == "draining");
  BOOST_TEST(body.at("status").as_int64() == 503);
}

BOOST_AUTO_TEST_CASE(readyz_names_quotas_that_cannot_be_counted) {
  readiness.quotas_ready = false;
  BOOST_TEST(ask(method::get, "/readyz").status == 503u);
  auto const body = boost::json::parse(response.body).as_object();
  BOOST_TEST(body.at("message").as_string().starts_with("quotas cannot be counted"));
  BOOST_TEST(ask(method::get, "/livez").status == 200u);
}

BOOST_AUTO_TEST_CASE(metrics_are_prometheus_text) {
  BOOST_TEST(ask(method::get, "/metrics").status == 200u);
  BOOST_TEST(field("Content-Type") == "text/plain; version=0.0.4; charset=utf-8");
  BOOST_TEST(response.body == "petstore_ready 1\n");
}

BOOST_AUTO_TEST_CASE(head_and_options_work) {
  BOOST_TEST(ask(method::head, "/readyz").status == 200u);
  BOOST_TEST(ask(method::options, "/metrics").status == 204u);
  BOOST_TEST(field("Allow") == "GET, HEAD, OPTIONS");
}

BOOST_AUTO_TEST_CASE(other_methods_and_other_paths_are_refused) {
  BOOST_TEST(ask(method::post, "/livez").status == 405u);
  BOOST_TEST(field("Allow") == "GET, HEAD, OPTIONS");
  for (auto const* path : {"/", "/livez/", "/Livez", "/v1/pets", "/metrics2"}) {
    BOOST_TEST(ask(method::get, path).status == 404u, path);
    BOOST_TEST(boost::json::parse(response.body).at("code").as_string() == "not_found");
  }
}

BOOST_AUTO_TEST_CASE(a_protocol_refusal_has_the_error_body) {
  admin.refuse(errc::malformed_http, "a bare LF", {}, response);
  BOOST_TEST(response.status == 400u);
  BOOST_TEST(boost::json::parse(response.body).at("message").as_string() == "a bare LF");
  response.clear();
  admin.refuse(errc::method_not_allowed, "", {}, response);
  BOOST_TEST(field("Allow") == "GET, HEAD, OPTIONS");
}

BOOST_AUTO_TEST_CASE(metrics_are_openmetrics_for_who_prefers_it) {
  auto const type_for = [this](std::string_view accept) {
    server::header_field const field{"Accept", accept};
    ask(method::get, "/metrics", {&field, 1});
    BOOST_TEST(this->field("Vary") == "Accept");
    return std::string(this->field("Content-Type"));
  };
  std::string const openmetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8";
  BOOST_TEST(
      type_for("application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,"
               "text/plain;version=0.0.4;q=0.3,*/*;q=0.2") == openmetrics);
  BOOST_TEST(response.body == "# EOF\n");
  BOOST_TEST(type_for("application/openmetrics-text") == openmetrics);
  std::string const plain = "text/plain; version=0.0.4; charset=utf-8";
  for (auto const* accept : {"*/*", "text/plain", "application/openmetrics-text;q=0",
                             "text/plain;version=0.0.4;q=0.6,application/openmetrics-text;version=1.0.0;q=0.5"})
    BOOST_TEST(type_for(accept) == plain, accept);
  BOOST_TEST(response.body == "petstore_ready 1\n");
}

BOOST_AUTO_TEST_SUITE_END()
