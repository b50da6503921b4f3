// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#define BOOST_TEST_MODULE petstore
#ifdef BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#else
#include <boost/test/included/unit_test.hpp>
#endif
