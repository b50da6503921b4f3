// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <utility>

namespace petstore {

/// Memory for one object at a time, such as the handler of a timer, so that a periodic task continues even while the
/// program has no free memory. A second object, or one of more than 512 bytes, takes memory of the program.
///
/// Thread safety: none.
class reserved_memory {
 public:
  reserved_memory() = default;
  reserved_memory(reserved_memory const&) = delete;
  reserved_memory& operator=(reserved_memory const&) = delete;

  /// Memory for an object, aligned for any. Throws std::bad_alloc.
  void* take(std::size_t bytes) {
    if (bytes > sizeof bytes_ || std::exchange(is_taken_, true)) return ::operator new(bytes);
    return bytes_.data();
  }
  /// Takes back what `take` returned.
  void give_back(void* memory) noexcept {
    if (memory == bytes_.data())
      is_taken_ = false;
    else
      ::operator delete(memory);
  }

 private:
  alignas(std::max_align_t) std::array<std::byte, 512> bytes_;
  bool is_taken_ = false;
};

/// An allocator over reserved_memory, which must outlive everything allocated from it.
template <class T>
class reserved_allocator {
 public:
  using value_type = T;  ///< of the objects

  /// An allocator over `memory`.
  explicit reserved_allocator(reserved_memory& memory) noexcept : memory_(&memory) {}
  /// The same for objects of another type.
  template <class U>
  reserved_allocator(reserved_allocator<U> const& other) noexcept : memory_(other.memory_) {}  // NOLINT: converts

  /// Memory for `n` objects.
  T* allocate(std::size_t n) { return static_cast<T*>(memory_->take(n * sizeof(T))); }
  /// Takes it back.
  void deallocate(T* objects, std::size_t) noexcept { memory_->give_back(objects); }

  /// Whether both use the same memory.
  template <class U>
  friend bool operator==(reserved_allocator const& one, reserved_allocator<U> const& other) noexcept {
    return one.memory_ == other.memory_;
  }

 private:
  template <class>
  friend class reserved_allocator;

  reserved_memory* memory_;
};

}  // namespace petstore
