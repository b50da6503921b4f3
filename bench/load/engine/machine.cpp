// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "engine/machine.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>

#include <array>
#include <fstream>
#include <string_view>

#include "client/head_lines.hpp"

namespace petstore::load {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    std::string_view const text = line;
    if (text.starts_with("model name")) return std::string(trimmed(text.substr(text.find(':') + 1)));
  }
  return "a processor without a name";
}

}  // namespace

std::string machine_text() {
  auto text = processor_name();
  cpu_set_t mine;
  if (::sched_getaffinity(0, sizeof mine, &mine) == 0) {
    auto const cores = CPU_COUNT(&mine);
    text.append(", ").append(std::to_string(cores)).append(cores == 1 ? " core" : " cores");
  }
  utsname kernel{};
  if (::uname(&kernel) == 0) text.append(", ").append(kernel.sysname).append(" ").append(kernel.release);
  return text;
}

std::string utc_text(std::chrono::system_clock::time_point t) {
  auto const seconds = std::chrono::system_clock::to_time_t(t);
  tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::array<char, 32> text;
  return {text.data(), ::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

std::size_t raise_descriptor_limit() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur < limit.rlim_max) {
    auto const before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  }
  return limit.rlim_cur;
}

}  // namespace petstore::load
