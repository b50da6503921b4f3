// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fstream>
#include <sstream>

#include "judge.hpp"

namespace petstore::faults {
namespace {

/// The members of a line, which tabs separate.
class members {
 public:
  explicit members(std::string const& line) : line_(line) {}

  std::string text() {
    std::string member;
    if (!std::getline(line_, member, '\t')) throw std::runtime_error("a line of what was acknowledged is too short");
    return member;
  }
  std::int64_t number() { return std::stoll(text()); }
  std::uint64_t position() { return std::stoull(text()); }
  sha256_digest digest() {
    auto const hexadecimal = text();
    sha256_digest bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<unsigned char>(std::stoi(hexadecimal.substr(2 * i, 2), nullptr, 16));
    return bytes;
  }

 private:
  std::istringstream line_;
};

}  // namespace

acknowledged read_acknowledged(std::filesystem::path const& path) {
  acknowledged all;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    members m(line);
    auto const at = m.position();
    auto const kind = m.text();
    if (kind == "answer") {
      all.answers.push_back(at);
    } else if (kind == "animal") {
      auto& animal = all.animals[m.number()];
      animal.at = at;
      animal.name = m.text();
    } else if (kind == "removal") {
      all.animals[m.number()].removed_at = at;
    } else if (kind == "step") {
      acknowledged::step step{.at = at, .order = m.number(), .pet = m.number(), .status = {}};
      step.status = parse_order_status(m.text()).value();
      all.steps.push_back(step);
    } else if (kind == "key") {
      all.keys[m.digest()].at = at;
    } else if (kind == "revocation") {
      all.keys[m.digest()].revoked_at = at;
    } else if (kind == "creation") {
      bool const is_order = m.text() == "order";
      auto key = m.text();
      auto const body = m.digest();
      all.creations.push_back(
          {.at = at, .is_order = is_order, .key = std::move(key), .body = body, .answer = m.text()});
    } else {
      throw std::runtime_error("something of an unknown kind was acknowledged: " + kind);
    }
  }
  if (!file.eof()) throw std::runtime_error("cannot read " + path.string());
  return all;
}

}  // namespace petstore::faults
