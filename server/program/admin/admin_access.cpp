// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/admin_access.hpp"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <chrono>
#include <locale>
#include <string>
#include <string_view>

#include "admin/admin_answer.hpp"
#include "admin/browser_request.hpp"
#include "admin/session_cookie.hpp"
#include "petstore/limits/notice.hpp"

namespace petstore::program {
namespace {

using namespace std::chrono_literals;
using server::known_field;

constexpr limits::plan wrong_tokens{limits::per_minute(10)};
/// An account rounds the end of a ban up, and Retry-After is not to say 61 seconds.
constexpr auto block = 1min - 10ms;
/// More addresses than that share counts, which makes guesses no faster.
constexpr std::size_t addresses_max = 1024;
constexpr std::string_view scheme = "Bearer ";

bool has_token(server::request const& req) {
  return boost::algorithm::istarts_with(req.find(known_field::authorization), scheme, std::locale::classic());
}

void answer_unauthorized(server::request const& req, server::response& out, std::string_view message) {
  answer_error(out, errc::unauthorized, message);
  out.add("WWW-Authenticate",
          has_token(req) ? R"(Bearer realm="petstore", error="invalid_token")" : R"(Bearer realm="petstore")");
}

}  // namespace

admin_access::admin_access(std::optional<admin_tokens> tokens, std::function<limits::instant()> clock)
    : clock_{std::move(clock)},
      tokens_{std::move(tokens)},
      wrong_tokens_{{.plan = wrong_tokens, .identities_max = addresses_max},
                    limits::keyed_hash{limits::random_seed()}} {}

void admin_access::replace(admin_tokens fresh) {
  tokens_ = std::move(fresh);
  sessions_.keep_only([this](sha256_digest const& token) { return tokens_->find(token) != nullptr; });
}

std::optional<admin_user> admin_access::identify_or_answer(server::request const& req, admin_role needed,
                                                           server::response& out) {
  auto const now = clock_();
  if (!is_open_or_answer(req, now, out)) return std::nullopt;
  bool const by_cookie = !has_token(req) && !read_session_cookie(req).empty();
  if (by_cookie && comes_from_another_site(req)) {
    answer_error(out, errc::forbidden, "The session of the console is for its own pages.");
    return std::nullopt;
  }
  auto const* const owner = find_user(req);
  auto user = owner ? std::optional{*owner} : std::nullopt;
  if (by_cookie) user = find_signed_in(req);
  if (!user) {
    if (has_token(req)) count_wrong_token(req, now);
    answer_unauthorized(req, out,
                        by_cookie ? "The session has ended: sign in again." : "The admin token is missing or wrong.");
  } else if (!user->may(needed)) {
    answer_error(out, errc::forbidden, "This token has the role viewer, which changes nothing.");
    user.reset();
  }
  return user;
}

std::optional<admin_access::sign_in> admin_access::sign_in_or_answer(server::request const& req, std::string_view token,
                                                                     server::response& out) {
  auto const now = clock_();
  if (!is_open_or_answer(req, now, out)) return std::nullopt;
  auto const* const user = tokens_->find(token);
  if (!user) {
    count_wrong_token(req, now);
    answer_unauthorized(req, out, "The admin token is wrong.");
    return std::nullopt;
  }
  sign_out(req);
  return sign_in{*user, sessions_.begin(sha256(token), now)};
}

std::optional<admin_user> admin_access::find_signed_in(server::request const& req) {
  auto const token = sessions_.use(read_session_cookie(req), clock_());
  auto const* const user = token && tokens_ ? tokens_->find(*token) : nullptr;
  return user ? std::optional{*user} : std::nullopt;
}

void admin_access::sign_out(server::request const& req) {
  sessions_.end(read_session_cookie(req));
}

/// Whether there are tokens, and the address may send one. Otherwise fills in the answer.
bool admin_access::is_open_or_answer(server::request const& req, limits::instant now, server::response& out) const {
  if (!tokens_) {
    answer_unauthorized(req, out, "There are no admin tokens: start petstore serve with --admin-token-file FILE.");
  } else if (auto const seen = wrong_tokens_.peek(limits::charging_unit(req.peer), 1, now); seen.refused()) {
    answer_error(out, errc::rate_limited, "Too many wrong tokens; Retry-After says when to try again.");
    out.add("Retry-After", std::to_string(limits::tell(seen).retry_after_s));
  } else {
    return true;
  }
  return false;
}

admin_user const* admin_access::find_user(server::request const& req) const {
  if (!has_token(req) || req.count(known_field::authorization) != 1) return nullptr;
  auto token = req.find(known_field::authorization).substr(scheme.size());
  token.remove_prefix(std::min(token.find_first_not_of(' '), token.size()));
  return tokens_->find(token);
}

void admin_access::count_wrong_token(server::request const& req, limits::instant now) {
  auto const address = limits::charging_unit(req.peer);
  auto const after = wrong_tokens_.charge(address, now);
  if (limits::tell(after).short_window.remaining == 0) (void)wrong_tokens_.ban(address, now.wall + block, now);
}

}  // namespace petstore::program
