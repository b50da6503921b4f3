// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "disk_model.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace petstore::faults {
namespace {

/// "/a/b" and "c" of "/a/b/c".
std::pair<std::string_view, std::string_view> split(std::string_view path) {
  auto const slash = path.rfind('/');
  return {path.substr(0, slash), path.substr(slash + 1)};
}

void write_file(std::filesystem::path const& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

disk_model::disk_model(std::string root) : root_(std::move(root)) {
  add_node(true);
}

void disk_model::begin(entry const& e) {
  ++calls_;
  switch (e.what) {
    case act::write:
    case act::synchronous_write: return write(e);
    case act::set_size: return set_size(e);
    case act::make_file: return add_name(e.path, false);
    case act::make_directory: return add_name(e.path, true);
    case act::rename: return move_name(e.path, e.to);
    case act::remove: return remove_name(e.path);
    case act::sync_begins: syncs_[e.thread] = {.of = find(e.path), .calls_before = calls_}; return;
    case act::sync_ends: return;
  }
  throw std::runtime_error("the log has an act of an unknown kind");
}

void disk_model::end(entry const& e) {
  if (e.what == act::synchronous_write) {
    for (auto& c : changes_)
      if (c.call == calls_) c.is_certain = true;
  } else if (e.what == act::sync_ends) {
    if (auto const sync = syncs_.extract(e.thread)) make_safe(sync.mapped());
  }
}

std::vector<doubt> disk_model::doubts() const {
  std::vector<doubt> found;
  for (auto const& c : changes_)
    if (!c.is_certain) found.push_back({.what = c.what, .call = c.call});
  return found;
}

void disk_model::make(std::vector<bool> const& chosen, std::filesystem::path const& directory) const {
  std::vector<contents> held;
  for (auto const& n : nodes_) held.push_back(n.safe);
  auto is_chosen = chosen.begin();
  for (auto const& c : changes_)
    if (c.is_certain || *is_chosen++) apply(c, [&](node_number n) -> contents& { return held[n]; });
  write_out(0, held, directory);
}

void disk_model::each_file_seen(std::function<void(std::string const&, std::string_view)> const& visit) const {
  std::vector<std::pair<std::string, node_number>> open{{root_, 0}};
  while (!open.empty()) {
    auto const [path, number] = open.back();
    open.pop_back();
    if (!nodes_[number].is_directory) visit(path, nodes_[number].seen.bytes);
    for (auto const& [name, entry] : nodes_[number].seen.entries) open.emplace_back(path + '/' + name, entry);
  }
}

disk_model::node_number disk_model::find(std::string_view path) const {
  if (path == root_) return 0;
  auto const [parent, name] = split(path);
  auto const& entries = nodes_[find(parent)].seen.entries;
  auto const found = entries.find(name);
  if (found == entries.end()) throw std::runtime_error("the log has no beginning of " + std::string{path});
  return found->second;
}

disk_model::node_number disk_model::add_node(bool is_directory) {
  nodes_.push_back({.is_directory = is_directory, .seen = {}, .safe = {}});
  return nodes_.size() - 1;
}

void disk_model::write(entry const& e) {
  auto const file = find(e.path);
  auto const end = e.offset + e.data.size();
  if (end > nodes_[file].seen.bytes.size()) note({.call = calls_, .of = file, .what = doubt::kind::size, .size = end});
  for (auto at = e.offset; at != end;) {
    auto const next = std::min(end, (at / sector_size + 1) * sector_size);
    auto const sector = e.data.substr(at - e.offset, next - at);
    note({.call = calls_, .of = file, .what = doubt::kind::sector, .offset = at, .data = sector});
    at = next;
  }
}

void disk_model::set_size(entry const& e) {
  note({.call = calls_, .of = find(e.path), .what = doubt::kind::size, .size = e.offset, .may_shrink = true});
}

void disk_model::add_name(std::string_view path, bool is_directory) {
  auto const [parent, name] = split(path);
  auto const directory = find(parent);
  if (nodes_[directory].seen.entries.contains(name)) return;  // two processes were at it
  auto const added = add_node(is_directory);
  note({.call = calls_, .of = directory, .what = doubt::kind::name, .added = std::string{name}, .added_node = added});
}

void disk_model::move_name(std::string_view from, std::string_view to) {
  auto const [parent, name] = split(from);
  auto const [new_parent, new_name] = split(to);
  note({.call = calls_,
        .of = find(new_parent),
        .what = doubt::kind::name,
        .removed = std::string{name},
        .removed_from = find(parent),
        .added = std::string{new_name},
        .added_node = find(from)});
}

void disk_model::remove_name(std::string_view path) {
  auto const [parent, name] = split(path);
  auto const directory = find(parent);
  note({.call = calls_,
        .of = directory,
        .what = doubt::kind::name,
        .removed = std::string{name},
        .removed_from = directory});
}

void disk_model::make_safe(running_sync const& sync) {
  auto const is_synced = [&](change const& c) { return c.of == sync.of && c.call < sync.calls_before; };
  for (auto const& c : changes_)
    if (is_synced(c)) apply(c, [&](node_number n) -> contents& { return nodes_[n].safe; });
  std::erase_if(changes_, is_synced);
}

void disk_model::note(change c) {
  apply(c, [&](node_number n) -> contents& { return nodes_[n].seen; });
  changes_.push_back(std::move(c));
}

void disk_model::apply(change const& c, std::function<contents&(node_number)> const& of) {
  auto& bytes = of(c.of).bytes;
  switch (c.what) {
    case doubt::kind::sector:
      bytes.resize(std::max(bytes.size(), c.offset + c.data.size()));
      c.data.copy(bytes.data() + c.offset, c.data.size());
      return;
    case doubt::kind::size:
      if (c.may_shrink || c.size > bytes.size()) bytes.resize(c.size);
      return;
    case doubt::kind::name:
      if (!c.removed.empty()) of(c.removed_from).entries.erase(c.removed);
      if (!c.added.empty()) of(c.of).entries[c.added] = c.added_node;
      return;
  }
}

void disk_model::write_out(node_number number, std::vector<contents> const& held,
                           std::filesystem::path const& at) const {
  for (auto const& [name, entry] : held[number].entries) {
    if (nodes_[entry].is_directory) {
      std::filesystem::create_directory(at / name);
      write_out(entry, held, at / name);
    } else {
      write_file(at / name, held[entry].bytes);
    }
  }
}

}  // namespace petstore::faults
