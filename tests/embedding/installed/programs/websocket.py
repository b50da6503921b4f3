# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Enough of a WebSocket client (RFC 6455) for short messages."""

import base64
import os
import struct

from support.http import Answer, Connection

TEXT, CLOSE = 1, 8
GOING_AWAY = 1001


class WebSocket:
    """One connection. `answer` is that to the upgrade."""

    def __init__(self, port: int, **fields: str):
        self._connection = Connection(port)
        key = base64.b64encode(os.urandom(16)).decode()
        self.answer: Answer = self._connection.request(
            "GET", "/", Upgrade="websocket", Connection="Upgrade", Sec_WebSocket_Key=key, Sec_WebSocket_Version="13", **fields
        )

    def __enter__(self) -> "WebSocket":
        return self

    def __exit__(self, *_) -> None:
        self._connection.close()

    def send(self, text: str) -> None:
        self._send(TEXT, text.encode())

    def receive(self) -> str:
        kind, payload = self._receive()
        return payload.decode() if kind == TEXT else f"frame {kind}"

    def receive_close(self) -> int:
        """The code. The close is answered, and the connection ends as the other side wishes: it waits for ours."""
        kind, payload = self._receive()
        self._send(kind, payload)
        self._connection.read_to_end()
        self._connection.close()
        return struct.unpack("!H", payload[:2])[0] if kind == CLOSE else 0

    def _send(self, kind: int, payload: bytes) -> None:
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        self._connection.send(bytes([0x80 | kind, 0x80 | len(payload)]) + mask + masked)

    def _receive(self) -> tuple[int, bytes]:
        head = self._connection.read(2)
        return head[0] & 0x0F, self._connection.read(head[1])
