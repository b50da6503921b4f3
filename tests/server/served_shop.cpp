// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "server/served_shop.hpp"

#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "petstore/etag.hpp"
#include "petstore/quota/local.hpp"
#include "petstore/storage/lmdb.hpp"
#include "server/http/parse_head.hpp"

namespace petstore::tests {
namespace {

constexpr std::array<std::string_view, 8> names{"Bella", "Max",          "Luna", "Rocky",
                                                "Daisy", "Herr Nilsson", "Mia",  "Toby"};

std::vector<ports::import_record> make_animals() {
  std::vector<ports::import_record> records;
  for (std::int64_t id = 1; id <= served_shop::animal_count; ++id) {
    auto const i = static_cast<std::size_t>(id);
    records.emplace_back(pet{.id = id,
                             .name = std::string{names[i % names.size()]},
                             .category_id = 1 + id % 5,
                             .status = static_cast<pet_status>(i % 3)});
  }
  return records;
}

unix_ms to_ms(limits::instant now) {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(now.wall);
}

template <class T>
T value_of(result<T> r) {
  if (!r) throw std::runtime_error(r.error().message + r.error().cause);
  if constexpr (!std::is_void_v<T>) return *std::move(r);
}

std::string get(std::string_view target, std::string_view key, std::string_view more_fields = {}) {
  std::string text{"GET "};
  text.append(target).append(" HTTP/1.1\r\nHost: api.example.com\r\nUser-Agent: shop-window/2.1\r\n");
  text.append("Accept: application/json\r\nAccept-Encoding: gzip\r\n");
  if (!key.empty()) text.append("Authorization: Bearer ").append(key).append("\r\n");
  return text.append(more_fields).append("\r\n");
}

std::string with_method(std::string_view method, std::string request) {
  return request.replace(0, 3, method);
}

}  // namespace

parsed_request::parsed_request(usual_request u) : usual{std::move(u)} {
  auto const head_size = usual.bytes.find("\r\n\r\n") + 4;
  std::string_view const bytes = usual.bytes;
  if (server::http::parse_head(bytes.substr(0, head_size), head)) throw std::logic_error("a usual request is refused");
  head.request.body = bytes.substr(head_size);
  head.request.request_id = "0123456789abcdef";
  head.request.peer = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 203, 0, 113, 9};
}

served_shop::served_shop(server::clock_function clock) : clock_{std::move(clock)} {
  options_.anonymous.short_window =
      limits::per_minute(limits::short_tokens_max);  // the 401 itself is asked for, not the 429 behind it

  storage::lmdb_options stored;
  stored.directory = directory_ / "store";
  stored.environment = options_.environment;
  stored.map_bytes_max = std::size_t{64} << 20;
  store_ = storage::open_lmdb_store(stored);
  std::size_t fault_at = 0;
  value_of(run(store_->import_records(make_animals(), fault_at)));

  quota::local_options counted;
  counted.clock = clock_;
  counted.bans.strikes = 0;  // so that who asks on and on stays refused, and is not banned
  quotas_ = quota::open_local_quota(counted);

  roomy_key_ = add_key(limits::short_tokens_max);
  spent_key_ = add_key(1);
  banned_key_ = add_key(limits::short_tokens_max);
  auto const now = clock_();
  ban_identity const ban{.number = keys_made_, .until = to_ms(now) + std::chrono::hours{24}};
  value_of(run(store_->change_keys(ban, to_ms(now), "a test")));

  boost::asio::io_context context{1};
  plan_table const plans{{"free", {limits::per_minute(60), limits::per_day(1'000)}}};
  server::key_watcher watcher{context.get_executor(), *store_, *quotas_, keys_, plans, clock_, {}};
  auto refreshed = watcher.async_refresh(boost::asio::use_future);
  context.run();
  refreshed.get();
  auto const silent = [](server::severity, std::string_view, std::string_view, server::log_origin const&) {};
  service_ = std::make_unique<server::service>(options_, server::service_parts{.store = *store_,
                                                                               .quotas = *quotas_,
                                                                               .keys = keys_,
                                                                               .counters = metrics_.shard(0),
                                                                               .state = readiness_,
                                                                               .clock = clock_,
                                                                               .log = silent});

  std::string json;
  tag_of_animal_ = to_string(value_of(store_->read(record_kind::pet, an_animal, json).take()));
}

std::string served_shop::add_key(std::uint32_t per_minute) {
  std::array<unsigned char, 32> secret{};
  for (auto& byte : secret) byte = static_cast<unsigned char>(0x91 * ++keys_made_ + 0x37);
  keys_made_ -= secret.size() - 1;
  std::string key = make_api_key(options_.environment, secret);
  create_key command;
  set_key(command, key);
  command.plan = "free";
  command.per_minute = per_minute;
  command.per_day = limits::long_tokens_max;
  value_of(run(store_->change_keys(std::move(command), to_ms(clock_()), "a test")));
  return key;
}

std::vector<usual_request> served_shop::requests() const {
  std::array<unsigned char, 32> const unknown{1, 2, 3};
  std::string const unknown_key = make_api_key(options_.environment, unknown);
  std::string const animal = "/v1/pets/" + std::to_string(an_animal);
  std::string const fault = R"({"name":"","categoryId":"dogs"})";
  std::string const fields_of_fault =
      "Content-Type: application/json\r\nContent-Length: " + std::to_string(fault.size()) + "\r\n";
  return {
      {"one_animal", get(animal, roomy_key_), 200},
      {"one_animal_not_modified", get(animal, roomy_key_, "If-None-Match: " + tag_of_animal_ + "\r\n"), 304},
      {"twenty_animals", get("/v1/pets?limit=20", roomy_key_), 200},
      {"invalid_body", with_method("POST", get("/v1/pets", roomy_key_, fields_of_fault)) + fault, 400},
      {"no_key", get(animal, {}), 401},
      {"unknown_key", get(animal, unknown_key), 401},
      {"unknown_path", get("/v1/cats", roomy_key_), 404},
      {"unknown_animal", get("/v1/pets/4711", roomy_key_), 404},
      {"other_method", with_method("PUT", get(animal, roomy_key_)), 405},
      {"rate_limited", get(animal, spent_key_), 429},
      {"banned", get(animal, banned_key_), 429},
  };
}

}  // namespace petstore::tests
