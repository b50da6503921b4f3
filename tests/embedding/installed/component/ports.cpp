// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The interfaces, for a host that implements one.
#include <petstore/ports/async_quota.hpp>
#include <petstore/ports/store.hpp>

int main() {
  using namespace petstore;
  ports::eventual<result<ports::page_end>> page =
      result<ports::page_end>{ports::page_end{.next_after = 20, .count = 20}};
  return page.is_ready() && page.take()->next_after == 20 ? 0 : 1;
}
