// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "page_check.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "petstore/storage/lmdb_maintenance.hpp"

namespace petstore::storage::lmdb {
namespace {

static_assert(sizeof(std::size_t) == 8 && std::endian::native == std::endian::little);

// The layout, with LMDB's names.
constexpr std::uint16_t branch_page = 0x01, leaf_page = 0x02, overflow_page = 0x04, meta_page = 0x08;
constexpr std::uint16_t page_kinds = 0x0F, page_is_dirty = 0x10;
constexpr std::uint16_t value_elsewhere = 0x01, value_is_table = 0x02;
constexpr std::uint64_t no_page = ~std::uint64_t{0};
constexpr std::uint64_t first_page = 2;  // after the two head pages
constexpr unsigned depth_max = 32;

struct page_header {
  std::uint64_t number;
  std::uint16_t pad;
  std::uint16_t flags;
  std::uint16_t lower, upper;  // of the free space between pointers and nodes; together a count in an overflow page

  std::uint32_t count() const noexcept { return lower | std::uint32_t{upper} << 16; }
};
struct node_header {
  std::uint16_t low, high, flags;  // size of the value; in a branch all three are the number of a page
  std::uint16_t key_size;

  std::uint32_t value_size() const noexcept { return low | std::uint32_t{high} << 16; }
  std::uint64_t child() const noexcept { return value_size() | std::uint64_t{flags} << 32; }
};
struct tree {
  std::uint32_t pad;
  std::uint16_t flags;
  std::uint16_t depth;
  std::uint64_t branch_pages, leaf_pages, overflow_pages, entries, root;
};
struct head {
  std::uint32_t magic, version;
  std::uint64_t address, map_size;
  tree free_list, tables;
  std::uint64_t last_page, transaction;

