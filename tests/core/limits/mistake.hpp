// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#ifndef NDEBUG
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#endif

#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// Whether a refund is noticed as a mistake: by its verdict, or in a debug build by an assertion, which ends a child
/// process. There the state of the caller does not change.
template <class Refund>
bool is_noticed(Refund refund) {
#ifdef NDEBUG
  return refund().occasion == occasion::mistaken_refund;
#else
  pid_t const child = ::fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    std::fclose(stderr);
    refund();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
#endif
}

/// A debug build ends with the first mistake, so it counts none.
inline constexpr bool counts_mistakes =
#ifdef NDEBUG
    true;
#else
    false;
#endif

}  // namespace petstore::limits
