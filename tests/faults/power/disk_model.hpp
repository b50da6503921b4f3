// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "disk_log.hpp"

/// What a disk may hold when the power goes, as far as a program may rely on it:
///
/// - What a file held when a sync of it began that has ended is there, and so is a write through a synchronous
///   descriptor.
/// - Of everything written since, any part may be there, sector by sector, but not the older of two writes to a sector
///   instead of the newer; and a file may have grown without what was written there, and hold zeros.
/// - A name is certain to be there, or gone, once its directory was synced; after a rename, the new one. Syncing the
/// file
///   is not enough.
/// - A sector is written or not, never half.
///
/// That is less than ext4 or XFS promise, and what a program has to be content with that does not ask where it lies.
namespace petstore::faults {

inline constexpr std::uint64_t sector_size = 512;

/// Something that may be on the disk or not.
struct doubt {
  enum class kind { sector, size, name };
  kind what = kind::sector;
  std::size_t call = 0;  ///< what one call did has the same number; later calls have higher ones
};

class disk_model {
 public:
  /// Of what lies below `root`, an absolute path; which is there, empty and synced.
  explicit disk_model(std::string root);

  /// An act while it is under way: nothing of it is certain.
  void begin(entry const&);
  /// When it has ended. Each act is begun, then ended.
  void end(entry const&);

  /// In the order of the calls.
  std::vector<doubt> doubts() const;
  /// Writes into an empty directory what the disk holds when `chosen` says of each doubt whether it is there.
  void make(std::vector<bool> const& chosen, std::filesystem::path const& directory) const;
  /// What programs see while the power is on: each file's bytes.
  void each_file_seen(std::function<void(std::string const& path, std::string_view bytes)> const& visit) const;

 private:
  using node_number = std::size_t;
  using names = std::map<std::string, node_number, std::less<>>;

  struct contents {
    std::string bytes;  ///< of a file
    names entries;      ///< of a directory
  };
  struct node {
    bool is_directory;
    contents seen;  ///< by programs
    contents safe;
  };
  /// What one call did to one sector, to a size, or to a directory.
  struct change {
    std::size_t call;
    node_number of;
    doubt::kind what;
    std::uint64_t offset = 0;  ///< of a sector
    std::string_view data{};   ///< of a sector
    std::uint64_t size = 0;
    bool may_shrink = false;
    std::string removed{};  ///< a name; empty: none
    node_number removed_from = 0;
    std::string added{};
    node_number added_node = 0;
    bool is_certain = false;
  };
  struct running_sync {
    node_number of;
    std::size_t calls_before;
  };

  node_number find(std::string_view path) const;
  node_number add_node(bool is_directory);
  void write(entry const&);
  void set_size(entry const&);
  void add_name(std::string_view path, bool is_directory);
  void move_name(std::string_view from, std::string_view to);
  void remove_name(std::string_view path);
  void make_safe(running_sync const&);
  void note(change);
  static void apply(change const&, std::function<contents&(node_number)> const& of);
  void write_out(node_number, std::vector<contents> const&, std::filesystem::path const&) const;

  std::string const root_;
  std::vector<node> nodes_;  ///< the first one is the root
  std::vector<change> changes_;
  std::map<std::uint32_t, running_sync> syncs_;  ///< by thread
  std::size_t calls_ = 0;
};

}  // namespace petstore::faults
