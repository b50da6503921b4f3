# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Ports for programs that have to be told one, or that come back to the one they had."""

import random
import socket
from pathlib import Path

LOWEST = 12_000
TRIES = 1000

_dice = random.SystemRandom()
_reservations: list[socket.socket] = []


def free_port() -> int:
    """One of `free_ports`."""
    return free_ports(1)


def free_ports(number: int) -> int:
    """The first of so many ports in a row on which nobody listens. No connection that somebody makes takes them meanwhile,
    because the kernel gives those higher ones, and no other call returns them until this process ends, whichever process
    makes it."""
    highest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for _ in range(TRIES):
        first = _dice.randrange(LOWEST, max(highest, LOWEST + TRIES) - number)
        if all(_is_free(port) and _reserve(port) for port in range(first, first + number)):
            return first
    raise OSError("no port is free")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _reserve(port: int) -> bool:
    """Takes a name in the abstract namespace of local sockets, where each name has one owner and is free again when its
    owner has ended. tests/support/free_port.cpp takes the same names."""
    reservation = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        reservation.bind(f"\0petstore-test-port-{port}")
    except OSError:
        reservation.close()
        return False
    _reservations.append(reservation)
    return True
