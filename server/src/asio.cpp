// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The one translation unit that holds the implementation of Boost.Asio.
#include <boost/asio/impl/src.hpp>
