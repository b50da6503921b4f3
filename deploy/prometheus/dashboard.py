#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Prints the Grafana dashboard, which is dashboard.json: what is asked, row by row, is easier to read and to change here.

    deploy/prometheus/dashboard.py > deploy/prometheus/dashboard.json
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

WIDTH = 24
HEIGHT = 8
SOURCE = {"type": "prometheus", "uid": "${source}"}
HERE = 'job=~"$job",instance=~"$instance"'
COLOURS = {"2xx": "green", "3xx": "blue", "4xx": "yellow", "5xx": "red"}


@dataclass(frozen=True)
class Panel:
    title: str
    lines: tuple[tuple[str, str], ...]  # what is asked, and what the line is called
    unit: str = "short"
    stacked: bool = False
    width: int = 8
    about: str = ""


def rate(metric: str, by: str, labels: str = "") -> str:
    return f"sum by ({by}) (rate({metric}{{{HERE}{labels}}}[$__rate_interval]))"


def total(metric: str, by: str = "", labels: str = "") -> str:
    return f"sum by ({by}) ({metric}{{{HERE}{labels}}})" if by else f"sum({metric}{{{HERE}{labels}}})"


def quantiles(metric: str, by: str = "", labels: str = "") -> tuple[tuple[str, str], ...]:
    grouped = f"le, {by}" if by else "le"
    name = f" {{{{{by}}}}}" if by else ""
    buckets = rate(f"{metric}_bucket", grouped, labels)
    return tuple((f"histogram_quantile({q}, {buckets})", f"p{q * 100:g}{name}") for q in (0.5, 0.99, 0.999))


