// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <bit>
#include <boost/intrusive/list_hook.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace petstore::quota {

/// Memory for 64 objects, each of which keeps its place until it is erased.
///
/// Thread safety: none.
template <class T>
class block : public boost::intrusive::list_base_hook<> {
 public:
  static constexpr std::size_t size = 64;

  block() = default;
  ~block() {
    for (std::size_t place = 0; place < size; ++place)
      if (find(place)) erase(place);
  }
  block(block const&) = delete;
  block& operator=(block const&) = delete;

  bool is_empty() const noexcept { return used_ == 0; }
  bool is_full() const noexcept { return ~used_ == 0; }

  /// Only while it is not full.
  template <class... Args>
  T& emplace(Args&&... args) {
    auto const place = static_cast<std::size_t>(std::countr_one(used_));
    T& made = *std::construct_at(&objects_[place].object, std::forward<Args>(args)...);
    used_ |= bit(place);
    return made;
  }
  /// The object in this place, or null.
  T* find(std::size_t place) noexcept { return (used_ & bit(place)) != 0 ? &objects_[place].object : nullptr; }
  /// Only if there is one.
  void erase(std::size_t place) noexcept {
    std::destroy_at(&objects_[place].object);
    used_ &= ~bit(place);
  }

 private:
  union memory {
    memory() noexcept {}
    ~memory() {}
    T object;
  };

  static constexpr std::uint64_t bit(std::size_t place) noexcept { return std::uint64_t{1} << place; }

  std::uint64_t used_ = 0;  ///< a bit for each place
  std::array<memory, size> objects_;
};

}  // namespace petstore::quota
