// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A certificate that nobody else believes, made when it is asked for.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <string>

namespace petstore::load {

struct certificate {
  std::string pem;
  std::string key_pem;
};

/// Signed by itself, valid from yesterday on, for this name as OpenSSL writes it: "DNS:localhost" or "IP:127.0.0.1".
certificate make_certificate(std::string const& name);

boost::asio::ssl::context server_context(certificate const&);

}  // namespace petstore::load
