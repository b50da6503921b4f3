# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""petstore-load, as tables are made with it: a run, and what became of what was due."""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from .processes import environment, on_core

COULD_NOT_MEASURE = 3  # exit code
NOT_LOST = ("unexpected-status", "unsent")


class Outcome:
    """Of the requests that were due after the warm-up."""

    def __init__(self, results: dict):
        summary = results["summary"]
        errors = {kind: error["count"] for kind, error in results["errors"].items()}
        self.seconds: float = results["duration_ns"] / 1e9
        self.due: int = summary["requests"]
        self.answers: int = summary["answers"]
        self.statuses = {int(status): count for status, count in summary["statuses"].items()}
        self.unsent: int = errors.get("unsent", 0)  # every connection was waiting for an answer
        self.lost = sum(count for kind, count in errors.items() if kind not in NOT_LOST)  # given up, or cut off
        self.was_limit: bool = summary["tool_was_limit"]  # the tool, and not the server
        self.latency_us = {
            name: summary["latency"][f"{name}_ns"] / 1e3 for name in ("p50", "p99", "p999") if summary["answers"]
        }
        # How late the tool began a due request, at the 99.9th percentile; none is due with --rate max.
        self.lag_p999_us = quantile_ns(results["lag"], 0.999) / 1e3
        self._latencies = summary["latency_by_status"]

    def per_second(self, status: int) -> float:
        return self.statuses.get(status, 0) / self.seconds

    def wait_ms(self, status: int, quantile: str) -> float:
        """From when a request was due to its answer; `quantile` as the tool names it: p50, p99, p999, max."""
        return self._latencies[str(status)][f"{quantile}_ns"] / 1e6


def quantile_ns(histogram: dict, share: float) -> int:
    """As the tool has it: the upper end of the class that the request of this rank is in; 0 if there is none."""
    rank = max(1, math.ceil(share * histogram["count"]))
    for upper, count in histogram["classes"]:
        rank -= count
        if rank <= 0:
            return min(upper, histogram["max_ns"])
    return histogram["max_ns"]


def play(program: Path, url: str, key: str, *flags, core: int | None = None) -> Outcome:
    """A run of which only the figures are wanted. The key stands in no list of processes."""
    with tempfile.TemporaryDirectory(prefix="petstore-load-") as directory:
        file = Path(directory) / "results.json"
        command = [program, url, "--key", "env:BENCH_KEY", "--quiet", "--json", file, *flags]
        done = subprocess.run(
            [str(word) for word in command],
            env={**environment(), "BENCH_KEY": key},
            preexec_fn=on_core(core),
            capture_output=True,
            text=True,
        )
        # That nothing was answered is a result here, with a file.
        is_without_answers = done.returncode == COULD_NOT_MEASURE and file.exists() and file.read_text()
        is_measured = done.returncode == 0 or is_without_answers
        if not is_measured:
            raise SystemExit(f"petstore-load failed:\n{done.stdout}{done.stderr}")
        found = Outcome(json.loads(file.read_text()))
        if found.was_limit:
            print("note: petstore-load itself was the limit of this run; the server can do more", file=sys.stderr)
        return found


def milliseconds(seconds: float) -> str:
    """As a flag takes them."""
    return f"{seconds * 1000:.0f}ms"
