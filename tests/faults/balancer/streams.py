# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Requests over HTTP/2 whose bodies never end, many on one connection. Nothing is read of what the balancer sends."""

import struct

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS = 0, 1, 4
END_HEADERS = 4
CONTENT_BYTES = 60_000
# More than HAProxy's buffer takes beside the head, and less than a frame may have.
SENT_BYTES = 16_000

# The fields as HPACK writes those that are in no table and shall be in none.
FIELDS = b"".join(
    b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value
    for name, value in (
        (b":method", b"POST"),
        (b":scheme", b"https"),
        (b":path", b"/v1/pets"),
        (b":authority", b"a"),
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % CONTENT_BYTES),
    )
)


def begin() -> bytes:
    """What a client sends first."""
    return PREFACE + _frame(SETTINGS, 0, 0, b"")


def unfinished(number: int) -> bytes:
    """The request with that number, from 0, on its connection."""
    stream = 2 * number + 1
    return _frame(HEADERS, END_HEADERS, stream, FIELDS) + _frame(DATA, 0, stream, SENT_BYTES * b" ")


def _frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload
