# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The process may open no more files while clients connect."""

import os
import resource
import time

from runner.case import case
from support.checks import hold, wait_until
from support.http import Connection

from .crowds import (
    PET,
    check_refusal,
    connect_all,
    hold_served,
    is_served,
    processor_seconds,
    start_bad_clients,
    wait_for_connections,
    wait_until_calm,
)

KEPT = 20
ROUNDS = 40
IDLERS = 100
LATER = 50


def _files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def _free_below(pid: int) -> tuple[int, int]:
    """The number after the highest descriptor, and how many are free below it: they are given out first."""
    files = [int(fd) for fd in os.listdir(f"/proc/{pid}/fd")]
    return max(files) + 1, max(files) + 1 - len(files)


def _allow_no_more(stand, server, key: str) -> tuple[int, int]:
    """The limit as it was. From now on the process has no descriptor that is free, as connections hold the last ones."""
    before = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
    end, free = _free_below(server.pid)
    connect_all(stand, server, key, free)
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (end, before[1]))
    hold(_free_below(server.pid) == (end, 0), "there are still descriptors, so nothing would be tested")
    return before


@case(
    injected="no descriptor is left (RLIMIT_NOFILE lowered while it runs) and clients go on connecting",
    must_hold="new ones get a 503 or wait, connections that are there are served, no processor time is burnt, and with "
    "descriptors everything is as before",
)
def no_descriptors_left(stand) -> str:
    server, key = stand.serve_with_key("--demo", "--crowded-timeout", "1h")
    held = connect_all(stand, server, key, KEPT)
    before = _allow_no_more(stand, server, key)
    for _ in range(ROUNDS):
        with Connection(server.port) as surplus:
            check_refusal(surplus)
        hold_served(held, key, "a connection that is there is not served")
    spent, begun = processor_seconds(server.pid), time.monotonic()
    time.sleep(2)
    share = (processor_seconds(server.pid) - spent) / (time.monotonic() - begun)
    hold(share < 0.2, f"{share:.0%} of a processor is used while nothing happens")
    hold(server.child.is_running, "the process is gone")

    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, before)
    wait_until(lambda: is_served(server.port, key), "with descriptors it does not accept again")
    wait_until(lambda: server.metric("petstore_ready") == 1, "it is not ready, though nothing is missing any more")
    return f"{ROUNDS} refused, {share:.1%} of a processor"


@case(
    injected="no descriptor is left, and those that there are belong to clients that say nothing",
    must_hold="the longest idle make way: who comes after that is served",
)
def descriptors_held_by_idlers(stand) -> str:
    server, key = stand.serve_with_key("--demo", "--threads", "1", "--crowded-timeout", "500ms")
    start_bad_clients(stand, server.port, "idle", IDLERS, "--key", key, "--pause", "3600")
    wait_for_connections(server, IDLERS)
    wait_until_calm(server)  # all are answered, and the longest they have been silent is since then
    _allow_no_more(stand, server, key)
    time.sleep(1)  # longer than the time-out, after which they may be ended
    for number in range(1, LATER + 1):
        later = Connection(server.port)
        stand.at_end(later.close)
        answer = later.request("GET", PET, key)
        hold(answer.status == 200, f"number {number} of those who came later got {answer.status}: {answer.body!r}")
    return f"{LATER} served"


@case(
    injected="the process may open 200 files when it starts, and --max-connections is 10,000",
    must_hold="it says so, takes fewer connections, and keeps files for its store and its log",
)
def few_files_from_the_start(stand) -> str:
    server, key = stand.serve_with_key("--demo", "--crowded-timeout", "1h", under=("prlimit", "--nofile=200:200"))
    hold("few_open_files" in server.child.errors(), "the log does not say that files are few")
    most = int(server.metric("petstore_connections_max"))
    hold(0 < most < 200, f"{most} connections are to fit into 200 files")
    connect_all(stand, server, key, most)
    with Connection(server.port) as surplus:
        check_refusal(surplus)
    hold("accept_failed" not in server.child.errors(), "descriptors ran out all the same")
    return f"{most} connections, {_files(server.pid)} files"
