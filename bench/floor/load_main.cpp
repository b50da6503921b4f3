// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// How many requests does the server on this port answer, how long do they wait, and how much processor time do they
// take?
#include <CLI/CLI.hpp>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "framing.hpp"
#include "load.hpp"

namespace petstore::bench {
namespace {

std::string read_file(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file || text.empty()) throw std::runtime_error(path + " cannot be read, or is empty");
  return text;
}

/// Several heads one after the other are as many requests; any other text is one request.
void add_requests(std::string const& text, load& wanted) {
  std::string_view rest = text;
  while (auto const length = head_length(rest)) {
    wanted.more_requests.emplace_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  if (!rest.empty()) wanted.more_requests = {text};
  wanted.request = wanted.more_requests.front();
  wanted.more_requests.erase(wanted.more_requests.begin());
}

double seconds(std::chrono::nanoseconds d) {
  return std::chrono::duration<double>(d).count();
}

double microseconds(std::chrono::nanoseconds d) {
  return seconds(d) * 1e6;
}

/// One JSON object on one line.
void print(load_report const& r) {
  std::cout << "{\"requests\": " << r.answers << ", \"seconds\": " << seconds(r.duration)
            << ", \"requests_per_second\": " << static_cast<double>(r.answers) / seconds(r.duration)
            << ", \"bytes\": " << r.bytes << ", \"wait_us\": {\"p50\": " << microseconds(r.waits.quantile(0.5))
            << ", \"p99\": " << microseconds(r.waits.quantile(0.99)) << "}, \"statuses\": {";
  char const* separator = "";
  for (std::size_t status = 0; status < statuses_max; ++status) {
    if (r.by_status[status] == 0) continue;
    std::cout << separator << '"' << status << "\": " << r.by_status[status];
    separator = ", ";
  }
  std::cout << "}, \"broken_connections\": " << r.broken_connections << ", \"unanswered\": " << r.unanswered;
  if (r.server_processor_time) {
    std::cout << ", \"server_processor_seconds\": " << seconds(*r.server_processor_time);
  }
  std::cout << '}' << std::endl;
}

}  // namespace
}  // namespace petstore::bench

int main(int argc, char** argv) {
  using namespace petstore::bench;

  load wanted;
  std::string request_file;
  double warm_up = 0.2;
  double duration = 1;
  CLI::App app("Loads a server on loopback over connections that each wait for their answers.");
  app.add_option("--port", wanted.port, "port of the server")->required();
  app.add_option("--request", request_file,
                 "file with a request, head and body, as it goes out; or with several heads, which are sent in turn")
      ->required();
  app.add_option("--connections", wanted.connections)->check(CLI::Range(1, 10'000))->capture_default_str();
  app.add_option("--depth", wanted.depth, "requests that a connection sends at once")
      ->check(CLI::Range(1, 1'000))
      ->capture_default_str();
  app.add_option("--warm-up", warm_up, "seconds before counting")->check(CLI::Range(0., 60.))->capture_default_str();
  auto* const seconds_option =
      app.add_option("--seconds", duration, "seconds counted")->check(CLI::Range(0.001, 60.))->capture_default_str();
  app.add_option("--requests", wanted.requests, "instead of for some time: send so many, no warm-up")
      ->excludes(seconds_option);
  app.add_option("--server-process", wanted.server, "process id of the server, whose processor time is then told");
  CLI11_PARSE(app, argc, argv);

  try {
    using std::chrono::duration_cast, std::chrono::nanoseconds;
    add_requests(read_file(request_file), wanted);
    wanted.warm_up = duration_cast<nanoseconds>(std::chrono::duration<double>(warm_up));
    wanted.duration = duration_cast<nanoseconds>(std::chrono::duration<double>(duration));
    auto const report = run_load(wanted);
    print(report);
    return report.broken_connections == 0 && report.unanswered == 0 ? 0 : 1;
  } catch (std::exception const& e) {
    std::cerr << e.what() << '\n';
    return 2;
  }
}
