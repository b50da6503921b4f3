# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""All answers on a connection, whatever was asked on it."""

import select
import socket
from collections.abc import Callable
from contextlib import suppress

from support.checks import TIME_LIMIT_SECONDS
from support.http import Answer, Connection

QUIET_SECONDS = 0.3  # before another client's request is sent
HEADLESS = 0  # the status of what is no answer of HTTP/1


def answers_to(connection: Connection, data: bytes, pass_other: Callable[[], None]) -> list[Answer]:
    """What comes until the other side closes, without interim answers. When it waits for more than there is, our side
    ends too; not before, as some proxies answer less to a client that has gone half. It waits when nothing comes while
    `pass_other` sends what has to be answered behind this."""
    with suppress(BrokenPipeError, ConnectionResetError):  # what was answered before is there all the same
        connection.send(data)
    rest = _read_to_end(connection.socket, pass_other)
    answers = []
    while rest:
        answer, rest = _split_first(rest)
        if not 100 <= answer.status < 200:
            answers.append(answer)
    return answers


def _read_to_end(sock: socket.socket, pass_other: Callable[[], None]) -> bytes:
    received = b""
    is_half_closed = False
    while True:
        if _has_something(sock, TIME_LIMIT_SECONDS if is_half_closed else QUIET_SECONDS):
            try:
                piece = sock.recv(65536)
            except ConnectionResetError:
                return received
            if not piece:
                return received
            received += piece
        elif is_half_closed:
            raise TimeoutError(f"no end after {received[:200]!r}")
        else:
            pass_other()
            if not _has_something(sock, 0):
                with suppress(OSError):  # the other side may be gone by now
                    sock.shutdown(socket.SHUT_WR)
                is_half_closed = True


def _has_something(sock: socket.socket, within_seconds: float) -> bool:
    readable, _, _ = select.select([sock], [], [], within_seconds)
    return bool(readable)


def is_headless_json(answer: Answer) -> bool:
    """Whether it is one of the service's that nginx passed on as HTTP/0.9, without its head and so without an id."""
    return answer.status == HEADLESS and answer.body.startswith(b"{")


def _split_first(data: bytes) -> tuple[Answer, bytes]:
    head, _, rest = data.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1."):
        return Answer(HEADLESS, {}, data), b""
    status_line, *lines = head.decode("latin-1").split("\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    # To HEAD comes the length of a body and none; no body begins like an answer.
    length = 0 if rest.startswith(b"HTTP/1.") else int(fields.get("content-length", 0))
    return Answer(int(status_line.split(" ")[1]), fields, rest[:length]), rest[length:]
