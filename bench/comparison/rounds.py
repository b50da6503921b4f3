# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Measuring: a short slice of load for every entrant, in another order each round, and what follows from them.

The machine's speed drifts, so a figure means something only beside another one of the same round. Each ratio is made
within a round; what is told is the median over the rounds and how far they lie apart.
"""

import json
import random
import statistics
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .contest import Contender, Entrant
from .processes import ServerFault, on_core


@dataclass(frozen=True)
class Slice:
    requests_per_second: float
    cpu_us: float  # the server's processor time for each request, in kernel and user mode
    busy: float  # the share of the slice in which the server had the processor
    wait_p50_us: float
    wait_p99_us: float


@dataclass(frozen=True)
class Spread:
    """The median of all rounds and where the middle half of them lies; a disturbed slice is in neither."""

    median: float
    low: float
    high: float

    @staticmethod
    def of(values: list[float]) -> "Spread":
        if len(values) == 1:
            return Spread(values[0], values[0], values[0])
        low, median, high = statistics.quantiles(values, n=4, method="inclusive")
        return Spread(median, low, high)


class Client:
    def __init__(self, program: Path, directory: Path, core: int, connections: int):
        self._program = program
        self._request_file = directory / "request"
        self._core = core
        self._connections = connections

    def load(self, entrant: Entrant, *limits: str) -> dict:
        """The client's own report. All answers must have had the status that is being measured."""
        self._request_file.write_bytes(entrant.request)
        command = [self._program, "--port", entrant.server.port, "--request", self._request_file]
        command += ["--connections", self._connections, "--depth", entrant.depth, *limits]
        done = subprocess.run([str(c) for c in command], preexec_fn=on_core(self._core), capture_output=True, text=True)
        if done.returncode != 0:
            raise ServerFault(f"{entrant.title}: the load failed: {done.stdout}{done.stderr}")
        report = json.loads(done.stdout)
        if list(report["statuses"]) != [str(entrant.status)]:
            raise ServerFault(f"{entrant.title}: the answers were {report['statuses']}, not all {entrant.status}")
        return report

    def measure(self, entrant: Entrant, seconds: float, warm_up: float) -> Slice:
        limits = ("--seconds", seconds, "--warm-up", warm_up, "--server-process", entrant.server.pid)
        report = self.load(entrant, *limits)
        cpu_seconds = report["server_processor_seconds"]
        return Slice(
            requests_per_second=report["requests_per_second"],
            cpu_us=cpu_seconds * 1e6 / report["requests"],
            busy=cpu_seconds / report["seconds"],
            wait_p50_us=report["wait_us"]["p50"],
            wait_p99_us=report["wait_us"]["p99"],
        )


Rounds = list[dict[Entrant, Slice]]


def measure_rounds(
    client: Client,
    entrants: list[Entrant],
    rounds: int,
    seconds: float,
    warm_up: float,
) -> Iterator[dict[Entrant, Slice]]:
    # The same orders in every run; a round does not begin where another one began.
    shuffle = random.Random(1).shuffle
    for _ in range(rounds):
        order = list(entrants)
        shuffle(order)
        yield {entrant: client.measure(entrant, seconds, warm_up) for entrant in order}


def median_of(rounds: Rounds, entrant: Entrant, figure: str) -> float:
    return statistics.median(getattr(r[entrant], figure) for r in rounds)


def throughput_to_floor(rounds: Rounds, c: Contender) -> Spread:
    return Spread.of([r[c.entrant].requests_per_second / r[c.floor].requests_per_second for r in rounds])


def cpu_to_floor(rounds: Rounds, c: Contender) -> Spread:
    """Turned over, so that like throughput it is 1.00 at the floor and less above it."""
    return Spread.of([r[c.floor].cpu_us / r[c.entrant].cpu_us for r in rounds])


def throughput_gain(rounds: Rounds, new: Contender, old: Contender) -> Spread:
    return Spread.of([r[new.entrant].requests_per_second / r[old.entrant].requests_per_second for r in rounds])


def cpu_gain(rounds: Rounds, new: Contender, old: Contender) -> Spread:
    """How many requests the new one answers in the processor time in which the old one answers one."""
    return Spread.of([r[old.entrant].cpu_us / r[new.entrant].cpu_us for r in rounds])
