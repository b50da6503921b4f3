// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "contract/child_process.hpp"

namespace contract {

class temporary_directory {
 public:
  temporary_directory();
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  ~temporary_directory();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct issued_key {
  std::string secret;
  std::string id;
};

// Flags with quotas so large that a functional test never exhausts them.
extern const arguments without_limits;

// A store and, between open() and close(), the program that serves it on free ports. The store is in a temporary
// directory unless it is named.
//
//   [closed] --open()--> [open] --close() or kill()--> [closed]
class test_node {
 public:
  test_node() : test_node(std::string()) {}
  explicit test_node(std::string uri);

  // `create_key` works in both states; a running service may need a second to see the key.
  issued_key create_key(const arguments& flags = without_limits) const;
  // Runs `petstore keys WORD --store … ID FLAGS`; throws unless it exits with 0.
  finished_run keys(const std::string& word, const std::string& id, const arguments& flags = {}) const;

  void open(const arguments& flags = {}, const environment& variables = {});
  // Sends SIGTERM and waits; returns the exit code.
  int close();
  void kill();

  std::uint16_t port() const { return port_; }
  std::uint16_t admin_port() const { return admin_port_; }
  child_process& process() { return *process_; }
  // The lines that the program printed when it began to listen.
  const arguments& greeting() const { return greeting_; }
  const std::string& uri() const { return uri_; }
  // Of a store that was not named.
  std::filesystem::path store_directory() const { return directory_.path() / "store"; }
  // A directory for files of the test, which are gone with the object.
  const std::filesystem::path& directory() const { return directory_.path(); }
  // Writes a file into it and returns its path.
  std::string write_file(const std::string& name, std::string_view text) const;

 private:
  temporary_directory directory_;
  std::string uri_;
  std::unique_ptr<child_process> process_;
  arguments greeting_;
  std::uint16_t port_ = 0;
  std::uint16_t admin_port_ = 0;
};

// The key and id that `keys create` or `keys rotate` printed.
issued_key read_issued_key(const finished_run& run);

}  // namespace contract