ROWS: dict[str, tuple[Panel, ...]] = {
    "Requests": (
        Panel(
            "Requests by operation",
            ((rate("petstore_http_requests_total", "operation"), "{{operation}}"),),
            "reqps",
            stacked=True,
        ),
        Panel(
            "Answers by status", ((rate("petstore_http_requests_total", "status"), "{{status}}"),), "reqps", stacked=True
        ),
        Panel(
            "Failures",
            (
                (
                    rate("petstore_http_requests_total", "instance", ',status="5xx"')
                    + " / "
                    + rate("petstore_http_requests_total", "instance"),
                    "{{instance}}",
                ),
            ),
            "percentunit",
            about="The part of the answers that is 5xx: ours to mend.",
        ),
        Panel(
            "Time to answer",
            quantiles("petstore_http_request_duration_seconds"),
            "s",
            about="From a request that has come to its answer. What a slow client needs to send or to read is not in it.",
        ),
        Panel(
            "Time to answer, one in a hundred",
            (quantiles("petstore_http_request_duration_seconds", "operation")[1],),
            "s",
        ),
        Panel("Errors by code", ((rate("petstore_http_errors_total", "code") + " > 0", "{{code}}"),), "reqps"),
    ),
    "Limiter": (
        Panel(
            "Admitted by plan",
            ((rate("petstore_limiter_decisions_total", "plan", ',decision="admitted"'), "{{plan}}"),),
            "reqps",
            stacked=True,
        ),
        Panel(
            "Refused by plan and reason",
            (
                (
                    rate("petstore_limiter_decisions_total", "plan, reason", ',decision=~"rate_limited|banned"') + " > 0",
                    "{{plan}} {{reason}}",
                ),
            ),
            "reqps",
            about="second, minute, hour, day, month: that quota was empty. inquiry: too many questions about the quota. ban: a ban held.",
        ),
        Panel(
            "Bans begun",
            ((f"sum by (instance) (increase(petstore_limiter_bans_total{{{HERE}}}[1h]))", "{{instance}}, in an hour"),),
            about="With shared quotas every node that learns of a ban counts it.",
        ),
    ),
    "Quotas shared by Redis": (
        Panel(
            "Redis is asked",
            ((f"min by (instance) (petstore_quota_redis_answers{{{HERE}}})", "{{instance}}"),),
            about="0: what quota-failure says holds.",
        ),
        Panel("Calls", ((rate("petstore_quota_calls_total", "kind"), "{{kind}}"),), "reqps", stacked=True),
        Panel("Time of a call", quantiles("petstore_quota_call_duration_seconds"), "s"),
        Panel(
            "Tokens",
            (
                (rate("petstore_quota_tokens_total", "way"), "{{way}}"),
                (total("petstore_quota_tokens_held"), "held now"),
            ),
            about="Taken ahead of need, and given back unused.",
        ),
        Panel("Leases", ((total("petstore_quota_leases", "instance"), "{{instance}}"),), stacked=True),
        Panel(
            "Nodes, as each knows them", ((f"petstore_quota_nodes{{{HERE}}}", "{{instance}}"),), about="All lines are one."
        ),
        Panel(
            "Requests that waited, or were decided without Redis",
            (
                (rate("petstore_quota_requests_waited_total", "instance"), "{{instance}} waited"),
                (rate("petstore_quota_policy_decisions_total", "instance"), "{{instance}} by quota-failure"),
            ),
            "reqps",
        ),
        Panel(
            "Calls without an answer",
            (
                (rate("petstore_quota_calls_failed_total", "outcome"), "{{outcome}}"),
                (rate("petstore_quota_heartbeats_total", "outcome", ',outcome="missed"'), "heartbeat {{outcome}}"),
                (rate("petstore_quota_breaker_openings_total", "instance"), "{{instance}} gave up"),
            ),
            "reqps",
        ),
        Panel(
            "Connections to Redis",
            (
                (
                    f"sum by (instance, event) (increase(petstore_quota_connection_events_total{{{HERE}}}[5m]))",
                    "{{instance}} {{event}}, in 5 min",
                ),
                (rate("petstore_quota_redirections_total", "instance"), "{{instance}} redirected"),
            ),
        ),
    ),
    "Store": (
        Panel("Time of a read", quantiles("petstore_store_duration_seconds", labels=',access="read"'), "s"),
        Panel("Time of a write", quantiles("petstore_store_duration_seconds", labels=',access="write"'), "s"),
        Panel(
            "Reads and writes", ((rate("petstore_store_duration_seconds_count", "access"), "{{access}}"),), "reqps"
        ),
        Panel(
            "Map in use (LMDB)",
            (
                (
                    f"petstore_store_map_used_bytes{{{HERE}}} / petstore_store_map_size_bytes{{{HERE}}}",
                    "{{instance}}",
                ),
            ),
            "percentunit",
        ),
        Panel(
            "Writes that wait, and are refused (LMDB)",
            (
                (f"petstore_store_writes_waiting{{{HERE}}}", "{{instance}} waiting"),
                (rate("petstore_store_writes_refused_total", "instance"), "{{instance}} refused"),
            ),
        ),
        Panel("A transaction takes (LMDB)", ((f"petstore_store_commit_seconds{{{HERE}}}", "{{instance}}"),), "s"),
        Panel(
            "Connections (PostgreSQL)", ((total("petstore_store_connections", "instance, state"), "{{instance}} {{state}}"),)
        ),
        Panel("Statements (PostgreSQL)", ((rate("petstore_store_requests_total", "outcome"), "{{outcome}}"),), "reqps"),
        Panel(
            "Statements under way (PostgreSQL)",
            (
                (f"petstore_store_requests_in_flight{{{HERE}}}", "{{instance}}"),
                (rate("petstore_store_connection_events_total", "event", ',event!="made"'), "connections {{event}}"),
            ),
        ),
    ),
    "TLS": (
        Panel(
            "Handshakes",
            ((rate("petstore_tls_handshakes_total", "version, resumed"), "{{version}}, resumed: {{resumed}}"),),
            "ops",
            stacked=True,
        ),
        Panel(
            "Handshakes that came to nothing",
            ((rate("petstore_tls_handshakes_failed_total", "reason") + " > 0", "{{reason}}"),),
            "ops",
            about="rejected: clients do not believe the certificate. unsupported: clients that are too old.",
        ),
        Panel(
            "The certificate ends in",
            ((f"petstore_tls_certificate_expiry_timestamp_seconds{{{HERE}}} - time()", "{{instance}}"),),
            "s",
        ),
    ),
    "Saturation": (
        Panel(
            "Processor time",
            (
                (rate("process_cpu_seconds_total", "instance"), "{{instance}}"),
                (total("petstore_threads", "instance"), "{{instance}} threads"),
            ),
            about="Of the threads that serve; when the two lines meet, the node is full.",
        ),
        Panel(
            "Wait for a turn",
            ((f"petstore_turn_wait_seconds{{{HERE}}}", "{{instance}}"),),
            "s",
            about="Above 0.5 s for long, connections are ended.",
        ),
        Panel(
            "Connections",
            (
                (total("petstore_connections_by_state", "state"), "{{state}}"),
                (total("petstore_connections_max"), "most"),
            ),
        ),
        Panel(
            "Connections refused and ended",
            (
                (rate("petstore_connections_refused_total", "reason") + " > 0", "refused: {{reason}}"),
                (rate("petstore_connections_shed_total", "reason") + " > 0", "ended: {{reason}}"),
            ),
            "cps",
        ),
        Panel("Memory", ((f"process_resident_memory_bytes{{{HERE}}}", "{{instance}}"),), "bytes"),
        Panel(
            "Open files",
            ((f"process_open_fds{{{HERE}}} / process_max_fds{{{HERE}}}", "{{instance}}"),),
            "percentunit",
        ),
        Panel(
            "Lines of the log that were lost",
            ((rate("petstore_log_lines_dropped_total", "instance"), "{{instance}}"),),
            width=12,
        ),
        Panel(
            "Answers to what never became a request",
            ((rate("petstore_http_protocol_refusals_total", "status"), "{{status}}"),),
            "reqps",
            width=12,
        ),
    ),
}

