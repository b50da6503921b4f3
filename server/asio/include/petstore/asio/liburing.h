// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once
#pragma GCC system_header  // #include_next is an extension

/// \file
/// What Asio finds as `<liburing.h>` in a program on io_uring: the library's own header, and a repair of Asio 1.26,
/// which Boost 1.81 has. liburing 2.2 and later leave in an entry of the submission queue what its last user wrote
/// there, and that Asio names no receiver for what it asks without wanting an answer (cancel this, remove that
/// time-out). Once the queue of 16,384 entries has come round, the answers go to operations of others: a read ends with
/// no bytes, or is never heard of again. Boost 1.82 mended it the same way (asio pull request 1215).

#include_next <liburing.h>

#ifdef __cplusplus  // a host's C code finds this header, too, and has no Asio
#include <boost/version.hpp>

#if BOOST_VERSION < 108200

/// An entry whose answer goes to nobody, unless the user says to whom. Null: the queue is full.
static inline struct io_uring_sqe* petstore_get_sqe_for_nobody(struct io_uring* ring) {
  struct io_uring_sqe* const entry = io_uring_get_sqe(ring);
  if (entry) io_uring_sqe_set_data(entry, nullptr);
  return entry;
}
/// What Asio calls; that it is a macro tells the headers that include Asio that this one was found.
#define io_uring_get_sqe petstore_get_sqe_for_nobody

#endif
#endif
