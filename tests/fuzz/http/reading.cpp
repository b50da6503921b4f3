// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "fuzz/http/reading.hpp"

#include <algorithm>

#include "fuzz/cuts.hpp"
#include "fuzz/require.hpp"
#include "http/input_buffers.hpp"

namespace petstore::fuzz {
namespace {

using progress = request_reader::progress;
using stage = request_reader::stage;

/// The index must find the same fields as a search by name.
void require_index(server::header_fields const& indexed, field_list const& fields) {
  for (std::size_t i = 0; i < server::known_field_count; ++i) {
    auto const known = static_cast<server::known_field>(i);
    auto const values = values_of(fields, name_of(known));
    require(indexed.count(known) == values.size(), "the index counts every field of a name", name_of(known));
    require(indexed.find(known) == (values.empty() ? "" : values[0]), "the index has the first one", name_of(known));
  }
}

message copy(server::request const& req) {
  message m;
  m.method = req.method;
  m.target = req.target;
  m.path = req.path;
  m.query = req.query;
  m.http_1_0 = req.http_1_0;
  for (auto const& f : req.fields) m.fields.emplace_back(f.name, f.value);
  require_index(req.fields, m.fields);
  m.body = req.body;
  m.has_body = req.has_body;
  m.body_too_large = req.body_too_large;
  return m;
}

message copy_whole(request_reader& reader) {
  auto m = copy(reader.request());
  m.keep_alive = reader.head().keep_alive;
  m.chunked = reader.head().chunked;
  m.expects_continue = reader.head().expects_continue;
  return m;
}

/// Gives the reader its next piece. The rest of the buffer is filled with bytes that would end any head, line or chunk,
/// so that a read beyond the piece changes the outcome.
std::size_t give(request_reader& reader, std::string_view bytes, std::size_t size) {
  constexpr std::string_view bait = "\r\n\r\n0\r\n\r\n";
  auto const buffer = reader.prepare();
  require(!buffer.empty(), "there is room while bytes are needed");
  std::size_t const n = std::min({buffer.size(), bytes.size(), size});
  std::ranges::copy(bytes.substr(0, n), buffer.begin());
  for (std::size_t i = n; i < std::min(buffer.size(), n + 2 * bait.size()); ++i)
    buffer[i] = bait[(i - n) % bait.size()];
  reader.commit(n);
  return n;
}

/// Overwrites the memory that the reader gave back, as another connection may do.
void use_elsewhere(server::http::input_buffers& shared) {
  auto buffer = shared.take();
  std::fill_n(buffer.get(), server::http::input_buffers::size, '\n');
  shared.give_back(std::move(buffer));
}

}  // namespace

reading read_connection(std::string_view bytes, server::connection_limits const& limits, std::string_view plan) {
  reading out;
  server::http::input_buffers shared;
  request_reader reader{limits, &shared};
  cuts pieces{plan};
  std::size_t given = 0;
  bool continue_was_due = false;
  for (;;) {
    switch (reader.advance()) {
      case progress::request:
        require(reader.where() == stage::done, "a request that is there is done");
        require(reader.advance() == progress::request, "a request stays until it is consumed");
        out.messages.push_back(copy_whole(reader));
        out.ends.push_back(given);
        if (out.messages.back().body_too_large) return out;
        reader.consume();
        use_elsewhere(shared);
        require(reader.where() == stage::between, "after a request comes the next");
        continue_was_due = false;
        break;
      case progress::refused:
        out.refused = true;
        out.refusal = reader.refusal();
        out.partial = copy(reader.request());
        return out;
      case progress::needs_bytes:
        if (reader.take_continue()) {
          require(!continue_was_due, "a 100 is due once");
          continue_was_due = true;
          require(reader.head().expects_continue && reader.where() == stage::body, "a 100 is due before a body");
        }
        if (given == bytes.size()) {
          out.stage = reader.where();
          // The first half of an empty line does not begin a request.
          require(out.stage != stage::between || !reader.has_more() || bytes.ends_with('\r'),
                  "nothing is left over between requests");
          return out;
        }
        given += give(reader, bytes.substr(given), pieces.next());
    }
  }
}

std::string to_text(message const& m) {
  std::string text{to_string(m.method)};
  text.append(" ").append(m.target).append(m.http_1_0 ? " 1.0" : " 1.1");
  text.append(" path ").append(m.path).append(" query ").append(m.query);
  for (auto const& [name, value] : m.fields) text.append("\n").append(name).append(": ").append(value);
  text.append("\nbody of ").append(std::to_string(m.body.size())).append(": ").append(m.body);
  auto const add = [&](bool is, std::string_view name) {
    if (is) text.append(" ").append(name);
  };
  text.append("\n");
  add(m.has_body, "has_body");
  add(m.body_too_large, "body_too_large");
  add(m.keep_alive, "keep_alive");
  add(m.chunked, "chunked");
  add(m.expects_continue, "expects_continue");
  return text;
}

std::string to_text(reading const& r) {
  std::string text;
  for (auto const& m : r.messages) text.append(to_text(m)).append("\n");
  if (!r.refused) return text.append("waits in stage ").append(std::to_string(static_cast<int>(r.stage)));
  text.append("refused: ").append(describe(r.refusal.code).code).append(" ").append(r.refusal.message).append("\n");
  return text.append(to_text(r.partial));
}

}  // namespace petstore::fuzz
