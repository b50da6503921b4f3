// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A library for LD_PRELOAD. It sleeps for up to 60 ms before or after random system calls and releases of locks, so
// that threads and processes run in orders that are otherwise rare. tests/disturb sets:
//
//     DISTURBANCE_SEED    a number; without it nothing sleeps
//     DISTURBANCE_SPARED  ":ctest:cmake:", the names of programs that do not sleep
//     DISTURBANCE_LOG     a file that gets a line for each sleep (optional)
//
// The sleeping calls of a thread and the lengths of their sleeps depend only on the seed, the program's name and
// arguments, the number of processes forked before it, and the number of threads that made a call before it. They do
// not depend on clocks or process ids.
//
// Nothing here allocates, throws or takes a lock, because it also runs in signal handlers, in the runtime libraries of
// sanitizers, and in tests that count allocations.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr std::uint64_t longest_us = 60'000;

// At first, a thread sleeps at every 100th call on average, and then less and less often: about two hundred times in a
// million calls. So a program with very many calls ends, too.
constexpr std::uint64_t first_gap_calls = 100;
constexpr std::uint64_t gap_grows_by_calls = 50;

// splitmix64
std::uint64_t next_random(std::uint64_t& state) {
  auto x = state += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct process_state {
  bool sleeps = false;
  std::uint64_t seed = 0;
  std::atomic<std::uint64_t> threads = 0;
  std::atomic<std::uint64_t> forks = 0;
  int log = -1;
} process;

struct thread_state {
  std::uint64_t ordinal = 0;
  std::uint64_t random = 0;
  std::uint64_t calls = 0;
  std::uint64_t sleeps = 0;
  std::uint64_t next_at = 0;
  bool has_begun = false;
};
// With this model the storage exists when the thread begins; other models allocate at the first access.
[[gnu::tls_model("initial-exec")]] thread_local thread_state thread;

void draw_next() {
  auto const mean = first_gap_calls + gap_grows_by_calls * thread.sleeps;
  thread.next_at = thread.calls + 1 + next_random(thread.random) % (2 * mean);
}

void begin_thread() {
  thread = {};
  thread.has_begun = true;
  thread.ordinal = process.threads.fetch_add(1, std::memory_order_relaxed);
  thread.random = process.seed ^ (thread.ordinal * 0xd1342543de82ef95u);
  draw_next();
}

void sleep_us(std::uint64_t us, char const* call, bool after) {
  int const error = errno;
  if (process.log >= 0) {
    char line[160];
    int const size =
        std::snprintf(line, sizeof line, "%s thread %llu call %llu %s %s %llu us\n", program_invocation_short_name,
                      static_cast<unsigned long long>(thread.ordinal), static_cast<unsigned long long>(thread.calls),
                      after ? "after" : "before", call, static_cast<unsigned long long>(us));
    if (size > 0) ::syscall(SYS_write, process.log, line, static_cast<std::size_t>(size));
  }
  timespec const time{.tv_sec = 0, .tv_nsec = static_cast<long>(us * 1000)};
  ::syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time,
            nullptr);  // a system call, since sanitizers replace the function
  errno = error;
}

// Surrounds one call. It sleeps before or after the call, but mostly not at all.
class disturbed_call {
 public:
  explicit disturbed_call(char const* name) : name_(name) {
    if (!process.sleeps) return;
    if (!thread.has_begun) begin_thread();
    if (++thread.calls < thread.next_at) return;
    auto const drawn = next_random(thread.random);
    ++thread.sleeps;
    draw_next();
    auto const us = 1 + (drawn >> 1) % longest_us;
    if ((drawn & 1) != 0)
      after_us_ = us;
    else
      sleep_us(us, name_, false);
  }
  ~disturbed_call() {
    if (after_us_ != 0) sleep_us(after_us_, name_, true);
  }
  disturbed_call(disturbed_call const&) = delete;
  disturbed_call& operator=(disturbed_call const&) = delete;

 private:
  char const* name_;
  std::uint64_t after_us_ = 0;
};

void mix_in(char const* text) {
  for (; *text != '\0'; ++text)
    if (*text < '0' || *text > '9')  // ports and process ids change with each run
      process.seed = (process.seed ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
}

bool is_spared(char const* name) {
  char const* const spared = ::getenv("DISTURBANCE_SPARED");
  if (!spared) return false;
  auto const size = std::strlen(name);
  for (auto const* at = std::strstr(spared, name); at; at = std::strstr(at + 1, name))
    if (at != spared && at[-1] == ':' && at[size] == ':') return true;
  return false;
}

// Gives the child of a fork a sequence of its own. Otherwise it and its siblings would continue the parent's sequence.
void begin_child() {
  std::uint64_t forks = process.forks.exchange(0, std::memory_order_relaxed);
  process.seed ^= next_random(forks);
  process.threads.store(0, std::memory_order_relaxed);
  thread.has_begun = false;
}

[[gnu::constructor]] void begin_process(int argument_count, char** arguments, char**) {
  char const* const seed = ::getenv("DISTURBANCE_SEED");
  if (!seed || is_spared(program_invocation_short_name)) return;
  process.seed = std::strtoull(seed, nullptr, 10);
  mix_in(program_invocation_short_name);
  for (int i = 1; i < argument_count; ++i)
    if (!std::strstr(arguments[i], "/tmp/")) mix_in(arguments[i]);  // temporary directories have random names
  if (char const* const log = ::getenv("DISTURBANCE_LOG"))
    process.log = ::open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  ::pthread_atfork([] { process.forks.fetch_add(1, std::memory_order_relaxed); }, nullptr, begin_child);
  process.sleeps = true;
}

}  // namespace

