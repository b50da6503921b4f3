// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/error_code.hpp"

#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>
#include <new>
#include <string>
#include <system_error>

namespace petstore {
namespace {

// Boost's class has no virtual destructor, because no one destroys a category through it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"
class category_of_errc final : public boost::system::error_category {
 public:
  char const* name() const noexcept override { return "petstore"; }
  std::string message(int value) const override {
    if (value < 1 || static_cast<std::size_t>(value) > errc_count) return "unknown error";
    return std::string{describe(static_cast<errc>(value - 1)).message};
  }
};
#pragma GCC diagnostic pop

}  // namespace

boost::system::error_category const& errc_category() noexcept {
  static category_of_errc const only;
  return only;
}

boost::system::error_code make_error_code(errc e) noexcept {
  return {static_cast<int>(e) + 1, errc_category()};
}

boost::system::error_code code_of(std::exception_ptr const& thrown) noexcept {
  if (!thrown) return {};
  try {
    std::rethrow_exception(thrown);
  } catch (boost::system::system_error const& e) {
    return e.code();
  } catch (std::system_error const& e) {
    return e.code();
  } catch (std::bad_alloc const&) {
    return boost::system::errc::make_error_code(boost::system::errc::not_enough_memory);
  } catch (...) {
    return errc::internal;
  }
}

}  // namespace petstore
