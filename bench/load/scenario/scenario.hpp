// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What clients do, from a scenario file (read_scenario.hpp) or from the flags of a plain run: plain values. `script`
// (script.hpp) prepares them for playing.
//
// A client performs one *operation* after the other, chosen by weight. An operation has one or more steps; a step is a
// request. Later steps of the same operation can use values that a step captures from its answer.
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
inline constexpr std::size_t captures_max = 32;     ///< for one operation
inline constexpr std::size_t keys_max = 10'000;
inline constexpr std::size_t scenario_file_bytes_max = 1 << 20;
inline constexpr std::size_t body_lines_bytes_max = 64 << 20;

/// What a client does after an answer that asks to wait (429, 503), or without an answer.
enum class manners {
  ignore,  ///< continues without a wait
  obey,    ///< waits for Retry-After, or by exponential backoff, and repeats the request
  pause,   ///< does not repeat the request; the key is not used until Retry-After is over
};

/// How long `obey` waits without a Retry-After, and how often it tries. Full jitter: a random time from 0 to base · 2ⁿ,
/// at most `longest` (M. Brooker, "Exponential Backoff And Jitter", 2015).
struct backoff_rule {
  std::chrono::nanoseconds base = std::chrono::milliseconds(100);
  std::chrono::nanoseconds longest = std::chrono::seconds(30);
  unsigned tries = 5;  ///< for one request, including the first; 1 to tries_max

  bool operator==(backoff_rule const&) const = default;
};
inline constexpr unsigned tries_max = 100;

/// A value of an answer that a later step uses.
struct capture {
  enum class origin { body, header };
  origin from = origin::body;
  std::string where;     ///< a JSON pointer (RFC 6901), or the name of a field
  std::size_t slot = 0;  ///< its index for templates
};

struct field_template {
  std::string name;
  text_template value;
};

/// Bodies from a file: each request takes the next line, and after the last line the first one again.
using body_lines = std::vector<std::string>;

struct step {
  std::string name;  ///< the name in reports: "list", or "adopt/create" for one of several steps
  std::string method = "GET";
  text_template path;  ///< after the base path of the target
  std::vector<field_template> fields;
  text_template body;
  body_lines lines;  ///< the bodies, if there are any lines
  status_set expects = status_set::success();
  std::vector<capture> captures;
  think_time think;     ///< between this step's answer and the next step of the same operation
  bool charged = true;  ///< whether an answer costs a token; the audit ignores steps that cost none
};

struct operation {
  std::string name;
  double weight = 1;
  std::vector<step> steps;  ///< at least one
  std::size_t slots = 0;    ///< the number of values that its steps capture
};

/// What a plan promises; the audit compares the answers with it.
struct promised_quota {
  std::string resource;  ///< the service's name for it: "minute"
  std::int64_t limit = 0;
  std::chrono::seconds window{60};
  bool continuous = false;  ///< refilled token by token, not at the end of a period
};

struct api_key {
  std::string name;    ///< the name in reports; never the key
  std::string secret;  ///< sent as `Authorization: Bearer`; never printed
  std::vector<promised_quota> promises;
};

/// The load in the file; flags override it.
struct load_settings {
  std::optional<load_shape> shape;
  std::optional<std::chrono::nanoseconds> duration;
  std::optional<std::chrono::nanoseconds> warm_up;
  std::optional<std::chrono::nanoseconds> timeout;  ///< for one request
  std::optional<unsigned> connections;
  std::optional<std::uint64_t> requests;  ///< stop after this number
  std::optional<std::uint64_t> errors;    ///< stop at this number
};

struct audit_settings {
  bool wanted = false;
  bool shared = false;    ///< several nodes hold tokens in advance (leases), see audit/auditor.hpp
  bool exclusive = true;  ///< nobody else uses the keys during the run
};

struct scenario {
  std::string name;
  std::vector<operation> operations;
  std::vector<api_key> keys;  ///< used in turn; without keys, requests have no Authorization
  manners conduct = manners::ignore;
  backoff_rule backoff;
  think_time think;  ///< between two operations of a client, if there is no schedule
  load_settings load;
  audit_settings audit;
};

/// The scenario of a run without a file: one operation with one step, both named by method and path.
scenario plain_scenario(std::string method, std::string path, std::vector<field_template> fields, std::string body,
                        std::vector<api_key> keys);

/// The names of all steps; actions (flow.hpp) have indexes into this list.
std::vector<std::string> step_names(scenario const&);

}  // namespace petstore::load
