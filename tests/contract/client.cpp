// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contract/client.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <system_error>
#include <thread>

#include "contract/expectations.hpp"

namespace contract {
namespace {

struct suite_node {
  test_node node;
  issued_key writer, other, reader;
};

// With Boost.Test, the fixture of a suite cannot pass objects to the cases.
std::unique_ptr<suite_node>& current() {
  static std::unique_ptr<suite_node> held;
  return held;
}

fields with_content_type(const fields& headers, const char* type) {
  fields all = headers;
  for (const auto& [name, value] : headers) {
    if (name == "Content-Type") return all;
  }
  all.emplace_back("Content-Type", type);
  return all;
}

}  // namespace

client::client(const test_node& node, std::string key, std::string source)
    : port_(node.port()), key_(std::move(key)), source_(std::move(source)) {}

answer client::ask(request wanted) {
  if (!key_.empty()) wanted.headers.emplace(wanted.headers.begin(), "Authorization", "Bearer " + key_);
  // The service may close an idle connection. Then the request is sent on a new one.
  if (connection_ && connection_->receives_within(std::chrono::milliseconds(0))) connection_.reset();
  if (!connection_) connection_.emplace(port_, source_);
  try {
    answer got = connection_->exchange(wanted);
    if (got.closes()) connection_.reset();
    return got;
  } catch (...) {
    connection_.reset();
    throw;
  }
}

answer client::send(const request& wanted) {
  answer got = ask(wanted);
  BOOST_TEST_CONTEXT(wanted.method << " " << wanted.target) {
    const bool is_document = wanted.target.ends_with("/openapi.json");
    expect_complete(got, {wanted.method == "HEAD", is_document, wanted.target.ends_with("/quota")});
  }
  return got;
}

answer client::get(const std::string& target, const fields& headers) {
  return send({"GET", target, headers, {}});
}
answer client::head(const std::string& target, const fields& headers) {
  return send({"HEAD", target, headers, {}});
}
answer client::del(const std::string& target, const fields& headers) {
  return send({"DELETE", target, headers, {}});
}

answer client::options(const std::string& target, const fields& headers) {
  return send({"OPTIONS", target, headers, {}});
}

answer client::post(const std::string& target, std::string_view body, const fields& headers) {
  return send({"POST", target, with_content_type(headers, "application/json"), std::string(body)});
}

answer client::patch(const std::string& target, std::string_view body, const fields& headers) {
  return send({"PATCH", target, with_content_type(headers, "application/merge-patch+json"), std::string(body)});
}

std::int64_t client::make_pet(std::string_view body) {
  const answer made = post("/v1/pets", body);
  BOOST_REQUIRE_MESSAGE(made.status == 201, "no animal was made: " << made.status << " " << made.body);
  return made.value()["id"].integer();
}

std::int64_t client::make_order(std::int64_t pet) {
  const answer made = post("/v1/store/orders", "{\"petId\":" + std::to_string(pet) + "}");
  BOOST_REQUIRE_MESSAGE(made.status == 201, "no order was made: " << made.status << " " << made.body);
  return made.value()["id"].integer();
}

bool eventually(const std::function<bool()>& condition, std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

open_node::open_node() {
  auto opened = std::make_unique<suite_node>();
  opened->writer = opened->node.create_key();
  opened->other = opened->node.create_key();
  opened->reader = opened->node.create_key(
      {"--plan", "enterprise", "--per-minute", "100000", "--per-day", "1000000", "--scope", "read"});
  // Cases without a key share one address, whose limit only the suites about addresses need.
  opened->node.open({"--anonymous-per-minute", "100000"});
  current() = std::move(opened);
}

open_node::~open_node() {
  const std::unique_ptr<suite_node> closing = std::move(current());
  try {
    const int code = closing->node.close();
    const std::string log = closing->node.process().errors();
    BOOST_TEST(code == 0, "the service ended with "
                              << code << ": " << log.substr(log.size() - std::min<std::size_t>(log.size(), 4000)));
    BOOST_TEST(log.find(closing->writer.secret) == std::string::npos, "a key is in the log");
  } catch (const std::exception& error) {
    BOOST_ERROR(error.what());
  }
}

on_open_node::on_open_node()
    : node(current()->node),
      api(node, current()->writer.secret),
      other(node, current()->other.secret),
      reader(node, current()->reader.secret) {}

}  // namespace contract
