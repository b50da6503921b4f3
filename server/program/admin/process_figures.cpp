// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/process_figures.hpp"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>

namespace petstore::program {
namespace {

double seconds(timeval t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
}
double seconds(timespec t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

double clock_seconds(clockid_t id) {
  timespec t{};
  return ::clock_gettime(id, &t) == 0 ? seconds(t) : 0;
}

/// Field 22 of /proc/self/stat counts clock ticks since boot. The second field, a name in parentheses, may hold spaces.
double start_unix_s() {
  std::ifstream in("/proc/self/stat");
  std::string line;
  std::getline(in, line);
  std::istringstream fields(line.substr(std::min(line.rfind(')') + 1, line.size())));
  std::string skipped;
  for (int i = 3; i < 22; ++i) fields >> skipped;
  double ticks = 0;
  if (!(fields >> ticks)) return 0;
  double const age = clock_seconds(CLOCK_BOOTTIME) - ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return clock_seconds(CLOCK_REALTIME) - age;
}

/// In pages; 0 if they cannot be read.
struct memory_figures {
  std::size_t size = 0;
  std::size_t resident = 0;
  std::size_t of_files = 0;
};
memory_figures read_memory_figures() {
  std::ifstream in("/proc/self/statm");
  memory_figures m;
  return in >> m.size >> m.resident >> m.of_files ? m : memory_figures{};
}

std::size_t page_bytes() {
  return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

double open_files() {
  std::error_code failure;
  std::filesystem::directory_iterator const files("/proc/self/fd", failure);
  return failure ? 0 : static_cast<double>(std::distance(begin(files), end(files)));
}

}  // namespace

process_figures read_process_figures() {
  process_figures out;
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) out.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) out.open_files_max = static_cast<double>(files.rlim_cur);
  static double const started = start_unix_s();  // one reading, since no two are equal
  out.start_unix_s = started;
  out.resident_bytes = static_cast<double>(read_memory_figures().resident * page_bytes());
  out.open_files = open_files();
  return out;
}

std::size_t resident_anonymous_bytes() {
  auto const pages = read_memory_figures();
  return (pages.resident - std::min(pages.of_files, pages.resident)) * page_bytes();
}

std::size_t raise_open_files_max() {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return 0;
  auto const before = files.rlim_cur;
  files.rlim_cur = files.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &files) == 0 ? files.rlim_max : before;
}

}  // namespace petstore::program
