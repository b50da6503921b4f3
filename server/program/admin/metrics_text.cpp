// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/metrics_text.hpp"

#include <prometheus/text_serializer.h>

#include <string_view>
#include <vector>

#include "admin/metric_families.hpp"

namespace petstore::program {
namespace {

using prometheus::MetricFamily;

MetricFamily& begin_family(std::vector<MetricFamily>& page, std::string_view name, std::string_view help,
                           prometheus::MetricType type) {
  return page.emplace_back(MetricFamily{std::string(name), std::string(help), type, {}});
}

sample_writer::labels labels_of(server::counter_labels const& names, server::counter_labels const& values) {
  sample_writer::labels all;
  if (!names.first.empty()) all.push_back({std::string(names.first), std::string(values.first)});
  if (!names.second.empty()) all.push_back({std::string(names.second), std::string(values.second)});
  return all;
}

void add_counters(std::vector<MetricFamily>& page, server::counter_group group,
                  server::metrics_reading const& reading) {
  for (auto const& f : server::counter_families) {
    if (f.group != group) continue;
    sample_writer samples{begin_family(page, f.name, f.help, prometheus::MetricType::Counter)};
    auto const counts = reading.counts_of(f.family);
    for (std::size_t i = 0; i < counts.size(); ++i) samples.add(labels_of(f.labels, f.values[i]), counts[i]);
  }
}

/// A row of the manual's table.
std::string table_row(std::string_view name, std::string_view labels, std::string_view help, std::string_view details) {
  return "| `" + std::string(name) + "` | " + std::string(labels) + (labels.empty() ? "| " : " | ") +
         std::string(help) + (details.empty() ? "" : " ") + std::string(details) + " |\n";
}

std::string label_names(server::counter_labels const& names) {
  std::string text = names.first.empty() ? "" : "`" + std::string(names.first) + "`";
  return names.second.empty() ? text : text + ", `" + std::string(names.second) + "`";
}

}  // namespace

std::string metrics_text(server::metrics_reading const& reading, figures const& f) {
  metric_sources const sources{reading, f, read_process_figures()};
  std::vector<MetricFamily> page;
  for (auto const& section : metric_sections()) {
    if (!section.is_there(f)) continue;
    for (auto const& family : section.families) {
      sample_writer samples{begin_family(page, family.name, family.help, family.type)};
      family.write(samples, sources);
    }
    if (section.counters) add_counters(page, *section.counters, reading);
  }
  return prometheus::TextSerializer().prometheus::Serializer::Serialize(page);
}

std::string metrics_as_markdown() {
  std::string text;
  for (auto const& section : metric_sections()) {
    text += "\n### " + std::string(section.title) + "\n\n| family | labels | what it tells |\n|---|---|---|\n";
    for (auto const& f : section.families) text += table_row(f.name, f.labels, f.help, f.details);
    for (auto const& f : server::counter_families)
      if (f.group == section.counters) text += table_row(f.name, label_names(f.labels), f.help, f.details);
  }
  return text + '\n';
}

}  // namespace petstore::program
