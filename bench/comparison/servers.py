# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A server on loopback that is compared with others, and the plainest of them, the floor."""

import os
import socket
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from .processes import Child, ServerFault

ANSWER_PATIENCE_SECONDS = 20


@dataclass(frozen=True)
class Server:
    """One that listens: where, and the process whose processor time is its cost."""

    port: int
    pid: int

    def processor_seconds(self) -> float:
        """Used so far, in kernel and user mode; /proc counts in hundredths of a second."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def connections(self) -> int:
        """Those that it has accepted and that neither side has closed."""
        rows = (line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:])
        # The local address, the state (1: established), the inode (0: the kernel has it, and the server does not yet).
        return sum(r[1].endswith(f":{self.port:04X}") and r[3] == "01" and r[9] != "0" for r in rows)


def ask(server: Server, request: bytes) -> bytes:
    """One answer, head and body, over a connection of its own."""
    with socket.create_connection(("127.0.0.1", server.port), ANSWER_PATIENCE_SECONDS) as connection:
        return ask_over(connection, request)


def ask_over(connection: socket.socket, request: bytes) -> bytes:
    connection.sendall(request)
    received = b""
    while True:
        head, end, body = received.partition(b"\r\n\r\n")
        if end:
            lengths = [f for f in head.lower().split(b"\r\n") if f.startswith(b"content-length:")]
            if not lengths:
                raise ServerFault(f"an answer without a length: {head!r}")
            if len(body) >= int(lengths[0].partition(b":")[2]):
                return received
        more = connection.recv(65536)
        if not more:
            raise ServerFault(f"the connection ended in an answer: {received!r}")
        received += more


def port_of(url: str) -> int:
    return int(url.partition("://")[2].partition("/")[0].rpartition(":")[2])


def start_floor(stack: ExitStack, program: Path, directory: Path, core: int, answer_bytes: int) -> Server:
    child = Child([str(program), "--answer-bytes", str(answer_bytes)], directory, core)
    stack.callback(child.stop)
    return Server(port_of(child.wait_for_line("listening on ")), child.pid)


def free_port() -> int:
    """For a server that cannot say which one it took. Somebody else may be quicker, but hardly is."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]
