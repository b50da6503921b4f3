// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/endian/conversion.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace petstore::storage::postgres {

/// The parameters of a statement in binary format, with their own memory, since they wait for the connection. The
/// statement gives the type of each by a cast: bigint, text or bytea.
class parameters {
 public:
  static constexpr std::size_t count_max = 18;

  parameters() = default;
  template <class... Values>
  static parameters of(Values const&... values) {
    parameters p;
    (p.add(values), ...);
    return p;
  }

  void add(std::int64_t number) {
    boost::endian::native_to_big_inplace(number);
    add(std::string_view{reinterpret_cast<char const*>(&number), sizeof number});
  }
  void add(std::string_view bytes) {
    bytes_.append(bytes);
    ends_.at(count_++) = bytes_.size();
  }

  int count() const noexcept { return static_cast<int>(count_); }
  char const* bytes(std::size_t i) const noexcept { return bytes_.data() + begin_of(i); }
  int length(std::size_t i) const noexcept { return static_cast<int>(ends_[i] - begin_of(i)); }

 private:
  std::size_t begin_of(std::size_t i) const noexcept { return i == 0 ? 0 : ends_[i - 1]; }

  std::string bytes_;
  std::array<std::size_t, count_max> ends_{};
  std::size_t count_ = 0;
};

}  // namespace petstore::storage::postgres
