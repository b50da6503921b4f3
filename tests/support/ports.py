# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Ports for programs that have to be told one, or that come back to the one they had."""

import random
import socket
from pathlib import Path

LOWEST = 12_000
TRIES = 1000

_dice = random.SystemRandom()
_given: set[int] = set()
_place, _places = 0, 1


def keep_to(place: int, places: int) -> None:
    """From now on this process gets one port of every `places`, so that no other process beside it gets the same one."""
    global _place, _places
    _place, _places = place, places


def free_port() -> int:
    """Nobody listens there, and no connection that somebody makes takes it meanwhile: the kernel gives those higher
    ones."""
    highest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for _ in range(TRIES):
        port = _dice.randrange(LOWEST, max(highest, LOWEST + TRIES))
        if port % _places == _place and port not in _given and _is_free(port):
            _given.add(port)
            return port
    raise OSError("no port is free")


def free_ports(number: int) -> int:
    """The first of so many ports in a row on which nobody listens."""
    while True:
        first = free_port()
        if all(_is_free(port) for port in range(first, first + number)):
            return first


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
