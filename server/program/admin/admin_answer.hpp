// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

/// How the pages of the admin listener answer. Any thread.
namespace petstore::program {

/// Never kept by a cache.
void answer_text(server::response&, std::string_view type, std::string body);
void answer_json(server::response&, std::string body);

/// `message` empty: the sentence of the table. `allow`: of method_not_allowed.
void answer_error(server::response&, errc, std::string_view message, std::string_view allow = {});

/// Whether the method is one of reading; if not, or when it is OPTIONS, the answer is written.
bool is_read_or_answer(server::method, server::response&);

}  // namespace petstore::program
