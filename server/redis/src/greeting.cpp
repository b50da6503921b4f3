// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "greeting.hpp"

#include <string_view>
#include <utility>

namespace petstore::redis {
namespace {

/// In RESP2, a map is an array of names and values in turn.
greeting_answer read_greeting(reply const& greeting) {
  greeting_answer out;
  for (std::size_t i = 0; i + 1 < greeting.elements.size(); i += 2) {
    auto const& name = greeting.elements[i].text;
    auto const& value = greeting.elements[i + 1].text;
    if (name == "version") out.version = value;
    if (name == "mode") out.mode = value;
    if (name == "role") out.role = value;
  }
  return out;
}

std::vector<std::string> greeting_of(address const& who, std::string const& name) {
  std::vector<std::string> words{"HELLO", "2"};
  auto const credentials = credentials_of(who);
  if (!credentials.empty()) {
    words.insert(words.end(), {"AUTH", who.user.empty() ? "default" : who.user, who.password});
  }
  if (!name.empty()) words.insert(words.end(), {"SETNAME", name});
  return words;
}

bool is_unknown_command(reply const& answer) {
  return answer.is_error() && std::string_view{answer.text}.starts_with("ERR unknown command");
}

}  // namespace

std::vector<std::string> credentials_of(address const& who) {
  if (who.password.empty()) return {};
  if (who.user.empty()) return {"AUTH", who.password};
  return {"AUTH", who.user, who.password};
}

asio::awaitable<result<greeting_answer>> send_greeting(channel& line, address const& who, std::string name,
                                                       channel::time_point deadline) {
  auto asking = line.ask(greeting_of(who, name), deadline);
  result<reply> answer = co_await std::move(asking);
  auto credentials = credentials_of(who);
  if (answer && is_unknown_command(*answer) && !credentials.empty()) {
    asking = line.ask(std::move(credentials), deadline);
    answer = co_await std::move(asking);
  }
  if (!answer) co_return answer.error();
  if (answer->is_error() && !is_unknown_command(*answer)) co_return failure{errc::refused, answer->text};
  auto const said = read_greeting(*answer);
  if (who.database != 0) {
    std::vector<std::string> choice{"SELECT", std::to_string(who.database)};
    asking = line.ask(std::move(choice), deadline);
    answer = co_await std::move(asking);
    if (!answer) co_return answer.error();
    if (answer->is_error()) co_return failure{errc::refused, answer->text};
  }
  co_return said;
}

}  // namespace petstore::redis
