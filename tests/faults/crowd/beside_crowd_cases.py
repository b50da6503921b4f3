# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Well-behaved clients beside thousands of others. How much they notice, bench/crowd measures; here half is enough.

Clients in Python and a crowd that takes a processor for itself leave a server much idle time, in which it may do what
it should not without anybody waiting longer; and a server that takes the whole machine makes the other one slow too. So
what an answer costs is looked at as well, beside what it cost the same server before the crowd came.
"""

import resource
import socket
from dataclasses import dataclass

from runner.case import case
from support.checks import hold, wait_until
from support.http import Connection
from support.stand import Server

from .crowds import (
    answers_a_second,
    start_bad_clients,
    wait_for_connections,
    wait_until_calm,
)

CROWD = 2000
LITTLE_NOTICED = (
    "well-behaved clients get at least half of the answers that they get without, and none costs the server three "
    "times as much"
)
LEAST_SHARE = 0.5
MOST_COST = 3.0
TRIES = 4
TURNS = 3
TURN_SECONDS = 0.3
NEVER_READERS = 1000
PAGE_ANIMALS = 100
LONG_NAME = "x" * 255
LONGEST_NAME = "\U0001f436" * 255
PAGE_READERS = 800
# The answers of one go and the connection in the process, 64 KiB of answers in the kernel, and what the kernel has room
# for of requests and on the client's side.
BYTES_OF_NEVER_READER = 600 * 1024
PAGE_BYTES = resource.getpagesize()


@dataclass
class _Served:
    """What a server has done for well-behaved clients."""

    server: Server
    key: str
    answers: float = 0
    cpu_seconds: float = 0

    def ask(self) -> None:
        before = self.server.metric("process_cpu_seconds_total")
        self.answers += TURN_SECONDS * answers_a_second(self.server.port, self.key, seconds=TURN_SECONDS)
        self.cpu_seconds += self.server.metric("process_cpu_seconds_total") - before

    @property
    def cost_us(self) -> float:
        return self.cpu_seconds * 1e6 / self.answers


def _check_share(stand, start_crowd, *flags: str) -> str:
    """Beside the crowd, but with a server of their own, other clients do as well as this machine lets them."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # what the crowd is started with
    server, key = stand.serve_with_key("--demo", "--access-log", "off", *flags)
    quiet, quiet_key = stand.serve_with_key("--demo", "--access-log", "off", store="lmdb:quiet")
    answers_a_second(server.port, key, seconds=TURN_SECONDS)  # what is set up once is there
    alone = _Served(server, key)
    for _ in range(TURNS):
        alone.ask()
    start_crowd(server.port, key)
    wait_for_connections(server, round(0.9 * CROWD))
    wait_until_calm(server)
    for _ in range(TRIES):
        beside, without = _Served(server, key), _Served(quiet, quiet_key)
        for _ in range(TURNS):
            beside.ask()
            without.ask()
        share, cost = beside.answers / without.answers, beside.cost_us / alone.cost_us
        if share > LEAST_SHARE and cost < MOST_COST:
            break
    held = server.metric("petstore_connections")
    hold(held > 0.5 * CROWD, f"of the crowd only {held:.0f} are left")
    told = f"{share:.0%} of {without.answers / TURNS / TURN_SECONDS:.0f} answers a second, each at {cost:.1f} times"
    told = f"{told} the {alone.cost_us:.0f} µs of processor time that it took alone"
    hold(share > LEAST_SHARE and cost < MOST_COST, told)
    return told


def _check_beside_own(stand, manner: str) -> str:
    def start(port: int, key: str) -> None:
        start_bad_clients(stand, port, manner, CROWD, "--key", key)

    return _check_share(stand, start)


@case(
    injected="2,000 connections that send a byte of a head every second, and come back when they are ended",
    must_hold=LITTLE_NOTICED,
    alone=True,
)
def beside_slow_heads(stand) -> str:
    return _check_beside_own(stand, "slow-head")


@case(
    injected="2,000 connections that ask for lists for as long as anything is taken, and never read",
    must_hold=LITTLE_NOTICED,
    alone=True,
)
def beside_never_readers(stand) -> str:
    return _check_beside_own(stand, "never-read")


def _check_beside_foreign(stand, mode: str) -> str:
    def start(port: int, key: str) -> None:
        _make_long_page(port, key)
        url = f"http://127.0.0.1:{port}/v1/pets?limit=100"
        rate = ("-c", str(CROWD), "-r", str(CROWD), "-i", "1", "-l", "300", "-k", "10")
        stand.start(["slowhttptest", mode, "-u", url, *rate, "-v", "0"])

    # It does not come back when it is ended, and takes its time to connect.
    patience = ("--header-timeout", "10m", "--request-timeout", "10m", "--write-timeout", "10m")
    return _check_share(stand, start, *patience)


