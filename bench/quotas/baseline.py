# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What calls cost a Redis that do nothing, if they come as often, and on as many connections, as those of quotas."""

import random
import socket
import threading
import time

from .redis import Redis

SEED = 1


def measure(redis: Redis, connections: int, calls_a_second: float, seconds: float) -> dict[str, float]:
    """The processor time of Redis for a call, in seconds: a PING, and a script that only returns."""
    empty = redis.load_script("return {0}")
    calls = {"ping": ("PING",), "empty_script": ("EVALSHA", empty, "0")}
    return {name: _measure(redis, words, connections, calls_a_second, seconds) for name, words in calls.items()}


def _measure(redis: Redis, words: tuple[str, ...], connections: int, calls_a_second: float, seconds: float) -> float:
    end = time.monotonic() + seconds
    callers = [
        threading.Thread(target=_call, args=(redis.connect(), words, calls_a_second / connections, end, SEED + number))
        for number in range(connections)
    ]
    before = redis.figures()
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    after = redis.figures()
    return (after["cpu"] - before["cpu"]) / max(1, after["commands"] - before["commands"])


def _call(connection: socket.socket, words: tuple[str, ...], rate: float, end: float, seed: int) -> None:
    """At random times (a Poisson process), one call after the other."""
    dice = random.Random(seed)
    request = b"".join([b"*%d\r\n" % len(words), *(b"$%d\r\n%s\r\n" % (len(w), w.encode()) for w in words)])
    due = time.monotonic()
    with connection:
        while (due := due + dice.expovariate(rate)) < end:
            time.sleep(max(0, due - time.monotonic()))
            connection.sendall(request)
            if not connection.recv(4096):
                raise SystemExit("Redis closed a connection")