FIGURES = (
    ("Nodes ready", f"sum(petstore_ready{{{HERE}}})", "short"),
    ("Requests a second", f"sum(rate(petstore_http_requests_total{{{HERE}}}[$__rate_interval]))", "reqps"),
    (
        "Failures",
        f'(sum(rate(petstore_http_requests_total{{{HERE},status="5xx"}}[$__rate_interval])) or vector(0))'
        f" / sum(rate(petstore_http_requests_total{{{HERE}}}[$__rate_interval]))",
        "percentunit",
    ),
    ("One in a hundred takes", quantiles("petstore_http_request_duration_seconds")[1][0], "s"),
    ("Open connections", f"sum(petstore_connections{{{HERE}}})", "short"),
    ("API keys", f"max(petstore_keys{{{HERE}}})", "short"),
    ("Running since", f"min(process_start_time_seconds{{{HERE}}}) * 1000", "dateTimeFromNow"),
    ("Versions", f"count by (version) (petstore_build_info{{{HERE}}})", "short"),
)


def targets(lines: tuple[tuple[str, str], ...]) -> list[dict]:
    return [
        {"refId": chr(ord("A") + i), "datasource": SOURCE, "expr": expr, "legendFormat": name, "range": True}
        for i, (expr, name) in enumerate(lines)
    ]


def time_series(panel: Panel) -> dict:
    drawn = {"lineWidth": 1, "fillOpacity": 20 if panel.stacked else 5, "showPoints": "never"}
    if panel.stacked:
        drawn["stacking"] = {"mode": "normal", "group": "A"}
    coloured = [
        {
            "matcher": {"id": "byName", "options": name},
            "properties": [{"id": "color", "value": {"mode": "fixed", "fixedColor": colour}}],
        }
        for name, colour in COLOURS.items()
        if "{{status}}" in (title for _, title in panel.lines) and "by status" in panel.title
    ]
    return {
        "type": "timeseries",
        "title": panel.title,
        "description": panel.about,
        "datasource": SOURCE,
        "targets": targets(panel.lines),
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0, "custom": drawn}, "overrides": coloured},
        "options": {
            "legend": {"displayMode": "list", "placement": "bottom"},
            "tooltip": {"mode": "multi", "sort": "desc"},
        },
    }


def figure(title: str, expr: str, unit: str) -> dict:
    name = "{{version}}" if "version" in expr else ""
    return {
        "type": "stat",
        "title": title,
        "datasource": SOURCE,
        "targets": targets(((expr, name),)),
        "fieldConfig": {"defaults": {"unit": unit}, "overrides": []},
        "options": {"reduceOptions": {"calcs": ["lastNotNull"]}, "textMode": "value_and_name" if name else "auto"},
    }


def placed() -> Iterator[dict]:
    """Every panel with its number and its place, from the top left."""
    number, y = 1, 0
    for i, (title, expr, unit) in enumerate(FIGURES):
        place = {"x": i * WIDTH // len(FIGURES), "y": y, "w": WIDTH // len(FIGURES), "h": 4}
        yield {"id": number, "gridPos": place, **figure(title, expr, unit)}
        number += 1
    y += 4
    for title, panels in ROWS.items():
        yield {"id": number, "type": "row", "title": title, "collapsed": False, "panels": [],
               "gridPos": {"x": 0, "y": y, "w": WIDTH, "h": 1}}  # fmt: skip
        number, y, x = number + 1, y + 1, 0
        for panel in panels:
            if x + panel.width > WIDTH:
                x, y = 0, y + HEIGHT
            yield {"id": number, "gridPos": {"x": x, "y": y, "w": panel.width, "h": HEIGHT}, **time_series(panel)}
            number, x = number + 1, x + panel.width
        y += HEIGHT


def variable(name: str, label: str, of: str) -> dict:
    return {
        "name": name,
        "label": label,
        "type": "query",
        "datasource": SOURCE,
        "query": {"query": of, "refId": name},
        "refresh": 2,
        "includeAll": True,
        "multi": True,
        "allValue": ".*",
        "current": {"text": "All", "value": "$__all"},
        "sort": 1,
    }


def dashboard() -> dict:
    return {
        "uid": "petstore",
        "title": "Pet Store",
        "description": "Requests, limiter, shared quotas, store, TLS and saturation of a pet store.",
        "tags": ["petstore"],
        "schemaVersion": 38,
        "version": 1,
        "editable": True,
        "graphTooltip": 1,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "timezone": "",
        "templating": {
            "list": [
                {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus", "current": {}},
                variable("job", "Job", "label_values(petstore_ready, job)"),
                variable("instance", "Instance", 'label_values(petstore_ready{job=~"$job"}, instance)'),
            ]
        },
        "annotations": {
            "list": [
                {
                    "name": "Starts",
                    "datasource": SOURCE,
                    "enable": True,
                    "iconColor": "purple",
                    "expr": f"changes(process_start_time_seconds{{{HERE}}}[1m]) > 0",
                    "titleFormat": "{{instance}} started",
                }
            ]
        },
        "panels": list(placed()),
    }


if __name__ == "__main__":
    print(json.dumps(dashboard(), indent=1, ensure_ascii=False))
