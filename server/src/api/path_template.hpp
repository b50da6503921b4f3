// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "petstore/json.hpp"

namespace petstore::server {

/// The ids in a path, in the order in which they stand there.
struct path_ids {
  static constexpr std::size_t count_max = 2;

  std::array<std::int64_t, count_max> numbers{};  ///< 0 where there is none
  bool are_possible = true;                       ///< false: one is no int64, so there is nothing at that path
};

/// A path in which each `{segment}` stands for an id: `/pets/{petId}`. Any thread.
class path_template {
 public:
  constexpr path_template() = default;
  /// Throws std::invalid_argument, so that a table with such a path does not compile, when there are too many ids or
  /// one is not a whole segment.
  constexpr explicit path_template(std::string_view text) : text_{text} {
    for (;;) {
      auto const brace = text.find('{');
      literals_[id_count_] = text.substr(0, brace);
      if (brace == std::string_view::npos) return;
      text.remove_prefix(text.find('}') + 1);
      bool const is_segment = literals_[id_count_].ends_with('/') && (text.empty() || text.starts_with('/'));
      if (!is_segment || ++id_count_ > path_ids::count_max) throw std::invalid_argument{"no template of a path"};
    }
  }

  constexpr std::string_view text() const noexcept { return text_; }

  /// nullopt: the path is another one. Its segments are decoded already.
  std::optional<path_ids> match(std::string_view path) const noexcept {
    path_ids ids;
    for (std::size_t i = 0;; ++i) {
      if (!path.starts_with(literals_[i])) return std::nullopt;
      path.remove_prefix(literals_[i].size());
      if (i == id_count_) return path.empty() ? std::optional{ids} : std::nullopt;
      auto const segment = path.substr(0, path.find('/'));
      if (segment.empty()) return std::nullopt;
      auto const id = parse_int64(segment);
      ids.numbers[i] = id.value_or(0);
      ids.are_possible = ids.are_possible && id.has_value();
      path.remove_prefix(segment.size());
    }
  }

 private:
  std::string_view text_;
  std::array<std::string_view, path_ids::count_max + 1> literals_;  ///< what stands around the ids
  std::size_t id_count_ = 0;
};

}  // namespace petstore::server
