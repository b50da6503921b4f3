// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contract/test_node.hpp"

#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace contract {
namespace {

std::uint16_t port_in(const std::string& line, std::string_view before) {
  std::uint16_t port = 0;
  const char* const begin = line.data() + std::min(before.size(), line.size());
  const char* const end = line.data() + line.size();
  const auto [stop, error] = std::from_chars(begin, end, port);
  if (!line.starts_with(before) || error != std::errc()) {
    throw std::runtime_error("unexpected line of standard output: " + line);
  }
  return port;
}

}  // namespace

const arguments without_limits{"--plan", "enterprise", "--per-minute", "100000", "--per-day", "1000000"};

temporary_directory::temporary_directory() {
  std::string name = (std::filesystem::temp_directory_path() / "petstore-contract-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary directory");
  path_ = name;
}

temporary_directory::~temporary_directory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

issued_key read_issued_key(const finished_run& run) {
  const auto trimmed = [](std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
  };
  if (run.exit_code != 0) throw std::runtime_error("no key was made: " + run.errors);
  return {trimmed(run.output), trimmed(run.errors)};
}

test_node::test_node(std::string uri) : uri_(std::move(uri)) {
  if (uri_.empty()) uri_ = "lmdb:" + store_directory().string();
}

issued_key test_node::create_key(const arguments& flags) const {
  arguments command{"keys", "create", "--store", uri()};
  command.insert(command.end(), flags.begin(), flags.end());
  return read_issued_key(run_program(command));
}

finished_run test_node::keys(const std::string& word, const std::string& id, const arguments& flags) const {
  arguments command{"keys", word, "--store", uri(), id};
  command.insert(command.end(), flags.begin(), flags.end());
  finished_run run = run_program(command);
  if (run.exit_code != 0) throw std::runtime_error("keys " + word + " failed: " + run.errors);
  return run;
}

void test_node::open(const arguments& flags, const environment& variables) {
  arguments command{"serve",     "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--store", uri(),
                    "--threads", "4"};
  command.insert(command.end(), flags.begin(), flags.end());
  process_ = std::make_unique<child_process>(command, variables);
  const bool has_demo = std::find(flags.begin(), flags.end(), "--demo") != flags.end();
  greeting_.clear();
  while (greeting_.size() < (has_demo ? 3U : 2U)) {
    auto line = process_->read_line();
    if (!line) throw std::runtime_error("the service did not start: " + process_->errors());
    greeting_.push_back(*line);
  }
  port_ = port_in(greeting_[0], "listening on http://127.0.0.1:");
  admin_port_ = port_in(greeting_[1], "admin on http://127.0.0.1:");
}

int test_node::close() {
  process_->send_signal(SIGTERM);
  const auto code = process_->wait();
  if (!code) throw std::runtime_error("the service did not end after SIGTERM: " + process_->errors());
  return *code;
}

void test_node::kill() {
  process_->send_signal(SIGKILL);
  process_->wait();
}

std::string test_node::write_file(const std::string& name, std::string_view text) const {
  const auto path = directory_.path() / name;
  std::ofstream(path) << text;
  return path.string();
}

}  // namespace contract
