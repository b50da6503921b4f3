// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "disk_log.hpp"

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace petstore::faults {

disk_log::disk_log(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  bytes_.assign(std::istreambuf_iterator<char>(file), {});
  if (!file) throw std::runtime_error("cannot read " + path.string());

  std::string_view rest = bytes_;
  auto const take = [&](std::uint64_t size) {
    if (size > rest.size()) throw std::runtime_error(path.string() + " ends within an entry");
    auto const taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  };
  while (!rest.empty()) {
    entry e;
    e.begins_at = bytes_.size() - rest.size();
    entry_head head;
    std::memcpy(&head, take(sizeof head).data(), sizeof head);
    e.what = head.what;
    e.thread = head.thread;
    e.offset = head.offset;
    e.path = take(head.path_size);
    e.to = take(head.to_size);
    e.data = take(head.data_size);
    entries_.push_back(e);
  }
}

}  // namespace petstore::faults
