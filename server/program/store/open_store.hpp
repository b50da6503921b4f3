// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "config/load.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::program {

/// Told of what operators should know about the store. Any thread.
using store_report = std::function<void(std::string_view event, std::string_view detail)>;

/// The store of a server: opened or created for its environment; an embedded one locked against a second server. The
/// executors are those that serve. Throws config_error naming the setting and the cause.
std::unique_ptr<ports::store> open_store_to_serve(loaded_settings const&,
                                                  std::vector<boost::asio::any_io_executor> executors, store_report);

/// The same for a tool that puts something into the store; a server may have it open. When the configuration does not
/// name an environment, an existing store has its own.
std::unique_ptr<ports::store> open_store_to_fill(loaded_settings const&, store_report);

/// Where the embedded store is, for what works on its files. Throws config_error.
std::filesystem::path directory_of_store(loaded_settings const&);

/// The store of a tool that looks at what is there: it must exist.
std::unique_ptr<ports::store> open_existing_store(loaded_settings const&, store_report);

/// Whether the store's address is one, as far as that can be said without opening it. Throws config_error.
void judge_store_address(loaded_settings const&);

/// The same settings, but for another store, which the flag named.
loaded_settings with_store(loaded_settings, std::string_view uri, std::string_view flag);

}  // namespace petstore::program
