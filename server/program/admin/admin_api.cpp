// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "admin/admin_answer.hpp"
#include "admin_path.hpp"
#include "petstore/server/address_range.hpp"
#include "petstore/server/percent.hpp"

namespace petstore::program {
namespace {

using server::method;

constexpr std::string_view id_segment = "{id}";
/// No path of an operation is longer, whatever the id.
constexpr std::size_t path_bytes_max = 64;

/// Returns whether a path matches one of the table. If it has an id, that is put into `key`: 0 if it is the id of no
/// key.
bool matches(std::string_view path, std::string_view known, std::uint64_t& key) {
  auto const at = known.find(id_segment);
  if (at == known.npos) return path == known;
  auto const tail = known.substr(at + id_segment.size());
  if (!path.starts_with(known.substr(0, at))) return false;
  auto const rest = path.substr(at);
  auto const segment = rest.substr(0, rest.find('/'));
  if (segment.empty() || rest.substr(segment.size()) != tail) return false;
  key = key_number(segment).value_or(0);
  return true;
}

/// HEAD is answered as GET.
method effective(method m) {
  return m == method::head ? method::get : m;
}

}  // namespace

std::span<admin_api::operation const> admin_api::operations() {
  using enum admin_role;
  static constexpr std::array table{
      operation{method::get, "/keys", viewing, &admin_api::list_keys},
      operation{method::post, "/keys", operating, &admin_api::create_key},
      operation{method::get, "/keys/{id}", viewing, &admin_api::get_key},
      operation{method::patch, "/keys/{id}", operating, &admin_api::update_key},
      operation{method::post, "/keys/{id}/rotate", operating, &admin_api::rotate_key},
      operation{method::post, "/keys/{id}/revoke", operating, &admin_api::revoke_key},
      operation{method::put, "/keys/{id}/ban", operating, &admin_api::ban_key},
      operation{method::delete_, "/keys/{id}/ban", operating, &admin_api::unban_key},
      operation{method::post, "/keys/{id}/reset-quota", operating, &admin_api::reset_quota},
      operation{method::get, "/keys/{id}/usage", viewing, &admin_api::get_usage},
      operation{method::get, "/audit", viewing, &admin_api::list_changes},
      operation{method::get, "/pets", viewing, &admin_api::list_pets},
      operation{method::get, "/orders", viewing, &admin_api::list_orders},
      operation{method::get, "/openapi.json", std::nullopt, &admin_api::get_description},
  };
  return table;
}

/// The operations of a path, and what the request asks of it.
struct admin_api::route {
  std::vector<operation const*> of_path;  ///< empty: there is no such path
  operation const* asked = nullptr;       ///< nullptr: the path does not have the method, or it is OPTIONS
  std::optional<std::uint64_t> key;       ///< the number in the path; 0: no key can have that id

  /// The role that a request needs before it is told what exists.
  std::optional<admin_role> role() const {
    if (asked) return asked->role;
    bool const is_open = !of_path.empty() && !of_path.front()->role;
    return is_open ? std::nullopt : std::optional{admin_role::viewing};
  }
  std::string allow() const {
    std::string methods;
    for (auto const* o : of_path) {
      methods.append(boost::beast::http::to_string(o->method)).append(", ");
      if (o->method == method::get) methods.append("HEAD, ");
    }
    return methods.append("OPTIONS");
  }
};

admin_api::admin_api(parts p, console_hosts hosts)
    : parts_{std::move(p)}, hosts_{std::move(hosts)}, keys_{parts_.store, parts_.quotas, parts_.plans, parts_.clock} {}

bool admin_api::has(std::string_view path) noexcept {
  return path.starts_with(admin_path) && (path.size() == admin_path.size() || path[admin_path.size()] == '/');
}

admin_api::route admin_api::match(server::request const& req) {
  route found;
  std::array<char, path_bytes_max> buffer;
  auto const plain = server::decode_segments(req.path.substr(admin_path.size()), buffer);
  for (auto const& o : operations()) {
    std::uint64_t key = 0;
    if (!plain || !matches(*plain, o.path, key)) continue;
    if (o.path.find(id_segment) != o.path.npos) found.key = key;
    found.of_path.push_back(&o);
    if (o.method == effective(req.method)) found.asked = &o;
  }
  return found;
}

boost::asio::awaitable<void> admin_api::handle(server::request const& req, server::response& out) {
  if (auto const host = req.find(server::known_field::host); !hosts_.has(host))
    co_return answer_error(out, errc::forbidden,
                           fmt::format("Name the host {} in --admin-hosts to use it here.", host));
  auto const where = match(req);
  std::optional<admin_user> user = admin_user{};
  if (auto const role = where.role()) user = parts_.access.identify_or_answer(req, *role, out);
  if (user) {
    auto answering = answer(where, *user, req, out);
    co_await std::move(answering);
  } else {
    parts_.log(server::severity::warning, "admin_refused",
               fmt::format("{} from {}: {}", where.asked ? where.asked->path : "an unknown path",
                           server::address_text(req.peer), out.notes.error_code),
               server::log_origin{req});
  }
}

boost::asio::awaitable<void> admin_api::answer(route const& where, admin_user const& user, server::request const& req,
                                               server::response& out) {
  if (where.of_path.empty() || where.key == 0u) co_return answer_error(out, errc::not_found, {});
  if (req.method == method::options) {
    out.status = 204;
    out.add("Allow", where.allow());
  } else if (!where.asked) {
    answer_error(out, errc::method_not_allowed, {}, where.allow());
  } else {
    auto const now = std::chrono::floor<std::chrono::milliseconds>(parts_.clock().wall);
    call const c{req, user, where.key.value_or(0), out, now};
    auto handling = (this->*where.asked->handler)(c);
    auto const done = co_await std::move(handling);
    if (done) co_return;
    // The cause is for operators, and only they have a token.
    auto const& e = done.error();
    answer_error(out, e.code, e.cause.empty() ? e.message : e.message + " (" + e.cause + ")");
  }
}

void admin_api::add_next_link(call const& c, std::string_view path, admin_list const& list, list_position last) const {
  c.out.add("Link", fmt::format("<{}{}?{}>; rel=\"next\"", admin_path, path, list.next_query(last)));
}

}  // namespace petstore::program
