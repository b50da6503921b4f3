// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#define BOOST_TEST_MODULE petstore
#include <boost/test/unit_test.hpp>
