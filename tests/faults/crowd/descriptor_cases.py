# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The process may open no more files while clients connect."""

import os
import resource
import time

from stand.case import case, hold
from stand.http import Connection

from .crowds import (
    check_refusal,
    is_served,
    metric,
    start_bad_clients,
    wait_for_connections,
    wait_until,
    wait_until_calm,
)

KEPT = 20
ROUNDS = 40
IDLERS = 100
LATER = 50


def _processor_seconds(pid: int) -> float:
    fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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
    for _ in range(free):
        client = Connection(server.port)
        stand.at_end(client.close)
        hold(client.request("GET", "/v1/pets/1", key).status == 200, "a client is not served to begin with")
    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (end, before[1]))
    hold(_free_below(server.pid) == (end, 0), "there are still descriptors, so nothing would be tested")
    return before


@case(
    injected="no descriptor is left (RLIMIT_NOFILE lowered while it runs) and clients go on connecting",
    must_hold="new ones get a 503 or wait, connections that are there are served, no processor time is burnt, and with "
    "descriptors everything is as before",
)
def no_descriptors_left(stand) -> str:
    key = stand.make_key("lmdb:shop")
    server = stand.serve("lmdb:shop", "--demo", "--crowded-timeout", "1h")
    held = [Connection(server.port) for _ in range(KEPT)]
    for client in held:
        hold(client.request("GET", "/v1/pets/1", key).status == 200, "a connection is not served to begin with")
    before = _allow_no_more(stand, server, key)
    for _ in range(ROUNDS):
        with Connection(server.port) as surplus:
            check_refusal(surplus)
        for client in held:
            hold(client.request("GET", "/v1/pets/1", key).status == 200, "a connection that is there is not served")
    spent, begun = _processor_seconds(server.pid), time.monotonic()
    time.sleep(2)
    share = (_processor_seconds(server.pid) - spent) / (time.monotonic() - begun)
    hold(share < 0.2, f"{share:.0%} of a processor is used while nothing happens")
    hold(server.child.is_running, "the process is gone")

    resource.prlimit(server.pid, resource.RLIMIT_NOFILE, before)
    wait_until(lambda: is_served(server.port, key), "with descriptors it does not accept again")
    wait_until(lambda: metric(server, "petstore_ready") == 1, "it is not ready, though nothing is missing any more")
    return f"{ROUNDS} refused, {share:.1%} of a processor"


@case(
    injected="no descriptor is left, and those that there are belong to clients that say nothing",
    must_hold="the longest idle make way: who comes after that is served",
)
def descriptors_held_by_idlers(stand) -> str:
    key = stand.make_key("lmdb:shop")
    server = stand.serve("lmdb:shop", "--demo", "--threads", "1", "--crowded-timeout", "500ms")
    start_bad_clients(stand, server.port, "idle", IDLERS, "--key", key, "--pause", "3600")
    wait_for_connections(server, IDLERS)
    wait_until_calm(server)  # all are answered, and the longest they have been silent is since then
    _allow_no_more(stand, server, key)
    time.sleep(1)
    for number in range(1, LATER + 1):
        later = Connection(server.port)
        stand.at_end(later.close)
        answer = later.request("GET", "/v1/pets/1", key)
        hold(answer.status == 200, f"number {number} of those who came later got {answer.status}: {answer.body!r}")
    return f"{LATER} served"


@case(
    injected="the process may open 200 files when it starts, and --max-connections is 10,000",
    must_hold="it says so, takes fewer connections, and keeps files for its store and its log",
)
def few_files_from_the_start(stand) -> str:
    key = stand.make_key("lmdb:shop")
    server = stand.serve("lmdb:shop", "--demo", under=("prlimit", "--nofile=200:200"))
    hold("few_open_files" in server.child.errors(), "the log does not say that files are few")
    most = int(metric(server, "petstore_connections_max"))
    hold(0 < most < 200, f"{most} connections are to fit into 200 files")
    held = [Connection(server.port) for _ in range(most)]
    for client in held:
        hold(client.request("GET", "/v1/pets/1", key).status == 200, "a connection that fits is not served")
    with Connection(server.port) as surplus:
        check_refusal(surplus)
    hold("accept_failed" not in server.child.errors(), "descriptors ran out all the same")
    files = _files(server.pid)
    for client in held:
        client.close()
    return f"{most} connections, {files} files"
