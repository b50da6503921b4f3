// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "config/load.hpp"
#include "outcome.hpp"
#include "petstore/ports/open_error.hpp"
#include "petstore/ports/report.hpp"
#include "petstore/ports/store.hpp"

/// The functions that open a store, and the table of them, with a row for each kind. They throw config_error, or
/// command_error if the cause may pass. Both name the setting and the cause.
namespace petstore::program {

/// The purpose for which a store is opened.
enum class store_purpose : std::uint8_t {
  serve,  ///< by a server: created if there is none, locked against a second server if it is not shared
  fill,   ///< by a tool that adds data: created if there is none; a server may have it open
  look,   ///< by a tool that needs an existing store; a server may have it open
};

struct store_opening {
  loaded_settings const& loaded;
  store_purpose purpose;
  std::vector<boost::asio::any_io_executor> executors;  ///< that serve; a call from one of them completes there
  ports::report_function report;

  /// Sets the environment in the options of a store: the one that the store must have, or the one for a new store only.
  /// A tool whose configuration names no environment accepts a store of either.
  template <class Options>
  void set_environment(Options& options) const {
    if (purpose == store_purpose::look) return;
    bool const must_match = purpose == store_purpose::serve || loaded.source_of("environment") != "default";
    (must_match ? options.environment : options.environment_if_new) = loaded.values.service.environment;
  }
};

/// Makes a fault of the setting `store`.
config_error store_fault(loaded_settings const&, std::string_view what);

/// Runs `open`. If it throws open_error, that becomes a fault of the setting: command_error if it may
/// pass, otherwise config_error.
template <class Open>
auto with_store_faults(loaded_settings const& loaded, Open open) {
  try {
    return open();
  } catch (ports::unavailable_error const& failure) {
    throw command_error(store_fault(loaded, failure.what()).what());
  } catch (ports::open_error const& failure) {
    throw store_fault(loaded, failure.what());
  }
}

std::unique_ptr<ports::store> open_lmdb(store_opening);
std::unique_ptr<ports::store> open_memory(store_opening);
std::unique_ptr<ports::store> open_postgres(store_opening);

/// Checks whether a server could open the store that is there, or make one.
void validate_lmdb(loaded_settings const&);
/// Checks the address, as far as possible without a connection.
void validate_postgres_address(loaded_settings const&);

struct store_backend {
  store_kind kind;
  std::unique_ptr<ports::store> (*open)(store_opening);
  void (*validate)(loaded_settings const&) = nullptr;  ///< null: there is nothing to check
};
inline constexpr std::array store_backends{
    store_backend{store_kind::lmdb, open_lmdb, validate_lmdb},
    store_backend{store_kind::memory, open_memory},
    store_backend{store_kind::postgres, open_postgres, validate_postgres_address},
};

}  // namespace petstore::program
