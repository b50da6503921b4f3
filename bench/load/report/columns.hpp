// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Text for a terminal: columns as wide as what is in them, ink, and strings of strangers made harmless.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace petstore::load {

struct text_style {
  bool colour = false;      ///< escape sequences; not where NO_COLOR is set, nor where no terminal listens
  std::size_t width = 100;  ///< columns; text is cut to fit, figures never
};

enum class ink { plain, strong, loud, quiet };
/// The text in that ink, or as it is where there is no colour.
std::string painted(std::string_view text, ink, bool colour);

/// What a server, a scenario or a file name says, with everything that could command a terminal replaced: control
/// characters (C0, DEL, C1) and what is not UTF-8 become "?".
std::string shown(std::string_view);

/// Columns that UTF-8 text takes; of the characters that reports use, each takes one.
std::size_t width_of(std::string_view) noexcept;
/// At most `width` columns, the last of them "…" where something was cut.
std::string fitted(std::string_view, std::size_t width);

enum alignment { left, right };

class columns {
 public:
  explicit columns(std::vector<alignment> alignments) : alignments_(std::move(alignments)) {}

  void head(std::vector<std::string> cells) { head_ = std::move(cells); }
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// Each row on a line, two blanks in front of it and between columns; the last column of text is cut to fit.
  std::string text(text_style) const;

 private:
  std::string row_text(std::vector<std::string> const&, std::vector<std::size_t> const& widths, text_style) const;

  std::vector<alignment> alignments_;
  std::vector<std::string> head_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace petstore::load
