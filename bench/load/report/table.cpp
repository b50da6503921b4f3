// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/table.hpp"

#include <algorithm>
#include <array>

#include "report/columns.hpp"
#include "report/quantile_words.hpp"
#include "report/wording.hpp"

namespace petstore::load {
namespace {

/// The most findings of the audit that are listed; others are counted. The JSON file has them all.
constexpr std::size_t findings_shown = 10;

class writer {
 public:
  explicit writer(text_style style) : style_(style) {}

  void warning(std::string const& text) { line(painted("WARNING  ", ink::loud, style_.colour) + shown(text)); }
  void heading(std::string const& text) {
    text_ += "\n";
    line(painted(text, ink::strong, style_.colour));
  }
  void line(std::string const& text) { text_.append(text).append("\n"); }
  void table(columns const& rows) { text_ += rows.text(style_); }
  std::string take() { return std::move(text_); }

 private:
  text_style style_;
  std::string text_;
};

std::vector<std::string> quantile_cells(histogram const& h) {
  if (h.empty()) return std::vector<std::string>(8);
  std::vector<std::string> cells{duration_words(h.min()), duration_words(h.mean())};
  for (double const q : {0.5, 0.9, 0.99, 0.999, 0.9999}) cells.push_back(quantile_words(h, q));
  cells.push_back(duration_words(h.max()));
  return cells;
}

void add_row(columns& rows, std::string name, std::vector<std::string> cells) {
  cells.insert(cells.begin(), std::move(name));
  rows.add(std::move(cells));
}

void write_head(writer& out, results const& found) {
  for (auto const& told : found.warnings) out.warning(told.text);
  if (!found.warnings.empty()) out.line("");
  std::string targets;
  for (auto const& target : found.run.targets) targets.append(targets.empty() ? "" : ", ").append(shown(target));
  out.line(targets + (found.run.scenario.empty() ? "" : ", scenario " + shown(found.run.scenario)));
  out.line(shown(found.run.schedule) + " for " + round_duration_words(found.duration) +
           (found.run.warm_up.count() > 0 ? " after " + round_duration_words(found.run.warm_up) + " of warm-up" : "") +
           (found.run.ended_by.empty() ? "" : "; ended by " + shown(found.run.ended_by)));
}

void write_counts(writer& out, results const& found) {
  auto const counted = totals_of(found);
  auto const seconds = std::max(1e-9, std::chrono::duration<double>(found.duration).count());
  columns rows({left, left});
  rows.add({"requests", count_text(found.due) + " due, " + count_text(counted.answers) + " answered" +
                            (counted.retried > 0 ? ", " + count_text(counted.retried) + " tried again" : "") +
                            (found.withheld > 0 ? ", " + count_text(found.withheld) + " withheld" : "")});
  rows.add({"rate", rate_words(rate_of(found)) +
                        (found.run.rate_wanted ? " of " + rate_words(*found.run.rate_wanted) + " wanted" : "")});
  rows.add({"received", bytes_text(static_cast<double>(counted.bytes_in)) + ", " +
                            bytes_text(static_cast<double>(counted.bytes_in) / seconds) + "/s"});
  rows.add({"sent", bytes_text(static_cast<double>(counted.bytes_out)) + ", " +
                        bytes_text(static_cast<double>(counted.bytes_out) / seconds) + "/s"});
  out.line("");
  out.table(rows);
}

void write_latency(writer& out, results const& found) {
  columns rows({left, right, right, right, right, right, right, right, right});
  rows.head({"", "min", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max"});
  add_row(rows, "latency, from when it was due", quantile_cells(latency_of(found)));
  add_row(rows, "service, from when it was sent", quantile_cells(service_of(found)));
  for (auto const& [name, h] :
       {std::pair{"first byte", &found.first_byte}, std::pair{"connect", &found.connect},
        std::pair{"TLS handshake", &found.handshake}, std::pair{"lag of this tool", &found.lag}})
    if (!h->empty()) add_row(rows, name, quantile_cells(*h));
  out.heading("Time");
  out.table(rows);
}

void write_operations(writer& out, results const& found) {
  if (found.operations.size() < 2) return;
  columns rows({left, right, right, right, right, right, right, right});
  rows.head({"", "answers", "errors", "429", "p50", "p99", "p99.9", "max"});
  for (auto const& operation : found.operations) {
    auto const& h = operation.latency;
    rows.add({shown(operation.name), count_text(operation.counted.answers), count_text(operation.counted.errors),
              count_text(operation.counted.too_many), quantile_words(h, 0.5), quantile_words(h, 0.99),
              quantile_words(h, 0.999), h.empty() ? "" : duration_words(h.max())});
  }
  out.heading("Operations");
  out.table(rows);
}

void write_statuses(writer& out, results const& found) {
  auto const statuses = statuses_of(found);
  if (statuses.empty()) return;
  double answers = 0;  // to all attempts
  for (auto const& [status, count] : statuses) answers += static_cast<double>(count);
  columns rows({left, right, right, right, right, right});
  rows.head({"", "answers", "", "p50", "p99", "max"});
  for (auto const& [status, count] : statuses) {
    std::vector<std::string> cells{std::to_string(status), count_text(count),
                                   share_text(static_cast<double>(count) / answers)};
    if (auto const timed = found.latency_by_status.find(status); timed != found.latency_by_status.end()) {
      auto const& h = timed->second;
      cells.insert(cells.end(), {quantile_words(h, 0.5), quantile_words(h, 0.99), duration_words(h.max())});
    }
    cells.resize(6);
    rows.add(std::move(cells));
  }
  out.heading("Statuses");
  out.table(rows);
  if (found.untold_refusals > 0)
    out.line("  " + count_text(found.untold_refusals) + " of 429 and 503 did not say when to come back (Retry-After)");
}

void write_errors(writer& out, results const& found) {
  if (found.errors.empty()) return;
  columns rows({left, right, left});
  for (auto const& [kind, error] : found.errors) {
    auto const example = error.example.empty() ? std::string(meaning_of(kind)) : "for example: " + shown(error.example);
    rows.add({std::string(name_of(kind)), count_text(error.count), example});
  }
  out.heading("Errors");
  out.table(rows);
}

void write_keys(writer& out, results const& found) {
  if (found.keys.empty()) return;
  columns rows({left, right, right, left});
  rows.head({"", "admitted", "refused", ""});
  for (std::size_t i = 0; i < std::min(found.keys.size(), charted_keys_max); ++i) {
    auto const& key = found.keys[i];
    std::string quotas;
    for (auto const& quota : key.quotas) {
      if (quota.limit < 0) continue;
      quotas.append(quotas.empty() ? "" : ", ").append(count_text(static_cast<std::uint64_t>(quota.limit)));
      if (!quota.resource.empty()) quotas.append(" a ").append(shown(quota.resource));
    }
    rows.add({shown(key.name), count_text(key.admitted), count_text(key.refused), quotas});
  }
  out.heading("Keys");
  out.table(rows);
  if (found.keys.size() > charted_keys_max)
    out.line("  and " + std::to_string(found.keys.size() - charted_keys_max) + " more, all of them in the JSON file");
}

void write_audit(writer& out, results const& found, text_style style) {
  if (!found.audit) return;
  auto const& audit = *found.audit;
  out.heading("Quota audit");
  out.line("  " + count_text(audit.admissions) + " admissions and " + count_text(audit.refusals) + " refusals of " +
           count_text(audit.keys) + (audit.keys == 1 ? " key: " : " keys: ") +
           (audit.findings.empty() ? painted("nothing found", ink::strong, style.colour)
                                   : painted(count_text(audit.findings.size()) + " found", ink::loud, style.colour)));
  for (std::size_t i = 0; i < std::min(audit.findings.size(), findings_shown); ++i) {
    auto const& finding = audit.findings[i];  // its sentence has figures, so it is not cut to the width
    out.line("  " + shown(finding.key) + ", " + shown(finding.rule) + ": " + shown(finding.text));
  }
  if (audit.findings.size() > findings_shown)
    out.line("  and " + std::to_string(audit.findings.size() - findings_shown) + " more, all of them in the JSON file");
  for (auto const& what : audit.unchecked) out.line("  not checked: " + shown(what));
}

void write_tool(writer& out, results const& found) {
  if (found.tool.threads.empty()) return;
  std::string shares;
  for (auto const& thread : found.tool.threads) {
    if (thread.wall_time.count() <= 0) continue;
    auto const share =
        static_cast<double>(thread.processor_time.count()) / static_cast<double>(thread.wall_time.count());
    shares.append(shares.empty() ? "" : ", ").append(share_text(share));
  }
  out.line("");
  out.line("The tool used " + shares + " of a core" + (found.tool.threads.size() > 1 ? " in each of its threads" : "") +
           (found.lag.empty()
                ? "."
                : "; of 100 requests it began 99 within " + duration_words(found.lag.quantile(0.99)) + "."));
}

}  // namespace

std::string table_of(results const& found, text_style style) {
  writer out(style);
  write_head(out, found);
  write_counts(out, found);
  write_latency(out, found);
  write_operations(out, found);
  write_statuses(out, found);
  write_errors(out, found);
  write_keys(out, found);
  write_audit(out, found, style);
  write_tool(out, found);
  return out.take() + conditions_text(found.conditions, style);
}

std::string conditions_text(std::span<judged_condition const> conditions, text_style style) {
  if (conditions.empty()) return {};
  writer out(style);
  out.heading("Conditions of failure");
  columns rows({left, left, left});
  for (auto const& condition : conditions) {
    rows.add({condition.failed ? painted("FAILED", ink::loud, style.colour) : "passed", shown(condition.text),
              shown(condition.observed)});
  }
  out.table(rows);
  return out.take();
}

}  // namespace petstore::load
