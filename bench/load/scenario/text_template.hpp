// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Text with placeholders that are filled in for each request:
//
//     {{integer 1 100}}      a random whole number, both ends included
//     {{choice red green}}   one of these words, each equally often; "words with spaces" in quotes
//     {{uuid}}               a random UUID (RFC 9562, version 4)
//     {{counter}}            1, 2, 3, … over the whole run, no number twice
//     {{time}}               the Unix time in seconds; {{time ms}} in milliseconds
//     {{pet_id}}             what an earlier step of the same operation captured
//
// `{{{{` stands for two braces. Filling in a template allocates nothing once the buffer has grown.
//
// Thread safety: a template is immutable and may be shared; a `filling` belongs to one worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenario/chance.hpp"

namespace petstore::load {

/// The counter of one worker: with n workers, worker i counts i+1, i+1+n, i+1+2n, …, so no number occurs twice.
struct strided_counter {
  std::uint64_t next = 1;
  std::uint64_t step = 1;

  std::uint64_t take() noexcept {
    auto const n = next;
    next += step;
    return n;
  }
};

/// The values for placeholders.
struct filling {
  chance& random;
  strided_counter& counter;
  std::int64_t unix_ms;
  std::span<std::string const> captured;  ///< by slot
};

/// The part of a request in which the text is used. Words of a choice and captured values are escaped so that they
/// cannot end it: with % in a path, and with \ in a body, which counts as JSON.
enum class text_place { path, field, body };

class text_template {
 public:
  struct integer {
    std::int64_t least, most;
  };
  struct choice {
    std::vector<std::string> words;
  };
  struct uuid {};
  struct count {};
  struct time {
    bool in_ms;
  };
  struct captured {
    std::size_t slot;
  };
  using part = std::variant<std::string, integer, choice, uuid, count, time, captured>;

  text_template() = default;
  explicit text_template(std::string fixed);
  explicit text_template(std::vector<part> parts) : parts_(std::move(parts)) {}

  /// Whether the text is the same for each request.
  bool is_fixed() const noexcept;
  /// Whether each fixed character is one of these.
  bool fixed_parts_are(bool (*is_allowed)(char)) const;
  bool is_empty() const noexcept { return parts_.empty(); }
  void append_to(std::string&, filling const&, text_place) const;

 private:
  std::vector<part> parts_;  // two text parts are never adjacent
};

/// A mistake in a template and its byte offset.
struct template_mistake {
  std::size_t offset = 0;
  std::string what;
};

/// `names` are the names of captured values, by slot.
std::variant<text_template, template_mistake> parse_template(std::string_view text, std::span<std::string const> names);

}  // namespace petstore::load
