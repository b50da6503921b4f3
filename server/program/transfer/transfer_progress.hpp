// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

namespace petstore::program {

/// A progress bar on a terminal, drawn again when its percentage changes. It writes nothing to anything else, so that a
/// log has only sentences.
class progress {
 public:
  progress(std::ostream& out, bool is_terminal, std::string doing, std::uint64_t total);
  ~progress();  ///< erases the bar
  progress(progress const&) = delete;
  progress& operator=(progress const&) = delete;

  void advance_to(std::uint64_t done);

 private:
  void draw();

  std::ostream& out_;
  bool const is_terminal_;
  std::string const doing_;
  std::uint64_t const total_;
  unsigned percent_ = 0;
};

}  // namespace petstore::program