def _make_long_page(port: int, key: str, name: str = LONG_NAME) -> None:
    """The answers to slowhttptest's ten requests are more than the kernel takes before they are read."""
    animal = {"name": name, "categoryId": 1, "status": "available"}
    with Connection(port) as connection:
        for _ in range(PAGE_ANIMALS):
            hold(connection.request("POST", "/v1/pets", key, animal).status == 201, "an animal is not taken")


@case(
    injected="slowhttptest's Slowloris with 2,000 connections",
    must_hold=LITTLE_NOTICED,
    needs=("slowhttptest",),
    alone=True,
)
def beside_slowloris(stand) -> str:
    return _check_beside_foreign(stand, "-H")


@case(
    injected="slowhttptest's slow bodies on 2,000 connections",
    must_hold=LITTLE_NOTICED,
    needs=("slowhttptest",),
    alone=True,
)
def beside_slow_bodies(stand) -> str:
    return _check_beside_foreign(stand, "-B")


@case(
    injected="slowhttptest's slow reading on 2,000 connections",
    must_hold=LITTLE_NOTICED,
    needs=("slowhttptest",),
    alone=True,
)
def beside_slow_reading(stand) -> str:
    return _check_beside_foreign(stand, "-X")


@case(
    injected="1,000 clients send requests for as long as anything is taken, and never read an answer",
    must_hold="no more is taken from them than the answers of one go need, so that each costs less than 600 KiB, the "
    "kernel's part included",
    alone=True,
)
def memory_of_never_readers(stand) -> str:
    server, key = stand.serve_with_key("--demo", "--access-log", "off", "--write-timeout", "1h")
    answers_a_second(server.port, key, seconds=0.5)  # what is set up once is there
    before = _memory(server)
    start_bad_clients(stand, server.port, "never-read", NEVER_READERS, "--key", key, "--every", "0.02")
    wait_for_connections(server, NEVER_READERS)
    wait_until_calm(server)
    process, kernel = ((now - then) / NEVER_READERS for now, then in zip(_memory(server), before))
    told = f"{process / 1024:.0f} KiB each in the process, {kernel / 1024:.0f} KiB in the kernel"
    hold(process + kernel < BYTES_OF_NEVER_READER, told)
    hold(server.metric("petstore_connections") == NEVER_READERS, "some have gone meanwhile")
    return told


@case(
    injected="800 clients ask for one page of the longest names each, never read it, and leave",
    must_hold="the process holds each page once, and gives the memory back when they have left",
    alone=True,
)
def memory_of_long_pages(stand) -> str:
    server, key = stand.serve_with_key("--access-log", "off", "--write-timeout", "1h", "--connections-per-address", "1000")
    _make_long_page(server.port, key, LONGEST_NAME)
    with Connection(server.port) as reader:
        page = len(reader.request("GET", "/v1/pets?limit=100", key).body)
    before = server.metric("process_resident_memory_bytes")
    crowd = [_ask_and_never_read(stand, server.port, key) for _ in range(PAGE_READERS)]
    wait_for_connections(server, PAGE_READERS)
    wait_until_calm(server)
    grown = (server.metric("process_resident_memory_bytes") - before) / PAGE_READERS
    for client in crowd:
        client.close()

    def has_returned() -> bool:
        return server.metric("process_resident_memory_bytes") - before < 0.1 * PAGE_READERS * page

    wait_until(has_returned, "the memory of those who have left is kept")
    told = f"{grown / 1024:.0f} KiB in the process for a page of {page / 1024:.0f} KiB"
    hold(page < grown < 1.3 * page, told)
    return told


def _ask_and_never_read(stand, port: int, key: str) -> socket.socket:
    client = socket.socket()
    stand.at_end(client.close)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    client.connect(("127.0.0.1", port))
    client.sendall(f"GET /v1/pets?limit=100 HTTP/1.1\r\nHost: petstore.test\r\nAuthorization: Bearer {key}\r\n\r\n".encode())
    return client


@case(
    injected="the same clients, and an answer may take two seconds",
    must_hold="when that time is over all of them are gone, whether or not they would have read at last",
)
def never_readers_go(stand) -> None:
    server, key = stand.serve_with_key("--demo", "--access-log", "off", "--write-timeout", "2s")
    flags = ("--key", key, "--pause", "3600")
    crowd = start_bad_clients(stand, server.port, "never-read", NEVER_READERS, *flags)
    wait_until(lambda: server.metric("petstore_connections") == 0, "they are held for longer than an answer may take")
    hold(crowd.is_running, f"the crowd is gone by itself:\n{crowd.errors()[-2000:]}")


def _memory(server) -> tuple[float, float]:
    """Of the process, and of the kernel for both ends of every TCP connection of the machine."""
    line = next(line for line in open("/proc/net/sockstat") if line.startswith("TCP:"))
    pages = int(line.rpartition(" mem ")[2].split()[0])
    return server.metric("process_resident_memory_bytes"), pages * PAGE_BYTES
