// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "report/html.hpp"

#include <boost/test/unit_test.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "figures/sample_run.hpp"
#include "report/browser.hpp"
#include "report/compare.hpp"
#include "report/page/run_charts.hpp"

namespace petstore::load {

BOOST_AUTO_TEST_SUITE(bench_load_html)

namespace {

constexpr std::string_view hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&\x01\xff";

results hostile_run() {
  auto found = sample_run({.operation = std::string(hostile)});
  found.run.targets = {std::string(hostile)};
  found.run.scenario = found.run.schedule = found.run.command = found.run.machine = hostile;
  found.run.ended_by = found.run.started = found.run.version = hostile;
  found.warnings = {{std::string(hostile), true}};
  found.errors[error_kind::malformed] = {1, std::string(hostile)};
  found.conditions = {{std::string(hostile), std::string(hostile), true}};
  for (auto& key : found.keys) {
    key.name = hostile;
    for (auto& quota : key.quotas) quota.resource = hostile;
  }
  found.capacity = sample_capacity();
  found.capacity->objective = found.capacity->tries[0].observed = hostile;
  found.audit->findings[0] = {std::string(hostile), std::string(hostile), std::string(hostile), {}};
  found.audit->checked = found.audit->unchecked = {std::string(hostile)};
  return found;
}

/// Everything that a browser would fetch, or follow of itself.
std::vector<std::string> references_in(std::string const& html) {
  static std::regex const reference(
      R"((?:\s(?:src|href|srcset|action|data|xlink:href|poster)\s*=\s*["']?|url\(["']?|@import\s*["']?)([^"')\s>]*))",
      std::regex::icase);
  std::vector<std::string> found;
  for (std::sregex_iterator i(html.begin(), html.end(), reference), end; i != end; ++i) found.push_back((*i)[1]);
  return found;
}

bool is_inside(std::string const& reference) {
  return reference.starts_with("#") || reference.starts_with("data:");
}

/// The page without what a browser reads as no tags.
std::string without_scripts(std::string html) {
  for (std::string const name : {"script", "style"}) {
    auto const end_tag = "</" + name + ">";
    for (std::size_t begin = 0; (begin = html.find("<" + name, begin)) != std::string::npos;) {
      auto const end = html.find(end_tag, begin);
      if (end == std::string::npos) break;
      html.erase(begin, end + end_tag.size() - begin);
    }
  }
  return html;
}

/// The first tag that ends what is not open, or is never ended; empty when all fit.
std::string unbalanced_tag(std::string html) {
  static std::set<std::string> const without_end{"meta", "link", "rect", "path", "circle", "!doctype"};
  html = without_scripts(std::move(html));
  static std::regex const tag("<(/?)([!a-z0-9]+)(?:\\s[^<>]*)?>");
  std::vector<std::string> open;
  for (std::sregex_iterator i(html.begin(), html.end(), tag), end; i != end; ++i) {
    std::string const name = (*i)[2];
    if (without_end.contains(name)) continue;
    if ((*i)[1].length() == 0) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "</" + name + ">";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

std::size_t count_of(std::string const& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

BOOST_AUTO_TEST_CASE(a_search_is_shown_with_its_knee_and_all_its_tries) {
  auto found = sample_run({.seconds = 1});
  BOOST_TEST(to_html(found).find("<h2>Capacity</h2>") == std::string::npos);
  found.capacity = sample_capacity();
  auto const html = to_html(found);
  for (auto const* part : {"<h2>Capacity</h2>", "p99&lt;5ms holds up to 1,100/s", "the tool was the limit", "2,000/s"})
    BOOST_TEST(html.find(part) != html.npos, part);
  BOOST_TEST(html.find("in at least one of the rounds") == html.npos);
  found.capacity->tool_was_limit = true;
  BOOST_TEST(to_html(found).find("in at least one of the rounds") != std::string::npos);
  found.capacity->tries.resize(0);
  found.capacity->knees.clear();
  BOOST_TEST(to_html(found).find("The search ended before its first round did.") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(nothing_is_loaded_from_anywhere) {
  auto const run = sample_run({});
  auto const references = references_in(to_html(run));
  BOOST_TEST(!references.empty());
  for (auto const& reference : references) BOOST_TEST(is_inside(reference), reference);
  // What is looked for would be found.
  BOOST_TEST(references_in("<img src='http://a.example/x'>").at(0) == "http://a.example/x");
  BOOST_TEST(references_in("a{background:url(//a.example)}").at(0) == "//a.example");
}

BOOST_AUTO_TEST_CASE(what_servers_and_scenarios_said_is_text) {
  auto const run = hostile_run();
  auto const html = to_html(run);
  BOOST_TEST(count_of(html, "<img") == 0);
  BOOST_TEST(count_of(html, "<script>alert") == 0);
  BOOST_TEST(count_of(html, "\x01") == 0);
  BOOST_TEST(count_of(html, "\xff") == 0);
  BOOST_TEST(count_of(html, "&lt;script&gt;alert(1)&lt;/script&gt;") > 0);
  BOOST_TEST(count_of(html, "<script") == count_of(html, "</script>"));
  BOOST_TEST(unbalanced_tag(html) == "");
  for (auto const& reference : references_in(html)) BOOST_TEST((is_inside(reference) || reference == "x"), reference);
}

BOOST_AUTO_TEST_CASE(every_part_of_a_run_is_there) {
  auto const html = to_html(sample_run({}));
  for (auto const* part : {"Over time", "Percentiles", "Statuses", "Errors", "Operations", "Quotas", "Quota audit",
                           "How it was measured", "class=\"verdict bad\"", "over-admission", "adopt", "p99.9"})
    BOOST_TEST(count_of(html, part) > 0, part);
  // Two over time, percentiles, statuses, errors; of the free key one quota and its admissions, of the gold key two.
  BOOST_TEST(count_of(html, "<div class=\"plot\">") == 10);
  BOOST_TEST(count_of(html, "class=\"wide\"") == count_of(html, "class=\"narrow\""));
  BOOST_TEST(unbalanced_tag(html) == "");
}

BOOST_AUTO_TEST_CASE(the_verdict_stands_on_top) {
  auto run = sample_run({});
  auto const failed = to_html(run);
  BOOST_TEST(failed.find("class=\"verdict bad\"") < failed.find("class=\"tiles\""));
  BOOST_TEST(count_of(failed, "p99&gt;5ms") > 0);
  for (auto& c : run.conditions) c.failed = false;
  run.audit->findings.clear();
  BOOST_TEST(count_of(to_html(run), "class=\"verdict good\"") == 1);
  run.conditions.clear();
  run.audit.reset();
  BOOST_TEST(count_of(to_html(run), "class=\"verdict") == 0);
}

BOOST_AUTO_TEST_CASE(errors_over_time_have_a_band_for_each_kind) {
  auto const run = sample_run({});
  auto const kinds = errors_of(run);
  BOOST_REQUIRE_EQUAL(kinds.size(), 2);  // timeouts and unexpected statuses
  BOOST_TEST(kinds[0].count >= kinds[1].count);
  BOOST_TEST(kinds[0].style != kinds[1].style);
  auto const p = error_plot(run);
  BOOST_TEST((p.values.names == std::vector<std::string>{kinds[0].name, kinds[1].name}));
  BOOST_TEST(!p.bars.empty());
}

BOOST_AUTO_TEST_CASE(a_warning_stands_before_every_figure) {
  auto run = sample_run({});
  run.warnings = {{"The tool was the limit.", true}};
  auto const html = to_html(run);
  BOOST_TEST(html.find("The tool was the limit.") < html.find("class=\"tiles\""));
}

BOOST_AUTO_TEST_CASE(runs_of_nothing_and_of_one_interval_have_a_report) {
  for (auto const& run : {results{}, sample_run({.seconds = 1})}) {
    auto const html = to_html(run);
    BOOST_TEST(unbalanced_tag(html) == "");
    BOOST_TEST(count_of(html, "nan") == 0);
    BOOST_TEST(count_of(html, "inf") == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_long_run_is_drawn_in_a_bounded_number_of_points) {
  auto run = sample_run({.seconds = 2});
  auto const interval = run.intervals[0];
  auto const key = run.keys[0];
  constexpr std::size_t count = intervals_max;
  run.duration = run.interval * static_cast<int>(count);
  run.intervals.assign(count, interval);
  for (std::size_t i = 0; i < count; ++i) run.intervals[i].begin = run.interval * static_cast<int>(i);
  for (auto& k : run.keys) {
    k.admitted_over_time.assign(count, 1);
    k.refused_over_time.assign(count, 1);
    for (auto& quota : k.quotas) quota.remaining.assign(count, 1);
  }
  BOOST_TEST(throughput_plot(run).values.x.size() <= points_max);
  BOOST_TEST(throughput_plot(run).values.x.size() > points_max / 2);
  BOOST_TEST(quota_plots(run, run.keys[0])[0].values.x.size() <= points_max);
  BOOST_TEST(to_html(run).size() < 2'000'000);
}

BOOST_AUTO_TEST_CASE(a_browser_finds_no_fault_and_runs_the_script) {
  auto const page = open_in_browser(to_html(hostile_run()));
  if (!page) {
    BOOST_TEST_MESSAGE("SKIPPED: no chromium, so no browser looked at the report");
    return;
  }
  for (auto const& line : page->console) BOOST_ERROR("the console says: " << line);
  // Each chart got what shows values under the pointer, and what is not text would have become an element.
  BOOST_TEST(count_of(page->document, "class=\"tip\"") == count_of(page->document, "class=\"plot\""));
  BOOST_TEST(count_of(page->document, "class=\"tip\"") > 0);
  BOOST_TEST(count_of(page->document, "<img") == 0);

  auto broken = to_html(sample_run({.seconds = 1}));
  broken.replace(broken.find("</main>"), 7, "</main><script>undefined_function()</script>");
  BOOST_TEST(!open_in_browser(broken)->console.empty());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::load