#define DISTURBED(type, name, parameters, arguments)                                                          \
  type name parameters {                                                                                      \
    static std::atomic<type(*) parameters> next;                                                              \
    if (!next.load(std::memory_order_relaxed))                                                                \
      next.store(reinterpret_cast<type(*) parameters>(::dlsym(RTLD_NEXT, #name)), std::memory_order_relaxed); \
    disturbed_call const call(#name);                                                                         \
    return next.load(std::memory_order_relaxed) arguments;                                                    \
  }

extern "C" {

// clang-format off
DISTURBED(ssize_t, read, (int fd, void* to, size_t size), (fd, to, size))
DISTURBED(ssize_t, pread, (int fd, void* to, size_t size, off_t at), (fd, to, size, at))
DISTURBED(ssize_t, readv, (int fd, iovec const* to, int count), (fd, to, count))
DISTURBED(ssize_t, write, (int fd, void const* from, size_t size), (fd, from, size))
DISTURBED(ssize_t, pwrite, (int fd, void const* from, size_t size, off_t at), (fd, from, size, at))
DISTURBED(ssize_t, writev, (int fd, iovec const* from, int count), (fd, from, count))
DISTURBED(ssize_t, recv, (int fd, void* to, size_t size, int flags), (fd, to, size, flags))
DISTURBED(ssize_t, recvfrom, (int fd, void* to, size_t size, int flags, sockaddr* from, socklen_t* length),
          (fd, to, size, flags, from, length))
DISTURBED(ssize_t, recvmsg, (int fd, msghdr* message, int flags), (fd, message, flags))
DISTURBED(ssize_t, send, (int fd, void const* from, size_t size, int flags), (fd, from, size, flags))
DISTURBED(ssize_t, sendto, (int fd, void const* from, size_t size, int flags, sockaddr const* to, socklen_t length),
          (fd, from, size, flags, to, length))
DISTURBED(ssize_t, sendmsg, (int fd, msghdr const* message, int flags), (fd, message, flags))
DISTURBED(int, accept, (int fd, sockaddr* from, socklen_t* length), (fd, from, length))
DISTURBED(int, accept4, (int fd, sockaddr* from, socklen_t* length, int flags), (fd, from, length, flags))
DISTURBED(int, connect, (int fd, sockaddr const* to, socklen_t length), (fd, to, length))
DISTURBED(int, listen, (int fd, int length), (fd, length))
DISTURBED(int, shutdown, (int fd, int how), (fd, how))
DISTURBED(int, close, (int fd), (fd))
DISTURBED(int, poll, (pollfd* fds, nfds_t count, int ms), (fds, count, ms))
DISTURBED(int, epoll_wait, (int fd, epoll_event* events, int count, int ms), (fd, events, count, ms))
DISTURBED(int, epoll_pwait, (int fd, epoll_event* events, int count, int ms, sigset_t const* mask),
          (fd, events, count, ms, mask))
DISTURBED(int, epoll_ctl, (int fd, int operation, int of, epoll_event* event), (fd, operation, of, event))
DISTURBED(int, fsync, (int fd), (fd))
DISTURBED(int, fdatasync, (int fd), (fd))
DISTURBED(int, rename, (char const* from, char const* to), (from, to))
DISTURBED(int, unlink, (char const* path), (path))
DISTURBED(int, pthread_create, (pthread_t* id, pthread_attr_t const* how, void* (*run)(void*), void* with),
          (id, how, run, with))
DISTURBED(int, pthread_mutex_unlock, (pthread_mutex_t* mutex), (mutex))
DISTURBED(int, pthread_rwlock_unlock, (pthread_rwlock_t* lock), (lock))
DISTURBED(int, pthread_cond_signal, (pthread_cond_t* condition), (condition))
DISTURBED(int, pthread_cond_broadcast, (pthread_cond_t* condition), (condition))
DISTURBED(int, sem_post, (sem_t* semaphore), (semaphore))
// The same functions under their names for large files and for programs built with _FORTIFY_SOURCE.
DISTURBED(ssize_t, pread64, (int fd, void* to, size_t size, off64_t at), (fd, to, size, at))
DISTURBED(ssize_t, pwrite64, (int fd, void const* from, size_t size, off64_t at), (fd, from, size, at))
DISTURBED(ssize_t, __read_chk, (int fd, void* to, size_t size, size_t space), (fd, to, size, space))
DISTURBED(ssize_t, __recv_chk, (int fd, void* to, size_t size, size_t space, int flags), (fd, to, size, space, flags))
DISTURBED(ssize_t, __recvfrom_chk, (int fd, void* to, size_t size, size_t space, int flags, sockaddr* from, socklen_t* length),
          (fd, to, size, space, flags, from, length))
DISTURBED(int, __poll_chk, (pollfd* fds, nfds_t count, int ms, size_t space), (fds, count, ms, space))
// clang-format on

}  // extern "C"
