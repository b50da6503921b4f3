# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Clients in numbers: those of bench/bad_clients, which do a server no good, and well-behaved ones beside them."""

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from stand.case import Broken, hold
from stand.http import Closed, Connection, request
from stand.processes import Child

BAD_CLIENTS = Path(__file__).resolve().parents[3] / "bench/bad_clients"
PET = "/v1/pets/1"
CALM_SECONDS = 0.5


def start_bad_clients(stand, port: int, manner: str, number: int, *flags: str) -> Child:
    """All have connected when this returns; the server may come to them later."""
    command = [sys.executable, "-B", str(BAD_CLIENTS), "--port", str(port), "--manner", manner, "--number", str(number)]
    crowd = stand.start([*command, *flags])
    crowd.wait_for_line("ready")
    return crowd


def metric(server, name: str) -> float:
    for line in request(server.admin_port, "GET", "/metrics").body.decode().splitlines():
        if line.startswith(name + " "):
            return float(line.split()[1])
    raise Broken(f"there is no metric {name}")


def wait_until(is_so: Callable[[], bool], otherwise: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        hold(time.monotonic() < end, otherwise)
        time.sleep(0.05)


def wait_for_connections(server, number: int) -> None:
    """A client's connection is there when the kernel has it. The server may come to it much later."""
    wait_until(lambda: metric(server, "petstore_connections") >= number, f"{number} connections are not there")


def wait_until_calm(server) -> None:
    """Until what its clients ask for is answered, as far as they take answers."""

    def is_calm() -> bool:
        before = metric(server, "process_cpu_seconds_total")
        time.sleep(CALM_SECONDS)
        return metric(server, "process_cpu_seconds_total") - before < 0.5 * CALM_SECONDS

    wait_until(is_calm, "the crowd keeps the server busy")


def answers_a_second(port: int, key: str, clients: int = 8, seconds: float = 2) -> float:
    """Of clients that each hold one connection and ask again once they are answered. All of them are answered 200."""
    end = time.monotonic() + seconds
    counts: list[int] = []

    def ask() -> None:
        count = 0
        while time.monotonic() < end:
            with Connection(port) as connection:
                is_last = False
                while not is_last and time.monotonic() < end:
                    answer = connection.request("GET", PET, key)
                    if answer.status != 200:
                        return
                    count += 1
                    is_last = answer.fields.get("connection") == "close"  # where a slow machine has many of them
        counts.append(count)

    threads = [threading.Thread(target=ask) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    hold(len(counts) == clients, "a well-behaved client was not answered as it must be")
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
