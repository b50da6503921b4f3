// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What does an answer over a socket cost at least on this machine? The baseline of bench/compare.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <exception>
#include <iostream>

#include "floor_server.hpp"
#include "framing.hpp"

int main(int argc, char** argv) {
  using namespace petstore::bench;

  std::uint16_t port = 0;
  std::size_t answer_bytes = 512;
  CLI::App app("Answers every request on loopback with the same bytes, as cheaply as epoll allows.");
  app.add_option("--port", port, "port to listen on; 0 takes a free one")->capture_default_str();
  app.add_option("--answer-bytes", answer_bytes, "length of an answer, head included")
      ->check(CLI::Range(answer_bytes_min, std::size_t{16} << 20))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  try {
    floor_server server(port, answer_bytes);
    std::cout << "listening on http://127.0.0.1:" << server.port() << std::endl;
    for (;;) server.serve_once();
  } catch (std::exception const& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
