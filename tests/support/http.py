# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Bytes to a port and bytes back, and enough of HTTP/1.1 to read an answer. Standards are for the service to keep: what
is sent is sent as it stands."""

import json
import socket
import ssl
from dataclasses import dataclass, field

from .checks import TIME_LIMIT_SECONDS

BODYLESS = (204, 304)


class Closed(Exception):
    """The other side closed before an answer was complete."""


@dataclass
class Answer:
    status: int
    fields: dict[str, str]  # by lower-case name; a repeated one joined by commas
    body: bytes = field(repr=False)

    def json(self):
        return json.loads(self.body)


class Connection:
    """One connection. Closed by `close`, or as a context manager."""

    def __init__(
        self, port: int, host: str = "127.0.0.1", source: str | None = None, encryption: ssl.SSLContext | None = None
    ):
        """`source`: from which address of this machine."""
        self._how = (port, host, source, encryption)
        bound = None if source is None else (source, 0)
        self.socket = socket.create_connection((host, port), timeout=TIME_LIMIT_SECONDS, source_address=bound)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if encryption is not None:
            self.socket = encryption.wrap_socket(self.socket)
        self._input = b""

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def reopen(self) -> None:
        """A new one to the same place."""
        self.close()
        self.__init__(*self._how)

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def request(self, method: str, target: str, key: str | None = None, body: object = None, **fields: str) -> Answer:
        """`body` as JSON, or bytes as they are. Underscores in names of fields stand for hyphens."""
        lines = [f"{method} {target} HTTP/1.1", "Host: petstore.test"]
        if key is not None:
            lines.append(f"Authorization: Bearer {key}")
        content = b""
        if body is not None:
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
        self.send("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
        return self.answer(has_body=method != "HEAD")

    def answer(self, has_body: bool = True) -> Answer:
        while (end := self._input.find(b"\r\n\r\n")) < 0:
            self._receive()
        head, self._input = self._input[:end].decode("latin-1"), self._input[end + 4 :]
        status_line, *lines = head.split("\r\n")
        fields: dict[str, str] = {}
        for line in lines:
            name, _, value = line.partition(":")
            name = name.lower()
            fields[name] = f"{fields[name]}, {value.strip()}" if name in fields else value.strip()
        status = int(status_line.split(" ")[1])
        length = int(fields.get("content-length", 0)) if has_body and status not in BODYLESS and status >= 200 else 0
        return Answer(status, fields, self.read(length))

    def read(self, length: int) -> bytes:
        """Exactly so many bytes."""
        while len(self._input) < length:
            self._receive()
        data, self._input = self._input[:length], self._input[length:]
        return data

    def read_to_end(self) -> bytes:
        """What comes until the other side closes. A reset is Closed."""
        try:
            while True:
                self._receive()
        except Closed:
            rest, self._input = self._input, b""
            return rest

    def _receive(self) -> None:
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            raise Closed("reset by the other side") from None
        if not data:
            raise Closed(f"closed by the other side after {self._input[:200]!r}")
        self._input += data


def request(
    port: int, method: str, target: str, key: str | None = None, body: object = None, host: str = "127.0.0.1", **fields: str
) -> Answer:
    """On a connection of its own."""
    with Connection(port, host) as connection:
        return connection.request(method, target, key, body, **fields)


def is_listening(port: int) -> bool:
    """Whether somebody accepts connections there."""
    try:
        Connection(port).close()
        return True
    except OSError:
        return False


def trusting_anybody() -> ssl.SSLContext:
    """A client's TLS that does not look at the certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
