// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

/// Fills in the answers of the pages on the admin listener. Any thread.
namespace petstore::program {

/// The answer forbids caches to store it.
void answer_text(server::response&, std::string_view type, std::string body);
void answer_json(server::response&, std::string body);

/// Replaces all fields. An empty `message` stands for the usual message of the error. `allow` is the Allow field of
/// method_not_allowed.
void answer_error(server::response&, errc, std::string_view message, std::string_view allow = {});

/// Returns whether the method is GET or HEAD. For any other method it fills in the answer and returns false.
bool is_read_or_answer(server::method, server::response&);

}  // namespace petstore::program
