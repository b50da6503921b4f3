// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "transfer/transfer_progress.hpp"

#include <algorithm>
#include <utility>

namespace petstore::program {
namespace {

constexpr unsigned cells = 40;
constexpr auto erase_line = "\r\x1b[K";

}  // namespace

progress::progress(std::ostream& out, bool is_terminal, std::string doing, std::uint64_t total)
    : out_(out), is_terminal_(is_terminal), doing_(std::move(doing)), total_(std::max<std::uint64_t>(total, 1)) {
  draw();
}

progress::~progress() {
  if (is_terminal_) out_ << erase_line << std::flush;
}

void progress::advance_to(std::uint64_t done) {
  auto const share = static_cast<double>(done) / static_cast<double>(total_);
  auto const percent = static_cast<unsigned>(std::clamp(share, 0.0, 1.0) * 100);
  if (percent == percent_) return;
  percent_ = percent;
  draw();
}

void progress::draw() {
  if (!is_terminal_) return;
  auto const filled = cells * percent_ / 100;
  out_ << erase_line << doing_ << " [" << std::string(filled, '#') << std::string(cells - filled, '.') << "] "
       << percent_ << " %" << std::flush;
}

}  // namespace petstore::program