  std::uint32_t page_size() const noexcept { return free_list.pad; }
};
static_assert(sizeof(page_header) == 16 && sizeof(node_header) == 8 && sizeof(tree) == 48 && sizeof(head) == 136);

constexpr std::size_t page_bytes_max = 65'536;
constexpr std::uint64_t map_bytes_max = std::uint64_t{1} << 46;  // four times the largest size that can be configured

constexpr std::uint32_t head_magic = 0xBEEFC0DE;

template <class T>
T read_at(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Reads the bytes of the file from `at` on; fewer at the end of the file.
std::string read_file(file_descriptor const& file, std::uint64_t at, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    auto const n = ::pread(file.get(), bytes.data() + done, size - done, static_cast<off_t>(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  bytes.resize(done);
  return bytes;
}

struct heads {
  std::string fault;
  std::string bytes;  ///< of the file's beginning, from the same read
  std::array<head, 2> both{};
};

std::string find_fault(page_header const& page, head const& h, unsigned position) {
  if ((page.flags & page_kinds) != meta_page || page.number != position) return "is none";
  if (h.magic != head_magic) return "is not LMDB's";
  if (h.version != 1) return "is of an unknown version";
  if (!std::has_single_bit(h.page_size()) || h.page_size() < 256 || h.page_size() > page_bytes_max)
    return "gives a size of pages that cannot be";
  if (h.transaction != 0 && (h.transaction & 1) != position) return "stands in the place of the other";
  if (h.map_size > map_bytes_max) return "gives a size that cannot be";
  auto const is_outside = [&](tree const& t) {
    return t.depth > depth_max || (t.root != no_page && (t.root < first_page || t.root > h.last_page));
  };
  if (h.last_page >= h.map_size / h.page_size() || is_outside(h.free_list) || is_outside(h.tables))
    return "points out of the file";
  return {};
}

heads read_heads_once(file_descriptor const& file) {
  heads out;
  out.bytes = read_file(file, 0, 2 * page_bytes_max);
  std::size_t at = 0;
  for (unsigned position = 0; position < 2 && out.fault.empty(); ++position) {
    if (out.bytes.size() < at + sizeof(page_header) + sizeof(head)) {
      out.fault = "the file ends within its head";
      return out;
    }
    auto& h = out.both[position];
    h = read_at<head>(out.bytes, at + sizeof(page_header));
    auto const fault = find_fault(read_at<page_header>(out.bytes, at), h, position);
    if (!fault.empty()) out.fault = "page " + std::to_string(position) + ", a head of the file, " + fault;
    at = h.page_size();
  }
  return out;
}

/// A running server may be writing one of the two, so a read may rarely return half of it.
heads read_heads(file_descriptor const& file) {
  constexpr int attempts = 3;
  auto out = read_heads_once(file);
  for (int i = 1; i < attempts && !out.fault.empty(); ++i) out = read_heads_once(file);
  return out;
}

/// Walks through one state of the file.
class walk {
 public:
  walk(file_descriptor const& file, head const& h, contents_kind kind, fault_report const& report,
       std::function<void()> pause)
      : file_(file),
        head_(h),
        kind_(kind),
        page_size_(h.page_size()),
        report_(report),
        pause_(std::move(pause)),
        used_(h.last_page + 1) {}

  page_check run() {
    // The tables come first: a page that is both used and free is then reported as a fault of the list of free pages.
    look_at(head_.tables, kind_ == contents_kind::tables ? list_of_tables : "the records", order::by_bytes);
    bool const tables_are_known = result_.broken.empty();
    for (auto const& [name, t] : tables_) look_at(t, name, order::by_bytes);
    look_at(head_.free_list, list_of_free_pages, order::by_number);
    result_.all_tables_are_known = tables_are_known;
    return std::move(result_);
  }

  bool is_free_list_sound() {
    look_at(head_.free_list, list_of_free_pages, order::by_number);
    return result_.broken.empty();
  }

 private:
  enum class order { by_bytes, by_number };
  struct bounds {
    std::optional<std::string> from, end;  // the keys of a page: from the first on, and before the second
  };
  struct counts {
    std::uint64_t branch_pages = 0, leaf_pages = 0, overflow_pages = 0, entries = 0;
  };

  void look_at(tree const& t, std::string const& name, order o) {
    table_ = name;
    order_ = o;
    found_ = {};
    if (t.root != no_page) visit(t.root, t.depth, {});
    if (result_.broken.contains(table_)) return;  // a broken table cannot be counted
    if (t.entries != found_.entries)
      report_fault("it holds " + std::to_string(found_.entries) + " entries, and says " + std::to_string(t.entries));
    if (t.branch_pages != found_.branch_pages || t.leaf_pages != found_.leaf_pages ||
        t.overflow_pages != found_.overflow_pages)
      report_fault("it does not have as many pages as it says");
  }

  void visit(std::uint64_t number, unsigned depth, bounds const& within) {
    if (depth == 0) return break_off(number, "lies deeper than the table says");
    auto const page = read_page(number);
    if (!page) return;
    auto const h = read_at<page_header>(*page, 0);
    bool const is_leaf = depth == 1;
    if ((h.flags & ~page_is_dirty) != (is_leaf ? leaf_page : branch_page))
      return break_off(number, is_leaf ? "is no leaf" : "is no branch");
    ++(is_leaf ? found_.leaf_pages : found_.branch_pages);
    auto const keys = keys_of(number, *page, h, is_leaf, within);
    if (!keys) return;
    for (std::size_t i = 0; i < keys->size(); ++i) {
      auto const at = node_at(*page, i);
      if (is_leaf) {
        look_at_value(number, (*keys)[i], *page, at);
        continue;
      }
      bounds inner{.from = i == 0 ? within.from : std::optional{(*keys)[i]},
                   .end = i + 1 < keys->size() ? std::optional{(*keys)[i + 1]} : within.end};
      visit(read_at<node_header>(*page, at).child(), depth - 1, inner);
    }
  }

  /// nullopt: the fault was reported.
  std::optional<std::string> read_page(std::uint64_t number) {
    if (number < first_page || number > head_.last_page) {
      break_off(number, "is none of the file");
      return std::nullopt;
    }
    if (!mark_used(number)) return std::nullopt;
    if (++result_.pages % pages_between_pauses == 0) pause_();
    auto page = read_file(file_, number * page_size_, page_size_);
    if (page.size() != page_size_) {
      break_off(number, "cannot be read");
      return std::nullopt;
    }
    if (read_at<page_header>(page, 0).number != number) {
      break_off(number, "has another number written on it");
      return std::nullopt;
    }
    return page;
  }

  bool mark_used(std::uint64_t number) {
    if (used_[number]) {
      break_off(number, "is used twice");
      return false;
    }
    used_[number] = true;
    return true;
  }

  static std::size_t node_at(std::string const& page, std::size_t i) {
    return read_at<std::uint16_t>(page, sizeof(page_header) + 2 * i);
  }

  /// nullopt: the fault was reported.
  std::optional<std::vector<std::string>> keys_of(std::uint64_t number, std::string const& page, page_header const& h,
                                                  bool is_leaf, bounds const& within) {
    auto const refuse = [&](char const* why) {
      break_off(number, why);
      return std::nullopt;
    };
    if (h.lower < sizeof(page_header) || h.lower % 2 != 0 || h.lower > h.upper || h.upper > page_size_)
      return refuse("has no free space where it says");
    std::size_t const count = (h.lower - sizeof(page_header)) / 2;
    if (count == 0 || (!is_leaf && count == 1 && order_ == order::by_bytes)) return refuse("holds too few entries");
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i) {
      auto const at = node_at(page, i);
      if (at < h.upper || at % 2 != 0 || at + sizeof(node_header) > page_size_)
        return refuse("points to an entry where none can be");
      auto const node = read_at<node_header>(page, at);
      auto const size = std::size_t{node.key_size} + (is_leaf ? size_in_page(node) : 0);
      if (at + sizeof(node_header) + size > page_size_) return refuse("holds an entry that does not end within it");
      if (is_leaf && order_ == order::by_number && node.key_size != sizeof(std::uint64_t))
        return refuse("holds a key of a wrong size");
      keys.push_back(page.substr(at + sizeof(node_header), node.key_size));
      bool const is_bound = is_leaf || i != 0;  // the first key of a branch stands for all lower keys
      if (!is_bound) continue;
      bool const ascends =
          i == (is_leaf ? 0U : 1U) ? !within.from || !is_less(keys[i], *within.from) : is_less(keys[i - 1], keys[i]);
      if (!ascends || (within.end && !is_less(keys[i], *within.end))) return refuse("has keys out of order");
    }
    return keys;
  }

  bool is_less(std::string const& a, std::string const& b) const {
    if (order_ == order::by_bytes || a.size() != sizeof(std::uint64_t) || b.size() != sizeof(std::uint64_t))
      return a < b;
    return read_at<std::uint64_t>(a, 0) < read_at<std::uint64_t>(b, 0);
  }

  static std::size_t size_in_page(node_header const& node) {
    return (node.flags & value_elsewhere) != 0 ? sizeof(std::uint64_t) : node.value_size();
  }

  void look_at_value(std::uint64_t number, std::string const& key, std::string const& page, std::size_t at) {
    ++found_.entries;
    auto const node = read_at<node_header>(page, at);
    auto const value_at = at + sizeof(node_header) + node.key_size;
    bool const is_list_of_tables = table_ == list_of_tables;
    if (is_list_of_tables != ((node.flags & value_is_table) != 0) ||
        (node.flags & ~(value_elsewhere | value_is_table)) != 0)
      return break_off(number, "holds a value of another kind");
    if (is_list_of_tables) {
      if (node.flags != value_is_table || node.value_size() != sizeof(tree))
        return break_off(number, "holds no table where one should be");
      tables_.emplace_back(key, read_at<tree>(page, value_at));
      return;
    }
    std::optional<std::string> value;
    if ((node.flags & value_elsewhere) != 0) {
      value = read_overflow(read_at<std::uint64_t>(page, value_at), node.value_size());
    } else if (order_ == order::by_number) {
      value = page.substr(value_at, node.value_size());
    }
    if (value && order_ == order::by_number) mark_free(number, *value);
  }

  std::optional<std::string> read_overflow(std::uint64_t number, std::size_t size) {
    auto const first = read_page(number);
    if (!first) return std::nullopt;
    auto const h = read_at<page_header>(*first, 0);
    auto const count = (sizeof(page_header) - 1 + size) / page_size_ + 1;
    if ((h.flags & ~page_is_dirty) != overflow_page || h.count() < count || number + h.count() > head_.last_page + 1) {
      break_off(number, "does not hold the long value that it should");
      return std::nullopt;
    }
    found_.overflow_pages += h.count();
    for (std::uint64_t next = number + 1; next < number + h.count(); ++next)
      if (!mark_used(next)) return std::nullopt;
    result_.pages += h.count() - 1;
    auto bytes = read_file(file_, number * page_size_ + sizeof(page_header), size);
    if (bytes.size() == size) return bytes;
    break_off(number, "cannot be read");
    return std::nullopt;
  }

  /// Reads an entry of the list of free pages: their count, then their numbers.
  void mark_free(std::uint64_t listed_on, std::string const& value) {
    auto const words = value.size() / sizeof(std::uint64_t);
    if (words == 0 || read_at<std::uint64_t>(value, 0) >= words) return break_off(listed_on, "lists no free pages");
    auto const count = read_at<std::uint64_t>(value, 0);
    for (std::uint64_t i = 1; i <= count; ++i) {
      auto const number = read_at<std::uint64_t>(value, i * sizeof(std::uint64_t));
      if (number < first_page || number > head_.last_page) return break_off(listed_on, "lists a page that is none");
      if (!mark_used(number)) return;
    }
  }

  void report_fault(std::string const& what) {
    result_.broken.insert(table_);
    report_(table_ + ": " + what);
  }
  void break_off(std::uint64_t number, std::string const& what) {
    result_.broken.insert(table_);
    report_(table_ + ": page " + std::to_string(number) + " " + what);
  }

  static constexpr char const* list_of_tables = "the list of tables";
  static constexpr char const* list_of_free_pages = "the list of free pages";
  static constexpr std::uint64_t pages_between_pauses = 128;

  file_descriptor const& file_;
  head const head_;
  contents_kind const kind_;
  std::size_t const page_size_;
  fault_report const& report_;
  std::function<void()> const pause_;
  std::vector<bool> used_;
  std::vector<std::pair<std::string, tree>> tables_;
  std::string table_;  // the table that is being walked
  order order_ = order::by_bytes;
  counts found_;
  page_check result_;
};

}  // namespace

std::string find_head_fault(file_descriptor const& data_file) {
  return read_heads(data_file).fault;
}

file_head read_head(file_descriptor const& data_file) {
  auto found = read_heads(data_file);
  if (!found.fault.empty()) throw maintenance_error("the file is damaged: " + found.fault);
  found.bytes.resize(std::min(found.bytes.size(), 2 * std::size_t{found.both[0].page_size()}));
  return {.bytes = std::move(found.bytes),
          .transaction = std::max(found.both[0].transaction, found.both[1].transaction)};
}

std::unique_ptr<read_only> begin_with_head(database& d, file_descriptor const& data_file) {
  constexpr int attempts = 100;
  for (int i = 0; i < attempts; ++i) {
    auto t = std::make_unique<read_only>(d);
    auto const found = read_heads(data_file);
    if (found.fault.empty() && found.both[t->id() & 1].transaction == t->id()) return t;
  }
  throw maintenance_error("no state of the store can be held: it is written to too fast, or its head is damaged");
}

bool is_free_list_sound(file_descriptor const& data_file, std::uint64_t transaction) {
  auto const found = read_heads(data_file);
  fault_report const ignore = [](std::string const&) {};
  return found.fault.empty() &&
         walk(data_file, found.both[transaction & 1], contents_kind::tables, ignore, [] {}).is_free_list_sound();
}

page_check check_pages(file_descriptor const& data_file, contents_kind kind, std::uint64_t transaction,
                       fault_report const& report, std::function<void()> const& pause) {
  auto const found = read_heads(data_file);
  if (found.fault.empty()) return walk(data_file, found.both[transaction & 1], kind, report, pause).run();
  report(found.fault);
  return {};
}

}  // namespace petstore::storage::lmdb
