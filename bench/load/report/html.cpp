// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/html.hpp"

#include <algorithm>
#include <array>

#include "report/page/capacity_section.hpp"
#include "report/page/markup.hpp"
#include "report/page/page.hpp"
#include "report/quantile_words.hpp"
#include "report/wording.hpp"

namespace petstore::load {
namespace {

std::string note(std::string_view text) {
  return element("p", text, "note");
}

std::string head_of(results const& found) {
  auto html = element("h1", escaped(joined(found.run.targets)));
  auto about = found.run.schedule + " for " + round_duration_words(found.duration);
  if (!found.run.scenario.empty()) about += ", scenario " + found.run.scenario;
  if (!found.run.started.empty()) about += ", " + found.run.started;
  html += element("p", escaped(about), "quiet");
  for (auto const& w : found.warnings) html += warning_box(w.text);
  return html;
}

std::string headline_of(results const& found) {
  auto const counted = totals_of(found);
  auto const latency = latency_of(found);
  auto const quantile = [&](double q) { return quantile_words(latency, q); };
  std::vector<tile> tiles{
      {"answered", rate_words(rate_of(found)),
       found.run.rate_wanted ? "of " + rate_words(*found.run.rate_wanted) + " wanted"
                             : count_text(counted.answers) + " in all"},
      {"p50", quantile(0.5), "half of all took no longer"},
      {"p99", quantile(0.99), "1 in 100 took longer"},
      {"p99.9", quantile(0.999), "1 in 1,000 took longer"},
      {"longest", latency.empty() ? "–" : duration_words(latency.max()), "from when it was due"},
      {"errors", count_text(counted.errors),
       found.due == 0 ? ""
                      : share_text(static_cast<double>(counted.errors) / static_cast<double>(found.due)) + " of " +
                            count_text(found.due) + " requests",
       counted.errors > 0}};
  if (found.capacity) {
    auto const& c = *found.capacity;
    tiles.insert(tiles.begin(), {"capacity", c.median > 0 ? rate_words(c.median) : "none",
                                 c.knees.size() < 2 ? c.objective : rate_words(c.least) + " to " + rate_words(c.most)});
  }
  if (found.audit) {
    auto const findings = found.audit->findings.size();
    tiles.push_back({"quota audit", findings == 0 ? "kept" : count_text(findings) + " found",
                     count_text(found.audit->admissions) + " admissions", findings > 0});
  }
  return tiles_of(tiles);
}

std::string verdict_line(std::string_view what, std::string_view observed, bool failed) {
  return element("li", std::string("<b class=\"") + (failed ? "failed\">failed" : "passed\">passed") + "</b> <code>" +
                           escaped(what) + "</code> " + escaped(observed));
}

/// What the run was made to find out: whether conditions held, and whether quotas were kept. Empty if nothing was
/// asked.
std::string verdict_of(results const& found) {
  if (found.conditions.empty() && !found.audit) return {};
  bool failed = found.audit && !found.audit->findings.empty();
  std::string lines;
  for (auto const& c : found.conditions) {
    failed = failed || c.failed;
    lines += verdict_line(c.text, c.observed, c.failed);
  }
  if (found.audit) {
    auto const findings = found.audit->findings.size();
    lines += verdict_line("audit", findings == 0 ? "nothing found" : count_text(findings) + " found", findings > 0);
  }
  return verdict_box(failed ? "Failed" : "Passed", lines, failed);
}

std::string over_time(results const& found) {
  auto html = element("h2", "Over time") +
              note("Each point is " +
                   (found.intervals.size() > points_max
                        ? std::string("several intervals: their rate, and the worst of their latencies")
                        : "one interval of " + round_duration_words(found.interval)) +
                   ". An answer counts when it is complete, and its latency where the request was due: a stall shows "
                   "where it began.");
  html += figure_of(throughput_plot(found));
  return latency_of(found).empty() ? html : html + figure_of(latency_plot(found));
}

std::string percentiles(results const& found) {
  auto const latency = latency_of(found);
  auto const service = service_of(found);
  if (latency.empty()) return {};
  auto html =
      element("h2", "Percentiles") +
      note(
          "<b>Latency</b> counts from when a request was due, <b>service</b> from when it was sent. Where they part, "
          "requests had to wait before they could be sent; a tool that waits for its answers does not see that.");
  auto const curves = std::array{named_histogram{"latency", "line-latency", latency},
                                 named_histogram{"service", "line-service", service}};
  html += figure_of(percentile_plot(curves));
  std::vector<std::vector<std::string>> rows;
  for (auto const& [name, h] :
       {std::pair{"latency", &latency}, std::pair{"service", &service}, std::pair{"first byte", &found.first_byte},
        std::pair{"connect", &found.connect}, std::pair{"TLS handshake", &found.handshake},
        std::pair{"lag of the tool", &found.lag}}) {
    if (h->empty()) continue;
    rows.push_back({name, count_text(h->count()), duration_words(h->min()), duration_words(h->mean())});
    for (double const q : {0.5, 0.9, 0.99, 0.999, 0.9999}) rows.back().push_back(quantile_words(*h, q));
    rows.back().push_back(duration_words(h->max()));
  }
  return html + html_table({"", "count", "min", "mean", "p50", "p90", "p99", "p99.9", "p99.99", "max"}, rows);
}

std::string outcomes(results const& found) {
  auto const classes = outcomes_of(totals_of(found));
  auto html = element("h2", "Statuses") + legend_of(classes) + figure_of(outcome_plot(found));
  auto const statuses = statuses_of(found);
  double answers = 0;  // to all attempts
  for (auto const& [status, count] : statuses) answers += static_cast<double>(count);
  std::vector<std::vector<std::string>> rows;
  for (auto const& [status, count] : statuses) {
    rows.push_back({std::to_string(status), count_text(count), share_text(static_cast<double>(count) / answers)});
    auto const timed = found.latency_by_status.find(status);
    bool const is_timed = timed != found.latency_by_status.end();
    for (double const q : {0.5, 0.99}) rows.back().push_back(is_timed ? quantile_words(timed->second, q) : "");
  }
  if (!rows.empty()) html += html_table({"status", "answers", "share", "p50", "p99"}, rows, {}, table_width::slim);
  if (found.untold_refusals > 0)
    html += note(count_text(found.untold_refusals) + " of 429 and 503 did not say when to come back (Retry-After).");
  return html;
}

std::string errors(results const& found) {
  if (found.errors.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (auto const& [kind, error] : found.errors)
    rows.push_back({std::string(name_of(kind)), count_text(error.count), std::string(meaning_of(kind)), error.example});
  constexpr std::array<std::size_t, 2> texts{2, 3};
  return element("h2", "Errors") + legend_of(errors_of(found)) + figure_of(error_plot(found)) +
         html_table({"kind", "requests", "meaning", "the first of them"}, rows, texts);
}

std::string operations(results const& found) {
  std::vector<std::vector<std::string>> rows;
  for (auto const& o : found.operations) {
    auto const quantile = [&](double q) { return quantile_words(o.latency, q); };
    rows.push_back({o.name, count_text(o.counted.answers), count_text(o.counted.too_many), count_text(o.counted.errors),
                    quantile(0.5), quantile(0.9), quantile(0.99), quantile(0.999),
                    o.latency.empty() ? "–" : duration_words(o.latency.max()),
                    bytes_text(static_cast<double>(o.counted.bytes_in))});
  }
  return element("h2", "Operations") +
         html_table({"operation", "answers", "429", "errors", "p50", "p90", "p99", "p99.9", "max", "received"}, rows);
}

std::string quotas(results const& found) {
  if (found.keys.empty()) return {};
  auto html = element("h2", "Quotas");
  auto const charted = std::min(found.keys.size(), charted_keys_max);
  for (std::size_t i = 0; i < charted; ++i) {
    auto const& key = found.keys[i];
    html += element("h3", escaped(key.name));
    for (auto const& p : quota_plots(found, key)) html += figure_of(p);
    html += legend_of(std::array{outcome_class{"admitted", "band-2xx", key.admitted},
                                 outcome_class{"refused with 429", "band-429", key.refused}});
  }
  if (found.keys.size() > charted)
    html +=
        note("And " + std::to_string(found.keys.size() - charted) + " keys more, whose figures are in the JSON file.");
  return html;
}

std::string audit(results const& found) {
  if (!found.audit) return {};
  auto const& a = *found.audit;
  auto html = element("h2", "Quota audit");
  html += element(
      "p", escaped(count_text(a.admissions) + " admissions and " + count_text(a.refusals) + " refusals of " +
                   count_text(a.keys) + (a.keys == 1 ? " key. " : " keys. ")) +
               (a.findings.empty() ? "<span class=\"passed\">Every promise was kept.</span>"
                                   : "<span class=\"failed\">" + count_text(a.findings.size()) + " found.</span>"));
  std::vector<std::vector<std::string>> rows;
  for (auto const& f : a.findings)
    rows.push_back(
        {f.rule, f.key, f.when ? number_words(std::chrono::duration<double>(*f.when).count()) + " s" : "", f.text});
  constexpr std::array<std::size_t, 2> texts{1, 3};
  if (!rows.empty()) html += html_table({"rule", "key", "at", "what"}, rows, texts);
  std::string checks;
  for (auto const& c : a.checked) checks += element("li", escaped(c));
  for (auto const& c : a.unchecked) checks += element("li", "<b>Not checked:</b> " + escaped(c));
  return html + (checks.empty() ? "" : element("ul", checks, "note"));
}

std::string threads_text(results const& found) {
  std::string text;
  for (auto const& t : found.tool.threads) {
    if (t.wall_time.count() <= 0) continue;
    text += (text.empty() ? "" : ", ") +
            share_text(static_cast<double>(t.processor_time.count()) / static_cast<double>(t.wall_time.count()));
  }
  return text.empty() ? text : text + " of a core";
}

std::string measured(results const& found) {
  auto const counted = totals_of(found);
  auto const seconds = std::max(1e-9, std::chrono::duration<double>(found.duration).count());
  auto const traffic = [&](std::uint64_t bytes) {
    auto const total = static_cast<double>(bytes);
    return bytes_text(total) + ", " + bytes_text(total / seconds) + "/s";
  };
  std::uint64_t opened = 0;
  for (auto const& i : found.intervals) opened += i.opened;
  std::vector<std::pair<std::string, std::string>> const facts{
      {"schedule", found.run.schedule},
      {"command", found.run.command},
      {"targets", joined(found.run.targets)},
      {"withheld", found.withheld == 0
                       ? ""
                       : count_text(found.withheld) + " requests that were due while every key paused as it was told"},
      {"tried again", counted.retried == 0 ? "" : count_text(counted.retried) + " times, as clients were told"},
      {"warm-up", found.run.warm_up.count() == 0 ? ""
                                                 : duration_words(found.run.warm_up) + ", " +
                                                       count_text(found.warm_up_requests) + " requests, not counted"},
      {"ended by", found.run.ended_by},
      {"connections", "at most " + count_text(found.run.connections_max) +
                          (found.run.keep_alive ? ", kept alive" : ", one for each request") + "; " +
                          count_text(opened) + " opened in the run"},
      {"received", traffic(counted.bytes_in)},
      {"sent", traffic(counted.bytes_out)},
      {"processor of the tool", threads_text(found)},
      {"lag of the tool", found.lag.empty() ? ""
                                            : "p99 " + duration_words(found.lag.quantile(0.99)) + ", at most " +
                                                  duration_words(found.lag.max())},
      {"seed", std::to_string(found.run.seed)},
      {"machine", found.run.machine},
      {"version", found.run.version}};
  return element("h2", "How it was measured") +
         element(
             "p",
             found.run.rate_wanted
                 ? "Requests were due by a schedule that does not wait for answers, and each counts from when it was "
                   "due, whether or not a connection was free. One that was given up counts as having taken as long "
                   "as it was waited for. Percentiles are at most a thousandth too high, those of single intervals "
                   "a hundredth."
                 : "Each client sent its next request when it had the answer to the last: a stall delays the "
                   "requests that would have shown it, and the percentiles look better than what users of a "
                   "service see.") +
         facts_of(facts);
}

}  // namespace

std::string to_html(results const& found) {
  auto const content = head_of(found) + verdict_of(found) + headline_of(found) +
                       (found.capacity ? capacity_section(*found.capacity) : "") + over_time(found) +
                       percentiles(found) + outcomes(found) + errors(found) + operations(found) + quotas(found) +
                       audit(found) + measured(found) +
                       element("footer", "Made by petstore-load. This file needs no network.");
  return page_of("Load of " + joined(found.run.targets), content);
}

}  // namespace petstore::load
