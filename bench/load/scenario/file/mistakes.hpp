// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The mistakes in a scenario file, each with its position.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/text_template.hpp"

namespace petstore::load {

/// Both count from 1; a column is a code point, also a tab.
struct file_place {
  std::size_t line = 1;
  std::size_t column = 1;
};

class mistake_list {
 public:
  /// `file` is the shown name; `text` is its content and must outlive the list.
  mistake_list(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  void add(file_place, std::string_view what);
  /// A mistake in a template whose string begins at `string_begin`; its position is that of the braces.
  void add(file_place string_begin, std::string_view value, template_mistake const&);
  /// A mistake in a template that is a separate file.
  void add_in(std::string_view file, std::string_view contents, template_mistake const&);

  bool empty() const noexcept { return told_.empty(); }
  /// "adopt.toml:12:5: …", in the order of their positions.
  std::vector<std::string> sentences() const;

 private:
  struct told {
    file_place at;
    std::string sentence;
  };

  std::string file_;
  std::string_view text_;
  std::vector<told> told_;
};

}  // namespace petstore::load
