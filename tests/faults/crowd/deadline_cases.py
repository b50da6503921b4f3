# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Clients that take their time: a byte now and then, in both directions."""

import errno
import os
import socket
import time
from contextlib import suppress

from runner.case import case
from support.checks import TIME_LIMIT_SECONDS, hold
from support.http import Connection

from .crowds import is_served

LIMIT_SECONDS = 1.0
TRICKLE_SECONDS = 0.1
TRICKLING = 20
READ_SECONDS = 0.02


@case(
    injected="20 clients send a byte of a head every 0.1 s",
    must_hold="each is answered 408 when the time for a head is over, neither sooner nor later; the end is orderly",
)
def heads_that_trickle(stand) -> str:
    server, key = stand.serve_with_key("--demo", "--header-timeout", f"{LIMIT_SECONDS:.0f}s")
    return _check_trickling(server.port, key, b"GET /v1/pets HTTP/1.1\r\nHost: a\r\nX-Slow: ")


@case(
    injected="20 clients send a byte of a body every 0.1 s",
    must_hold="each is answered 408 when the time for a request is over, neither sooner nor later; the end is orderly",
)
def bodies_that_trickle(stand) -> str:
    server, key = stand.serve_with_key("--demo", "--request-timeout", f"{LIMIT_SECONDS:.0f}s")
    fields = f"Host: a\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n"
    return _check_trickling(server.port, key, b"POST /v1/pets HTTP/1.1\r\n" + fields.encode() + b'\r\n{"name":"')


def _check_trickling(port: int, key: str, first: bytes) -> str:
    begun = time.monotonic()
    waiting = [Connection(port) for _ in range(TRICKLING)]
    for client in waiting:
        client.send(first)
    ended: list[float] = []
    while waiting:
        now = time.monotonic() - begun
        hold(now < TIME_LIMIT_SECONDS, f"{len(waiting)} clients still wait after {TIME_LIMIT_SECONDS:.0f} s")
        for client in list(waiting):
            if _has_something(client):
                answer = client.answer()
                hold(answer.status == 408 and answer.json()["code"] == "request_timeout", f"answered {answer}")
                hold(answer.fields.get("connection") == "close", "the answer does not say that the connection closes")
                hold(client.read_to_end() == b"", "something follows the answer")
                client.close()
                ended.append(now)
                waiting.remove(client)
            else:
                client.send(b"x")
        hold(is_served(port, key), "another client is not answered meanwhile")
        time.sleep(TRICKLE_SECONDS)
    hold(min(ended) > 0.9 * LIMIT_SECONDS, f"a client was given up after {min(ended):.2f} s")
    return f"answered after {min(ended):.1f} to {max(ended):.1f} s"


def _has_something(client: Connection) -> bool:
    client.socket.setblocking(False)
    try:
        return bool(client.socket.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return False
    finally:
        client.socket.settimeout(TIME_LIMIT_SECONDS)


@case(
    injected="a client asks for many lists and reads a byte of the answers every 20 ms",
    must_hold="when the time for an answer is over it is broken off, by a reset: the kernel keeps nothing either",
)
def answers_read_by_the_byte(stand) -> str:
    server, key = stand.serve_with_key("--demo", "--write-timeout", f"{LIMIT_SECONDS:.0f}s")
    client = socket.socket()
    stand.at_end(client.close)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", server.port))
    get = f"GET /v1/pets?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\n\r\n".encode()
    client.setblocking(False)
    begun = time.monotonic()
    try:
        failure = _ask_and_read_until_broken(client, get)
    except ConnectionResetError:
        failure = errno.ECONNRESET
    hold(failure == errno.ECONNRESET, f"the end is {os.strerror(failure)}")
    lasted = time.monotonic() - begun
    hold(lasted > 0.9 * LIMIT_SECONDS, f"it was broken off after {lasted:.2f} s")
    hold(is_served(server.port, key), "another client is not answered afterwards")
    return f"reset after {lasted:.1f} s"


def _ask_and_read_until_broken(client: socket.socket, get: bytes) -> int:
    """The error that ends it. What its machine has taken can still be read after a reset, and only then the reset is
    told: so it is asked for."""
    end = time.monotonic() + TIME_LIMIT_SECONDS
    while (failure := client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)) == 0:
        hold(time.monotonic() < end, f"after {TIME_LIMIT_SECONDS:.0f} s there was no reset")
        with suppress(BlockingIOError):  # as many requests as are taken
            while True:
                client.send(get * 16)
        with suppress(BlockingIOError):  # the service has not come to it yet
            hold(client.recv(1) != b"", "the end looks as if everything had been sent")
        time.sleep(READ_SECONDS)
    return failure
