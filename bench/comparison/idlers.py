# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Connections that are open and say nothing."""

import resource
import socket
import time
from contextlib import ExitStack

from .encryption import encrypt
from .memory import Memory, memory_of
from .processes import ServerFault
from .servers import ANSWER_PATIENCE_SECONDS, Server, ask_over

# A source address has about 28,000 ports, and those that were used a minute ago are not free yet.
CONNECTIONS_PER_SOURCE = 5000
OTHER_FILES = 64


def raise_open_files(connections: int) -> None:
    """For this process and the servers that it starts."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < connections + OTHER_FILES:
        raise ServerFault(f"{connections} connections need more open files than the {most} that `ulimit -Hn` allows")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def growth(
    server: Server, connections: int, request: bytes | None, settle_seconds: float, is_encrypted: bool = False
) -> Memory:
    """What one idle connection costs, as the mean of so many: each has sent the request and read its answer, or
    nothing. What the server sets up once is there before: one more connection has been served to its end. The server
    must have all of them at the end."""
    with ExitStack() as stack:
        with _connect(server, 0, is_encrypted) as first:
            if request is not None:
                _ask(first, request)
            before = memory_of(server.pid)
        for i in range(connections):
            connection = stack.enter_context(_connect(server, i, is_encrypted))
            if request is not None:
                _ask(connection, request)
        time.sleep(settle_seconds)
        grown = memory_of(server.pid) - before
        held = server.connections()
    if held < connections:
        raise ServerFault(f"Of {connections:,} connections the server has {held:,} open, so they were not all idle there.")
    return Memory(*(part // connections for part in (grown.shared_out, grown.private, grown.kernel)))


def _ask(connection: socket.socket, request: bytes) -> None:
    answer = ask_over(connection, request)
    if not answer.startswith(b"HTTP/1.1 200 "):
        raise ServerFault(f"A connection that is to be idle was answered:\n{answer.decode(errors='replace')}")


def _connect(server: Server, number: int, is_encrypted: bool) -> socket.socket:
    source = f"127.0.0.{2 + number // CONNECTIONS_PER_SOURCE}"
    connection = socket.create_connection(("127.0.0.1", server.port), ANSWER_PATIENCE_SECONDS, (source, 0))
    return encrypt(connection) if is_encrypted else connection
