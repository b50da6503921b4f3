// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string>

#include "petstore/storage/rules/repetition.hpp"
#include "write_transaction.hpp"

namespace petstore::storage::lmdb {

/// Compares the Idempotency-Key of a creation, if it has one, with the stored answers.
class repetition {
 public:
  repetition(write_transaction& t, rules::repeatable operation, std::optional<ports::idempotency> const& request,
             unix_ms now)
      : transaction_(t), request_(request), now_(now) {
    if (request) key_ = answer_key(request->identity, operation, request->key);
  }

  /// See rules::find_repetition.
  result<std::optional<ports::stored>> find_answer() {
    if (!request_) return std::optional<ports::stored>{};
    if (auto const record = transaction_.find_record(table::answers, key_)) {
      kept_ = read_answer(*record);
      if (!kept_) throw damaged_record("a record of answers is damaged: it is too short");
    }
    return rules::find_repetition(kept_ ? &*kept_ : nullptr, *request_, now_);
  }

  void keep(ports::stored const& answer) {
    if (request_) {
      // An expired answer with the same key is removed first, so that its old expiry does not remove the new one.
      if (kept_) transaction_.remove(table::answers_by_expiry, expiry_key(kept_->expires_at, key_));
      auto const kept = rules::keep(answer, *request_, now_);
      std::string content;
      append_answer(content, kept);
      transaction_.put_record(table::answers, key_, answer.tag.revision, content);
      transaction_.put(table::answers_by_expiry, expiry_key(kept.expires_at, key_), {});
    }
    transaction_.remove_expired_answers(now_);
  }

 private:
  write_transaction& transaction_;
  std::optional<ports::idempotency> const& request_;
  unix_ms const now_;
  std::string key_;
  std::optional<rules::kept_answer> kept_;
};

}  // namespace petstore::storage::lmdb
