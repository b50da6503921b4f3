// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The visitor's own copy of Asio, where it compiles that once.
#include <boost/asio/impl/src.hpp>
