// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <istream>
#include <string>
#include <string_view>

namespace petstore::program {

/// Input lines that can be read more than once. They come from a file, or from a stream, which is first copied to a
/// temporary file.
class transfer_input {
 public:
  static constexpr std::size_t line_bytes_max = 64 * 1024;  ///< the longest record has about 2 KiB

  /// An empty `path` stands for `in`. Throws usage_error if the file cannot be read, and command_error if the temporary
  /// file cannot be written.
  transfer_input(std::filesystem::path const& path, std::istream& in);

  enum class line { read, too_long, none };
  /// Reads the next line, without its line end; `text()` returns it until the next call.
  line next();
  std::string_view text() const noexcept { return text_; }
  std::uint64_t number() const noexcept { return number_; }  ///< of that line, from 1
  std::uint64_t position() const noexcept { return position_; }
  std::uint64_t bytes() const noexcept { return bytes_; }

  void rewind();

 private:
  void spool(std::istream&);

  std::fstream file_;
  std::string buffer_;
  std::string_view text_;
  std::uint64_t number_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace petstore::program
