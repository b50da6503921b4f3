// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "config/load.hpp"
#include "petstore/ports/report.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::program {

/// Opens the store of a server, or creates it for the configured environment. An embedded store is locked against a
/// second server. `executors` are those that serve. Throws config_error, or command_error if the cause may pass;
/// so do the other functions that open a store.
std::unique_ptr<ports::store> open_store_to_serve(loaded_settings const&,
                                                  std::vector<boost::asio::any_io_executor> executors,
                                                  ports::report_function);

/// Opens or creates the store for a tool that adds data; a server may have it open. If the configuration names no
/// environment, an existing store keeps its own.
std::unique_ptr<ports::store> open_store_to_fill(loaded_settings const&, ports::report_function);

/// Returns the directory of the embedded store, for tools that work on its files. Throws config_error.
std::filesystem::path directory_of_store(loaded_settings const&);

/// Opens the store for a tool that needs an existing one.
std::unique_ptr<ports::store> open_existing_store(loaded_settings const&, ports::report_function);

/// Checks whether a server could open the store, or make one, as far as possible without a connection. Changes nothing.
/// Throws config_error, also if no store is configured.
void validate_store(loaded_settings const&);

/// Whether the embedded store of the configuration still has to be made; false for other stores.
bool has_no_store_yet(loaded_settings const&);

/// Whether a server has the embedded store open now; false for other stores.
bool is_in_use(loaded_settings const&);

/// Returns the settings with another store, which the flag names.
loaded_settings with_store(loaded_settings, std::string_view uri, std::string_view flag);

}  // namespace petstore::program
