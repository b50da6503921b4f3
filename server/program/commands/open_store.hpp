// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "config/load.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::program {

/// Told of what operators should know about the store. Any thread.
using store_report = std::function<void(std::string_view event, std::string_view detail)>;

/// The store of a server: opened or created for its environment, and locked against a second server. Throws
/// config_error naming the setting and the cause.
std::unique_ptr<ports::store> open_store_to_serve(loaded_settings const&, store_report);

/// The same for a tool that puts something into the store; a server may have it open. When the configuration does not
/// name an environment, an existing store has its own.
std::unique_ptr<ports::store> open_store_to_fill(loaded_settings const&, store_report);

/// The store of a tool that looks at what is there: it must exist.
std::unique_ptr<ports::store> open_existing_store(loaded_settings const&, store_report);

}  // namespace petstore::program
