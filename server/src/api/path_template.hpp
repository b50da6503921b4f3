// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "petstore/json.hpp"

namespace petstore::server {

/// The ids in a path, in their order.
struct path_ids {
  static constexpr std::size_t count_max = 2;

  std::array<std::int64_t, count_max> numbers{};  ///< 0 if there is none
  bool are_possible = true;                       ///< false: one is not an int64, so nothing exists at that path
};

/// A path in which each `{segment}` stands for an id: `/pets/{petId}`. Any thread.
class path_template {
 public:
  constexpr path_template() = default;
  /// Throws std::invalid_argument if there are too many ids or one is not a whole segment. So a constexpr table with
  /// such a path does not compile.
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

  /// Whether the path, with decoded segments, matches; if so, the ids are added to `ids`, which must be empty before.
  bool match(std::string_view path, path_ids& ids) const noexcept {
    for (std::size_t i = 0;; ++i) {
      auto const& literal = literals_[i];
      if (!path.starts_with(literal)) return false;
      path.remove_prefix(literal.size());
      if (i == id_count_) return path.empty();
      auto const segment = path.substr(0, path.find('/'));
      if (segment.empty()) return false;
      auto const id = parse_int64(segment);
      ids.numbers[i] = id.value_or(0);
      ids.are_possible = ids.are_possible && id;
      path.remove_prefix(segment.size());
    }
  }

 private:
  std::string_view text_;
  std::array<std::string_view, path_ids::count_max + 1> literals_;  ///< the text around the ids
  std::size_t id_count_ = 0;
};

}  // namespace petstore::server
