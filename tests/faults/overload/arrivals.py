# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Requests at a fixed rate, whether or not they are answered; and whoever watches the service meanwhile."""

import threading
import time
from dataclasses import dataclass

from support.checks import TIME_LIMIT_SECONDS
from support.load_run import LoadRun

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
    patience = ("--duration", f"{seconds * 1000:.0f}ms", "--timeout", f"{TIME_LIMIT_SECONDS:.0f}s")
    run = LoadRun(stand, url, "--key", "env:SHOP_KEY", *flags, "--connections", str(connections), *patience, key=key)
    results = run.results()
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

    def __init__(self, server):
        self._server = server
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
        begun = time.monotonic()
        status, why = self._server.readiness()
        between = time.monotonic()
        waiting = self._server.metric("petstore_store_writes_waiting")
        self.slowest_seconds = max(self.slowest_seconds, between - begun, time.monotonic() - between)
        self.writes_waiting_max = max(self.writes_waiting_max, waiting)
        if status != 200:
            self.faults.append(f"/readyz was {status}: {why}")
        self.rounds += 1
