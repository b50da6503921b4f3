// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The visitor compiles Asio separately; this is its copy.
#include <boost/asio/impl/src.hpp>
