// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/export.hpp"
#include "petstore/key_record.hpp"

/// The records that a store keeps of API keys, as canonical JSON: members in one order, no white space, absent values
/// (and no `quotaResets`, if there were none) left out, digests in hexadecimal, times in RFC 3339. The format has no
/// version of its own: the store's version covers it. So decoders are strict: an unknown member is a fault, because it
/// means a newer format or damage.
///
/// Numbers and quotas are at most 2^63-1, times within the years 1 to 9999. Any thread; no state is shared.
namespace petstore {

/// @{
/// Appends the record. Throws nothing but std::bad_alloc.
PETSTORE_EXPORT void append_json(std::string& out, key_record const&);
PETSTORE_EXPORT void append_json(std::string& out, identity_record const&);
PETSTORE_EXPORT void append_json(std::string& out, audit_entry const&);
/// @}

/// @{
/// Decodes the output of `append_json`; for anything else returns an error whose message names every fault.
PETSTORE_EXPORT result<key_record> decode_key_record(std::string_view json);
PETSTORE_EXPORT result<identity_record> decode_identity_record(std::string_view json);
PETSTORE_EXPORT result<audit_entry> decode_audit_entry(std::string_view json);
/// @}

}  // namespace petstore
