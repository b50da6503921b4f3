// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#define BOOST_TEST_MODULE petstore
#ifdef BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#else
#include <boost/test/included/unit_test.hpp>
#endif

#include "support/sanitizers.hpp"

#if PETSTORE_TESTS_HAVE_TSAN
// libstdc++ counts the references to an exception in its compiled part, where ThreadSanitizer does not look: to it, the
// thread that gives up the last one frees what another has just read.
extern "C" char const* __tsan_default_suppressions() {
  return "race:std::__exception_ptr::exception_ptr::_M_release\n";
}
#endif
