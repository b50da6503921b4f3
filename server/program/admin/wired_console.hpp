// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <string>

#include "admin/admin_console.hpp"
#include "admin/busiest.hpp"
#include "admin/event_feed.hpp"
#include "admin/key_catalog.hpp"
#include "admin/sample.hpp"
#include "admin_path.hpp"
#include "pages/console_page.hpp"
#include "petstore/server/application.hpp"

namespace petstore::program {

/// The console of a running server: puts the page, its samples and its actions together. All calls on the executor,
/// which runs on one thread.
class wired_console {
 public:
  /// Everything given by reference outlives the console.
  struct dependencies {
    boost::asio::any_io_executor executor;
    server::application& application;
    ports::store& store;
    key_catalog& keys;
    std::function<program::figures()> figures;
    std::function<plan_table()> plans;  ///< returns the plans in force
    admin_access& access;
    std::function<void()> drain;
    server::log_function log;
    console_hosts hosts;
    std::string service_url;  ///< the public address of the service
  };
  explicit wired_console(dependencies);

  admin_console& pages() noexcept { return pages_; }
  /// Ends the streams of events, so that the listener can stop.
  void close() { feed_.close(); }

 private:
  observation observe() const;
  void restart();
  std::string sample();

  dependencies const parts_;
  std::string const node_;
  pages::console_page const page_{admin_path};
  observation last_;
  busiest by_use_;
  busiest by_refusals_;
  event_feed feed_;
  admin_console pages_;
};

}  // namespace petstore::program
