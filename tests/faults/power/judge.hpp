// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "petstore/api_key.hpp"
#include "petstore/order.hpp"

/// Whether a directory that outlasted a power cut is a store with everything that was acknowledged before.
namespace petstore::faults {

/// Something acknowledged is gone, or what is there contradicts itself. One sentence.
struct lost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What clients were told. `at` is how long the log was when they had been told.
struct acknowledged {
  struct animal {
    std::uint64_t at = 0;
    std::string name;
    std::uint64_t removed_at = 0;  ///< 0: never
  };
  struct step {
    std::uint64_t at;
    std::int64_t order;
    std::int64_t pet;
    order_status status;
  };
  struct key {
    std::uint64_t at = 0;
    std::uint64_t revoked_at = 0;  ///< 0: never
  };
  struct creation {
    std::uint64_t at;
    bool is_order;
    std::string key;  ///< Idempotency-Key
    sha256_digest body;
    std::string answer;
  };

  std::map<std::int64_t, animal> animals;
  std::vector<step> steps;
  std::map<sha256_digest, key> keys;
  std::vector<creation> creations;
  std::vector<std::uint64_t> answers;  ///< when each was there; each cost the first key a token
};

/// As acknowledged.py writes it. Throws std::runtime_error.
acknowledged read_acknowledged(std::filesystem::path const&);

/// Starts on the directory as a server does, which makes a store where there is none. Throws `lost`.
/// `cut_at`: what was acknowledged by then is there. `charged_by`: and of quotas, what was answered by then.
void judge(std::filesystem::path const& store, acknowledged const&, std::uint64_t cut_at, std::uint64_t charged_by);

}  // namespace petstore::faults
