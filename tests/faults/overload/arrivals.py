# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Requests at a fixed rate, whether or not they are answered; and whoever watches the service meanwhile."""

import json
import subprocess
import threading
import time
from dataclasses import dataclass

from stand.case import hold
from stand.http import request
from stand.processes import environment

BODY = '{"name":"Rex","categoryId":1,"status":"available"}'
WATCH_INTERVAL_SECONDS = 0.05


@dataclass(frozen=True)
class Outcome:
    """Of the requests that were due."""

    seconds: float
    due: int
    statuses: dict[int, int]  # answered within the client's patience
    lost: int  # answered too late or not at all
    unsent: int  # every client was waiting for an answer
    refused_without_retry_after: int
    p99_ms: dict[int, float]  # by status

    def per_second(self, status: int) -> float:
        return self.statuses.get(status, 0) / self.seconds


def load(stand, url: str, key: str, *flags, connections: int, seconds: float) -> Outcome:
    """petstore-load with a patience that no answer here exhausts, so that it knows what became of everything. `flags` say
    what is asked and how fast."""
    file = stand.directory / "results.json"
    command = [stand.program.parent / "petstore-load", url, "--key", "env:SHOP_KEY", "--quiet", "--json", file, *flags]
    command += ["--connections", connections, "--duration", f"{seconds * 1000:.0f}ms", "--timeout", "60s"]
    done = subprocess.run(
        [str(part) for part in command], env=environment({"SHOP_KEY": key}), capture_output=True, text=True, timeout=180
    )
    hold(done.returncode == 0, f"the clients failed: {done.stdout}{done.stderr}")
    results = json.loads(file.read_text())
    summary = results["summary"]
    errors = {kind: error["count"] for kind, error in results["errors"].items()}
    unsent = errors.pop("unsent", 0)
    errors.pop("unexpected-status", None)
    return Outcome(
        results["duration_ns"] / 1e9,
        summary["requests"],
        {int(status): count for status, count in summary["statuses"].items()},
        sum(errors.values()),
        unsent,
        results["untold_refusals"],
        {int(status): of["p99_ns"] / 1e6 for status, of in summary["latency_by_status"].items()},
    )


class Watch:
    """Asks for readiness and metrics all the time, as a balancer and Prometheus do, only more often."""

    def __init__(self, admin_port: int):
        self._port = admin_port
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.rounds = 0
        self.slowest_seconds = 0.0
        self.writes_waiting_max = 0.0
        self.faults: list[str] = []

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(WATCH_INTERVAL_SECONDS):
            try:
                self._look()
            except Exception as fault:  # told by the case, not by a thread
                self.faults.append(repr(fault))

    def _look(self) -> None:
        ready = self._ask("/readyz")
        page = self._ask("/metrics")
        waiting = figure(page.body.decode(), "petstore_store_writes_waiting")
        self.writes_waiting_max = max(self.writes_waiting_max, waiting)
        if ready.status != 200 or page.status != 200:
            self.faults.append(f"/readyz was {ready.status}, /metrics {page.status}")
        self.rounds += 1

    def _ask(self, target: str):
        begun = time.monotonic()
        answer = request(self._port, "GET", target)
        self.slowest_seconds = max(self.slowest_seconds, time.monotonic() - begun)
        return answer


def figure(page: str, name: str) -> float:
    """The value of a metric without labels."""
    for line in page.splitlines():
        if line.startswith(f"{name} "):
            return float(line.split()[1])
    raise KeyError(name)
