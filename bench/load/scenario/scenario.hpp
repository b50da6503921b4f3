// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What clients do, as a scenario file says it (read_scenario.hpp) or as the flags of a plain run do: plain values.
// `script` (script.hpp) makes of them what is played.
//
// A client performs one *operation* after the other, chosen by weight. An operation is one step or several; a step is a
// request. What a step captures of its answer the later steps of the same operation can use.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenario/status_set.hpp"
#include "scenario/text_template.hpp"
#include "scenario/think_time.hpp"
#include "schedule/load_shape.hpp"

namespace petstore::load {

inline constexpr std::size_t operations_max = 256;  ///< steps of all operations together
inline constexpr std::size_t captures_max = 32;     ///< of one operation
inline constexpr std::size_t keys_max = 10'000;
inline constexpr std::size_t scenario_file_bytes_max = 1 << 20;
inline constexpr std::size_t body_lines_bytes_max = 64 << 20;

/// What a client does when it is told to wait (429, 503) or is not answered.
enum class manners {
  ignore,  ///< goes on as if nothing had been said
  obey,    ///< waits as long as it is told (Retry-After), or by exponential backoff, and tries the same request again
  pause,   ///< does not try again; nobody uses that key until the time that was told is over
};

/// How long `obey` waits when nobody says how long, and how often it tries. Full jitter: any time between none and
/// base · 2ⁿ, at most `longest` (M. Brooker, "Exponential Backoff And Jitter", 2015).
struct backoff_rule {
  std::chrono::nanoseconds base = std::chrono::milliseconds(100);
  std::chrono::nanoseconds longest = std::chrono::seconds(30);
  unsigned tries = 5;  ///< of one request, the first included; 1 to tries_max

  bool operator==(backoff_rule const&) const = default;
};
inline constexpr unsigned tries_max = 100;

/// A value of an answer that a later step uses.
struct capture {
  enum class origin { body, header };
  origin from = origin::body;
  std::string where;     ///< a JSON pointer (RFC 6901), or the name of a field
  std::size_t slot = 0;  ///< where templates find it
};

struct field_template {
  std::string name;
  text_template value;
};

/// A body that each request takes from the next line of a file, beginning again after the last one.
using body_lines = std::vector<std::string>;

struct step {
  std::string name;  ///< as reports show it: "list", or "adopt/create" for a step of several
  std::string method = "GET";
  text_template path;  ///< behind the base path of the target
  std::vector<field_template> fields;
  text_template body;
  body_lines lines;  ///< when there are any, they are the bodies
  status_set expects = status_set::success();
  std::vector<capture> captures;
  think_time think;     ///< between this step's answer and the next step of the same operation
  bool charged = true;  ///< whether an answer costs a token; what does not is left out by the audit
};

struct operation {
  std::string name;
  double weight = 1;
  std::vector<step> steps;  ///< at least one
  std::size_t slots = 0;    ///< values that its steps capture
};

/// What a plan promises, for the audit to hold against the answers.
struct promised_quota {
  std::string resource;  ///< as the service names it: "minute"
  std::int64_t limit = 0;
  std::chrono::seconds window{60};
  bool continuous = false;  ///< refilled token by token instead of whole when a period ends
};

struct api_key {
  std::string name;    ///< as reports show it; never the key
  std::string secret;  ///< sent as `Authorization: Bearer`; printed nowhere
  std::vector<promised_quota> promises;
};

/// What the file says of the load; flags beat it.
struct load_settings {
  std::optional<load_shape> shape;
  std::optional<std::chrono::nanoseconds> duration;
  std::optional<std::chrono::nanoseconds> warm_up;
  std::optional<std::chrono::nanoseconds> timeout;  ///< of one request
  std::optional<unsigned> connections;
  std::optional<std::uint64_t> requests;  ///< stop after so many
  std::optional<std::uint64_t> errors;    ///< stop at so many
};

struct audit_settings {
  bool wanted = false;
  bool shared = false;    ///< several nodes hold tokens ahead of need (leases), see audit/auditor.hpp
  bool exclusive = true;  ///< nobody else uses the keys during the run
};

struct scenario {
  std::string name;
  std::vector<operation> operations;
  std::vector<api_key> keys;  ///< used in turn; without any, requests have no Authorization
  manners conduct = manners::ignore;
  backoff_rule backoff;
  think_time think;  ///< of a client between two operations, when no schedule says when the next one is due
  load_settings load;
  audit_settings audit;
};

/// The scenario of a run without a file: one operation, one step, both named by method and path.
scenario plain_scenario(std::string method, std::string path, std::vector<field_template> fields, std::string body,
                        std::vector<api_key> keys);

/// Names of all steps, in the order in which actions (flow.hpp) number them.
std::vector<std::string> step_names(scenario const&);

}  // namespace petstore::load
