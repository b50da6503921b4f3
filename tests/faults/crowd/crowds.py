# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Clients in numbers: those of bench/bad_clients, which do a server no good, and well-behaved ones beside them."""

import os
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from support.checks import hold, wait_until
from support.http import Closed, Connection, request
from support.processes import Child
from support.workers import Workers

BAD_CLIENTS = Path(__file__).resolve().parents[3] / "bench/bad_clients"
PET = "/v1/pets/1"
CALM_SECONDS = 0.5


def start_bad_clients(stand, port: int, manner: str, number: int, *flags: str) -> Child:
    """All have connected when this returns; the server may come to them later."""
    command = [sys.executable, "-B", str(BAD_CLIENTS), "--port", str(port), "--manner", manner, "--number", str(number)]
    crowd = stand.start([*command, *flags])
    crowd.wait_for_line("ready")
    return crowd


def wait_for_connections(server, number: int) -> None:
    """A client's connection is there when the kernel has it. The server may come to it much later."""
    wait_until(lambda: server.metric("petstore_connections") >= number, f"{number} connections are not there")


def wait_until_calm(server) -> None:
    """Until what its clients ask for is answered, as far as they take answers: then it hardly wants a processor. Whether
    it gets one, on a busy machine, is another matter."""

    def is_calm() -> bool:
        before, begun = _seconds_wanted(server.pid), time.monotonic()
        time.sleep(CALM_SECONDS)
        return _seconds_wanted(server.pid) - before < 0.5 * (time.monotonic() - begun)

    wait_until(is_calm, "the crowd keeps the server busy")


def _seconds_wanted(pid: int) -> float:
    """For how long its threads have run, or waited for a processor to run on."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(nanoseconds) for task in tasks for nanoseconds in task.read_text().split()[:2]) / 1e9


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def connect_all(stand, server, key: str, number: int, **how) -> list[Connection]:
    """So many connections that stay, each of which is answered once."""
    held = [Connection(server.port, **how) for _ in range(number)]
    for client in held:
        stand.at_end(client.close)
    hold_served(held, key, "a connection is not served to begin with")
    return held


def hold_served(connections: list[Connection], key: str, otherwise: str) -> None:
    for client in connections:
        hold(client.request("GET", PET, key).status == 200, otherwise)


def answers_a_second(port: int, key: str, clients: int = 8, seconds: float = 2) -> float:
    """Of clients that each hold one connection and ask again once they are answered. All of them are answered 200."""
    with ExitStack() as opened:
        connections = [opened.enter_context(Connection(port)) for _ in range(clients)]
        return answers_a_second_on(connections, key, seconds)


def answers_a_second_on(connections: list[Connection], key: str, seconds: float) -> float:
    """The same on connections that are there."""
    end = time.monotonic() + seconds
    counts: list[int] = []

    def ask(connection: Connection) -> None:
        count = 0
        while time.monotonic() < end:
            answer = connection.request("GET", PET, key)
            if answer.status != 200:
                return
            count += 1
            if answer.fields.get("connection") == "close":  # where a slow machine has many of them
                connection.reopen()
        counts.append(count)

    with Workers() as workers:
        for connection in connections:
            workers.start(ask, connection)
        workers.join()
    hold(len(counts) == len(connections), "a well-behaved client was not answered as it must be")
    return sum(counts) / seconds


def check_refusal(connection: Connection) -> str:
    """A 503 without a request, complete and orderly; the message."""
    answer = connection.answer()
    hold(answer.status == 503, f"the answer is {answer.status}, not 503")
    problem = answer.json()
    hold(problem["code"] == "unavailable", f"the error is {problem}")
    for field in ("retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "x-request-id"):
        hold(field in answer.fields, f"the refusal has no {field}")
    hold(answer.fields.get("connection") == "close", "the refusal does not say that the connection closes")
    hold(connection.read_to_end() == b"", "something follows the refusal")
    return problem["message"]


def is_served(port: int, key: str) -> bool:
    try:
        return request(port, "GET", PET, key).status == 200
    except (Closed, OSError):
        return False
