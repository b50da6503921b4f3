// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/browser.hpp"

#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "support/child_process.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::load {
namespace {

std::string browser_path() {
  for (auto const* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"})
    if (std::filesystem::exists(path)) return path;
  return {};
}

}  // namespace

std::optional<opened_page> open_in_browser(std::string const& html) {
  auto const browser = browser_path();
  if (browser.empty()) return std::nullopt;
  tests::temporary_directory const directory;
  auto const page = directory.write("page.html", html);
  auto const output = directory / "output", errors = directory / "errors";
  // Root may not have the sandbox. The page is ours, and nothing of it may be fetched from anywhere. Both outputs go to
  // files, so that nothing that the browser leaves behind keeps a pipe open.
  auto const done =
      tests::run({.words = {browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                            "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
                            "--user-data-dir=" + (directory / "profile").string(), "--enable-logging=stderr",
                            "--virtual-time-budget=2000", "--dump-dom", "file://" + page.string()},
                  .output = output,
                  .errors = errors});
  if (done.code != 0) throw std::runtime_error("the browser failed: " + done.err);
  opened_page opened{tests::read_file(output), {}};
  std::istringstream lines(done.err);
  for (std::string line; std::getline(lines, line);)
    if (line.find("CONSOLE") != line.npos) opened.console.push_back(line);
  return opened;
}

}  // namespace petstore::load
