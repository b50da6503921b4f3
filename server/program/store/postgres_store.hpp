// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <vector>

#include "config/load.hpp"
#include "outcome.hpp"
#include "petstore/ports/store.hpp"
#include "store/open_store.hpp"

/// What a build without PostgreSQL (PETSTORE_BUILD_POSTGRES) has another version of. All of it throws config_error
/// naming the setting and the cause.
namespace petstore::program {

/// What is called from one of the executors is answered there.
std::unique_ptr<ports::store> open_postgres_to_serve(loaded_settings const&,
                                                     std::vector<boost::asio::any_io_executor> executors, store_report);
std::unique_ptr<ports::store> open_postgres_to_fill(loaded_settings const&, store_report);
std::unique_ptr<ports::store> open_existing_postgres(loaded_settings const&, store_report);

/// Whether the store's address is one, as far as that can be said without connecting.
void judge_postgres_address(loaded_settings const&);

/// `petstore migrate`: brings the schema up to date, and says from which version to which.
void migrate_command(loaded_settings const&, streams);

}  // namespace petstore::program
