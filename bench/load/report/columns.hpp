// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Text for a terminal: tables with columns of the needed width, colours, and safe versions of foreign strings.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace petstore::load {

struct text_style {
  bool colour = false;      ///< use escape sequences; off with NO_COLOR, and if the output is not a terminal
  std::size_t width = 100;  ///< columns; texts are cut to fit, figures never
};

enum class ink { plain, strong, loud, quiet };
/// The text in that colour, or unchanged without colour.
std::string painted(std::string_view text, ink, bool colour);

/// A text from a server, a scenario or a file name that cannot control the terminal: control characters (C0, DEL, C1)
/// and bytes that are not UTF-8 become "?".
std::string shown(std::string_view);

/// The number of columns of a UTF-8 text; each character of reports takes one.
std::size_t width_of(std::string_view) noexcept;
/// The text cut to at most `width` columns; the last one is "…" if something was cut.
std::string fitted(std::string_view, std::size_t width);

enum alignment { left, right };

class columns {
 public:
  explicit columns(std::vector<alignment> alignments) : alignments_(std::move(alignments)) {}

  void head(std::vector<std::string> cells) { head_ = std::move(cells); }
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// A line for each row, with two spaces before it and between columns. The last text column is cut to fit.
  std::string text(text_style) const;

 private:
  std::string row_text(std::vector<std::string> const&, std::vector<std::size_t> const& widths, text_style) const;

  std::vector<alignment> alignments_;
  std::vector<std::string> head_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace petstore::load
