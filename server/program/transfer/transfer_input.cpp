// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "transfer/transfer_input.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <system_error>

#include "outcome.hpp"

namespace petstore::program {
namespace {

namespace fs = std::filesystem;

}  // namespace

transfer_input::transfer_input(fs::path const& path, std::istream& in) : buffer_(line_bytes_max + 2, '\0') {
  if (path.empty()) {
    spool(in);
    return;
  }
  std::error_code failure;
  auto const status = fs::status(path, failure);
  if (failure || fs::is_directory(status)) {
    auto const why = failure ? failure.message() : std::string{"it is a directory"};
    throw usage_error("cannot read '" + path.string() + "': " + why);
  }
  if (!fs::is_regular_file(status)) {
    std::ifstream once(path, std::ios::binary);
    if (!once) throw usage_error("cannot read '" + path.string() + "': " + std::generic_category().message(errno));
    spool(once);
    return;
  }
  file_.open(path, std::ios::in | std::ios::binary);
  if (!file_) throw usage_error("cannot read '" + path.string() + "': " + std::generic_category().message(errno));
  bytes_ = fs::file_size(path);
}

void transfer_input::spool(std::istream& in) {
  auto name = (fs::temp_directory_path() / "petstore-import-XXXXXX").string();
  int const fd = ::mkstemp(name.data());
  if (fd < 0) throw command_error("cannot make a temporary file: " + std::generic_category().message(errno));
  ::close(fd);
  file_.open(name, std::ios::in | std::ios::out | std::ios::binary);
  ::unlink(name.c_str());  // the open file exists without a name until this object is destroyed
  if (in.peek() != std::istream::traits_type::eof()) file_ << in.rdbuf();
  file_.flush();
  if (!file_ || in.bad()) throw command_error("cannot keep the input in a temporary file: is the disk full?");
  bytes_ = static_cast<std::uint64_t>(file_.tellp());
  rewind();
}

transfer_input::line transfer_input::next() {
  file_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  auto const taken = static_cast<std::size_t>(file_.gcount());
  if (file_.bad()) throw command_error("the input cannot be read: " + std::generic_category().message(errno));
  if (taken == 0 && file_.eof()) return line::none;
  ++number_;
  position_ += taken;
  if (file_.fail()) {
    file_.clear();
    file_.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    position_ += static_cast<std::uint64_t>(file_.gcount());
    text_ = {};
    return line::too_long;
  }
  auto const size = file_.eof() ? taken : taken - 1;  // the line's end was taken, and is not part of it
  text_ = std::string_view{buffer_}.substr(0, size);
  if (text_.ends_with('\r')) text_.remove_suffix(1);
  return line::read;
}

void transfer_input::rewind() {
  file_.clear();
  file_.seekg(0);
  number_ = 0;
  position_ = 0;
}

}  // namespace petstore::program
