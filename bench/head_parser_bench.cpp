// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.

// Is our parser faster than Beast's? Four readers parse the same bytes, and after each the fields can be looked up:
// ours with all checks; ours without the checks of fields against each other; Beast's basic_parser with the least code
// over it, which stores views in a vector; and Beast's request_parser as its examples use it. Beast's two check host,
// target and framing less strictly, and do not limit the number of fields.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "http/head.hpp"
#include "http/head_parser.hpp"

namespace {

namespace http = boost::beast::http;
namespace http1 = petstore::server::http;
using boost::beast::error_code;
using beast_view = boost::beast::string_view;

struct heads {
  char const* name;
  std::string bytes;
  int count = 1;
};

std::string usual_head() {
  return "GET /v1/pets/7 HTTP/1.1\r\nHost: api.example.com\r\n"
         "Authorization: Bearer ps_live_76Iw0wJLmBsjQwbqVHqTTpeCsX4cYOvazFiza0CQMEG3HdnfU\r\n"
         "User-Agent: shop-window/2.1\r\nAccept: application/json\r\n\r\n";
}

std::string browser_head() {
  return "GET /v1/pets?status=available&limit=50 HTTP/1.1\r\nHost: shop.example.com\r\n"
         "Authorization: Bearer ps_live_76Iw0wJLmBsjQwbqVHqTTpeCsX4cYOvazFiza0CQMEG3HdnfU\r\n"
         "Connection: keep-alive\r\nPragma: no-cache\r\nCache-Control: no-cache\r\n"
         "sec-ch-ua: \"Chromium\";v=\"130\", \"Not?A_Brand\";v=\"99\"\r\nsec-ch-ua-mobile: ?0\r\n"
         "sec-ch-ua-platform: \"Linux\"\r\nDNT: 1\r\nUpgrade-Insecure-Requests: 1\r\n"
         "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 "
         "Safari/537.36\r\n"
         "Accept: application/json, text/plain, */*\r\nOrigin: https://www.example.com\r\nSec-Fetch-Site: same-site\r\n"
         "Sec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\nReferer: https://www.example.com/animals\r\n"
         "Accept-Encoding: gzip, deflate, br, zstd\r\nAccept-Language: en-GB,en;q=0.9,de;q=0.8\r\n"
         "If-None-Match: \"7-1f00ab3c\"\r\n\r\n";
}

std::vector<heads> const& inputs() {
  static auto const all = [] {
    std::string pipelined;
    for (int i = 0; i < 16; ++i) pipelined += usual_head();
    return std::vector<heads>{{"usual", usual_head()}, {"browser", browser_head()}, {"pipelined_16", pipelined, 16}};
  }();
  return all;
}

void require(bool holds) {
  if (!holds) throw std::logic_error("a usual head that is refused");
}

/// The smallest usable parser over basic_parser: it stores views of what it found.
class view_parser final : public http::basic_parser<true> {
 public:
  struct field {
    http::field name;
    beast_view name_text, value;
  };
  http::verb verb{};
  beast_view target;
  std::vector<field>& fields;

  explicit view_parser(std::vector<field>& memory) : fields{memory} {
    fields.clear();
    skip(true);
    eager(true);
  }

 private:
  void on_request_impl(http::verb v, beast_view, beast_view t, int, error_code&) override {
    verb = v;
    target = t;
  }
  void on_field_impl(http::field f, beast_view name, beast_view value, error_code&) override {
    fields.push_back({f, name, value});
  }
  void on_response_impl(int, beast_view, int, error_code&) override {}
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(boost::optional<std::uint64_t> const&, error_code&) override {}
  std::size_t on_body_impl(beast_view, error_code&) override { return 0; }
  void on_chunk_header_impl(std::uint64_t, beast_view, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, beast_view, error_code&) override { return 0; }
  void on_finish_impl(error_code&) override {}
};

void read_here(benchmark::State& state, heads const& input, bool judges) {
  http1::head_parser parser{
      {.request_line_bytes_max = 8 * 1024, .header_bytes_max = 8 * 1024, .header_fields_max = 100}};
  http1::head head;
  for (auto _ : state) {
    for (std::string_view rest = input.bytes; !rest.empty();) {
      require(parser.parse(rest, head) == http1::head_parser::state::complete);
      if (judges) require(!http1::check_head(head));
      benchmark::DoNotOptimize(head.request.find(petstore::server::known_field::authorization).data());
      rest.remove_prefix(parser.size());
      parser.restart();
      head.clear();
    }
  }
  state.SetItemsProcessed(state.iterations() * input.count);
}

void read_with_basic_parser(benchmark::State& state, heads const& input) {
  std::vector<view_parser::field> memory;
  for (auto _ : state) {
    for (std::string_view rest = input.bytes; !rest.empty();) {
      view_parser parser{memory};
      error_code ec;
      rest.remove_prefix(parser.put(boost::asio::buffer(rest), ec));
      require(!ec && parser.is_header_done());
      auto const found =
          std::ranges::find(parser.fields, http::field::authorization, [](auto const& f) { return f.name; });
      benchmark::DoNotOptimize(found->value.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * input.count);
}

void read_with_request_parser(benchmark::State& state, heads const& input) {
  for (auto _ : state) {
    for (std::string_view rest = input.bytes; !rest.empty();) {
      http::request_parser<http::empty_body> parser;
      parser.eager(true);
      error_code ec;
      rest.remove_prefix(parser.put(boost::asio::buffer(rest), ec));
      require(!ec && parser.is_header_done());
      benchmark::DoNotOptimize(parser.get()[http::field::authorization].data());
    }
  }
  state.SetItemsProcessed(state.iterations() * input.count);
}

void add_row(std::string const& reader, heads const& input, benchmark::IterationCount iterations, auto read) {
  auto* const row = benchmark::RegisterBenchmark((reader + "/" + input.name).c_str(),
                                                 [&input, read](auto& state) { read(state, input); });
  if (iterations > 0) row->Iterations(iterations);
}

/// `--iterations=N` fixes the number of iterations, since instructions can be compared only between runs of equal
/// length.
benchmark::IterationCount take_iterations(int& argc, char** argv) {
  constexpr std::string_view flag = "--iterations=";
  benchmark::IterationCount n = 0;
  auto const is_taken = [&](std::string_view argument) {
    if (!argument.starts_with(flag)) return false;
    std::from_chars(argument.data() + flag.size(), argument.data() + argument.size(), n);
    return true;
  };
  argc = static_cast<int>(std::remove_if(argv, argv + argc, is_taken) - argv);
  return n;
}

}  // namespace

int main(int argc, char** argv) {
  auto const n = take_iterations(argc, argv);
  for (auto const& input : inputs()) {
    add_row("ours", input, n, [](auto& state, auto const& i) { read_here(state, i, true); });
    add_row("ours_unjudged", input, n, [](auto& state, auto const& i) { read_here(state, i, false); });
    add_row("basic_parser", input, n, [](auto& state, auto const& i) { read_with_basic_parser(state, i); });
    add_row("request_parser", input, n, [](auto& state, auto const& i) { read_with_request_parser(state, i); });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
