// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "config/load.hpp"
#include "petstore/ports/store.hpp"
#include "store/open_store.hpp"

/// How a store of each kind is opened: one function for each, of which open_store.cpp has the table. They throw
/// config_error naming the setting and the cause.
namespace petstore::program {

/// What a store is opened for.
enum class store_purpose : std::uint8_t {
  serve,  ///< a server's: made where there is none, locked against a second server where it is not shared
  fill,   ///< a tool's that puts something into it: made where there is none; a server may have it open
  look,   ///< a tool's that looks at what is there: it must exist
};

struct store_opening {
  loaded_settings const& loaded;
  store_purpose purpose;
  std::vector<boost::asio::any_io_executor> executors;  ///< that serve; what is called from one is answered there
  store_report report;

  /// Of the store's options: the environment, when that is what it must have, and when it is only for a new store. A
  /// tool whose configuration names none takes a store of either.
  template <class Options>
  void set_environment(Options& options) const {
    if (purpose == store_purpose::look) return;
    bool const must_match = purpose == store_purpose::serve || loaded.source_of("environment") != "default";
    (must_match ? options.environment : options.environment_if_new) = loaded.values.service.environment;
  }
};

/// The fault of the setting.
config_error store_fault(loaded_settings const&, std::string_view what);

std::unique_ptr<ports::store> open_lmdb(store_opening);
std::unique_ptr<ports::store> open_memory(store_opening);
std::unique_ptr<ports::store> open_postgres(store_opening);

/// Whether the address is one, as far as that can be said without connecting.
void judge_postgres_address(loaded_settings const&);

}  // namespace petstore::program
