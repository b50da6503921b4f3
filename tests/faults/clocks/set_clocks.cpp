// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Clocks that somebody else sets, for a program that is started with this library in LD_PRELOAD. The file
// SET_CLOCKS_FILE holds two numbers of 8 bytes, which may change at any time: by how many nanoseconds the wall clock
// and the boot clock are ahead of the machine's. The monotonic clock is left alone, as it is while a machine is
// suspended.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;

struct leads {
  std::atomic<std::int64_t> wall;
  std::atomic<std::int64_t> boot;
};

leads const* map_file() {
  char const* const path = ::getenv("SET_CLOCKS_FILE");
  int const file = path != nullptr ? ::open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) ::abort();  // a case that sets clocks which nobody reads would prove nothing
  void* const mapped = ::mmap(nullptr, sizeof(leads), PROT_READ, MAP_SHARED, file, 0);
  ::close(file);
  if (mapped == MAP_FAILED) ::abort();
  return static_cast<leads const*>(mapped);
}

std::int64_t lead_of(clockid_t clock) {
  static leads const* const file = map_file();
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE: return file->wall.load(std::memory_order_relaxed);
    case CLOCK_BOOTTIME: return file->boot.load(std::memory_order_relaxed);
    default: return 0;
  }
}

timespec moved(timespec t, std::int64_t lead) {
  std::int64_t const seconds = lead / nanoseconds_per_second;
  t.tv_sec += seconds;
  t.tv_nsec += lead - seconds * nanoseconds_per_second;
  if (t.tv_nsec < 0) --t.tv_sec, t.tv_nsec += nanoseconds_per_second;
  if (t.tv_nsec >= nanoseconds_per_second) ++t.tv_sec, t.tv_nsec -= nanoseconds_per_second;
  return t;
}

timespec wall_clock() {
  timespec t{};
  ::clock_gettime(CLOCK_REALTIME, &t);
  return t;
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* t) noexcept {
  static auto* const next = reinterpret_cast<int (*)(clockid_t, timespec*)>(::dlsym(RTLD_NEXT, "clock_gettime"));
  int const done = next(clock, t);
  if (done == 0) *t = moved(*t, lead_of(clock));
  return done;
}

time_t time(time_t* t) noexcept {
  time_t const now = wall_clock().tv_sec;
  if (t != nullptr) *t = now;
  return now;
}

int gettimeofday(timeval* t, void*) noexcept {
  timespec const now = wall_clock();
  *t = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1'000};
  return 0;
}

}  // extern "C"
