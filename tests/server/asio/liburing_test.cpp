// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <cstddef>

BOOST_AUTO_TEST_SUITE(liburing)

namespace asio = boost::asio;

namespace {

/// Both ends of a connection, and what the last read from the one ended with.
struct connection {
  asio::local::stream_protocol::socket near;
  asio::local::stream_protocol::socket far;
  std::array<char, 1> byte{};
  boost::system::error_code failure;
  std::size_t reads_ended = 0;

  explicit connection(asio::io_context& context) : near{context}, far{context} { asio::local::connect_pair(near, far); }
  void read() {
    near.async_read_some(asio::buffer(byte), [this](boost::system::error_code ec, std::size_t) {
      failure = ec;
      ++reads_ended;
    });
  }
};

/// Asio asks for so many entries.
constexpr std::size_t ring_size = 16384;

}  // namespace

/// A round has three entries, so that a cancellation gets its place in the ring from the reader the next time.
BOOST_AUTO_TEST_CASE(what_is_cancelled_is_nobodys_answer_when_the_ring_has_come_round) {
  asio::io_context context;
  auto const work = asio::make_work_guard(context);
  connection reader{context};
  connection canceller{context};
  for (std::size_t round = 1; round <= ring_size; ++round) {
    canceller.read();
    context.poll();
    reader.read();
    context.poll();
    canceller.near.cancel();
    while (canceller.reads_ended < round) context.run_one();
    BOOST_REQUIRE(canceller.failure == asio::error::operation_aborted);
    context.poll();
    BOOST_REQUIRE_EQUAL(reader.reads_ended, round - 1);

    asio::write(reader.far, asio::buffer("x", 1));
    while (reader.reads_ended < round) context.run_one();
    BOOST_REQUIRE(!reader.failure);
    BOOST_REQUIRE_EQUAL(reader.byte[0], 'x');
  }
}

BOOST_AUTO_TEST_SUITE_END()
