// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <string>
#include <vector>

#include "outcome.hpp"
#include "store/await.hpp"
#include "transfer/import_check.hpp"
#include "transfer/transfer.hpp"
#include "transfer/transfer_format.hpp"
#include "transfer/transfer_input.hpp"
#include "transfer/transfer_progress.hpp"

namespace petstore::program {
namespace {

constexpr std::size_t records_per_write = 500;  // each write delays the writes of a running server
constexpr std::size_t faults_shown_max = 20;

using fault = import_check::fault;

/// Finds the faults of an input, as far as possible before writing.
class first_reading {
 public:
  first_reading(ports::store& store, transfer_input& input, streams io)
      : store_(store), input_(input), streams_(io), check_(store) {}

  /// Throws command_error when the input cannot be imported.
  void run() {
    check_.read_store();
    {
      progress bar(streams_.err, streams_.err_is_terminal, "checking", input_.bytes());
      read_header();
      while (next_line()) bar.advance_to(input_.position());
    }
    for (auto& f : check_.finish()) note(std::move(f));
    check_completeness();
    if (fault_count_ != 0) show_faults();
    if (header_.environment != store_.environment())
      streams_.err << "note: the records were exported from " << to_string(header_.environment)
                   << "; this store is for " << to_string(store_.environment()) << '\n';
  }

  std::uint64_t record_count() const noexcept {
    return check_.seen().categories + check_.seen().pets + check_.seen().orders;
  }
  std::uint64_t order_count() const noexcept { return check_.seen().orders; }
  std::uint64_t present() const noexcept { return check_.present(); }

  /// The highest ids that must not be given again: those of the input and those that its first line names.
  ports::last_ids given() const noexcept {
    auto ids = check_.seen().given;
    if (!header_.summary) return ids;
    ids.category = std::max(ids.category, header_.summary->given.category);
    ids.pet = std::max(ids.pet, header_.summary->given.pet);
    ids.order = std::max(ids.order, header_.summary->given.order);
    return ids;
  }

 private:
  void read_header() {
    auto const line = input_.next();
    if (line == transfer_input::line::none) throw command_error("nothing was imported: the input is empty");
    auto header = decode_header(input_.text());
    if (header) {
      header_ = *header;
    } else {
      note({1, header.error().message});
    }
  }

  bool next_line() {
    switch (input_.next()) {
      case transfer_input::line::none: return false;
      case transfer_input::line::too_long:
        note({input_.number(), "longer than " + std::to_string(transfer_input::line_bytes_max) + " bytes"});
        break;
      case transfer_input::line::read:
        if (auto sentence = check_line()) note({input_.number(), *std::move(sentence)});
        break;
    }
    return true;
  }

  std::optional<std::string> check_line() {
    auto const record = decode_line(input_.text());
    if (!record) return record.error().message;
    return check_.add(*record, input_.number());
  }

  /// Detects an input that was cut off between two lines, and otherwise looks complete.
  void check_completeness() {
    if (!header_.summary || fault_count_ != 0) return;
    auto const promised = header_.summary->categories + header_.summary->pets + header_.summary->orders;
    if (record_count() < promised)
      note({input_.number(), "the input ends after " + std::to_string(record_count()) + " of the " +
                                 std::to_string(promised) + " records that its first line promises"});
  }

  void note(fault f) {
    ++fault_count_;
    if (faults_.size() < faults_shown_max) faults_.push_back(std::move(f));
  }

  [[noreturn]] void show_faults() {
    std::ranges::sort(faults_, {}, &fault::line);
    for (auto const& f : faults_) streams_.err << "line " << f.line << ": " << f.sentence << '\n';
    if (fault_count_ > faults_.size()) streams_.err << "and " << fault_count_ - faults_.size() << " more\n";
    throw command_error("nothing was imported: the input has " + std::to_string(fault_count_) +
                        (fault_count_ == 1 ? " fault" : " faults"));
  }

  ports::store& store_;
  transfer_input& input_;
  streams const streams_;
  import_check check_;
  transfer_header header_;
  std::vector<fault> faults_;
  std::uint64_t fault_count_ = 0;
};

/// The orders have to come after all animals, wherever they are in the input.
enum class pass : bool { all_but_orders, orders };

/// Writes the records that the first reading has checked, in batches.
class second_reading {
 public:
  second_reading(ports::store& store, transfer_input& input, progress& bar) : store_(store), input_(input), bar_(bar) {}

  void write(pass written) {
    input_.rewind();
    input_.next();
    auto line = input_.next();
    for (; line == transfer_input::line::read; line = input_.next()) {
      auto record = decode_line(input_.text());
      if (!record) throw command_error("line " + std::to_string(input_.number()) + " has changed while it was read");
      if (std::holds_alternative<order>(*record) != (written == pass::orders)) continue;
      ++records_;
      lines_.push_back(input_.number());
      batch_.push_back(std::visit([](auto& r) { return ports::import_record{std::move(r)}; }, *record));
      if (batch_.size() == records_per_write) write_batch();
    }
    write_batch();
    if (line != transfer_input::line::none) throw command_error("the input has changed while it was read");
  }
  std::uint64_t records() const noexcept { return records_; }

  /// Writes the last given ids. They come before all records, so that a server that runs during this import, or after
  /// an interrupted one, does not give these ids to records of its own.
  void write(ports::last_ids const& given) {
    batch_.emplace_back(given);
    lines_.push_back(1);
    write_batch();
  }

 private:
  void write_batch() {
    if (batch_.empty()) return;
    std::size_t fault_at = 0;
    done_ += batch_.size();
    auto const imported = await(store_.import_records(std::exchange(batch_, {}), fault_at));
    if (!imported) {
      auto const& e = imported.error();
      throw command_error("line " + std::to_string(lines_[std::min(fault_at, lines_.size() - 1)]) + ": " +
                          (e.message.empty() ? e.cause : e.message) +
                          "; what was written before it stays, and the same command continues from there");
    }
    lines_.clear();
    bar_.advance_to(done_);
  }

  ports::store& store_;
  transfer_input& input_;
  progress& bar_;
  std::vector<ports::import_record> batch_;
  std::vector<std::uint64_t> lines_;  ///< of the records in the batch
  std::uint64_t records_ = 0;
  std::uint64_t done_ = 0;
};

}  // namespace

void import_command(ports::store& store, import_options const& options, streams io) {
  import_to_new_store(
      store, [&store]() -> ports::store& { return store; }, options, io);
}

void import_to_new_store(ports::store& empty, std::function<ports::store&()> const& make, import_options const& options,
                         streams io) {
  transfer_input input(options.input, io.in);
  first_reading first(empty, input, io);
  first.run();
  {
    progress bar(io.err, io.err_is_terminal, "importing", first.record_count());
    second_reading second(make(), input, bar);
    second.write(first.given());
    second.write(pass::all_but_orders);
    if (first.order_count() != 0) second.write(pass::orders);
    if (second.records() != first.record_count())
      throw command_error("the input has changed while it was read: " + std::to_string(second.records()) + " of " +
                          std::to_string(first.record_count()) + " records are imported");
  }
  io.err << "imported " << first.record_count() - first.present() << " records; " << first.present()
         << " were there already\n";
}

}  // namespace petstore::program
