# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What the messages of the tables are made of.

They are text whose characters are the bytes. `@key@` stands for a key, `@id@` for the id under which the message is
looked for behind a proxy. Where a reader that sees the end of a body elsewhere would find another request, that one is
HIDDEN: the service never answers it, unless it comes from a proxy that answers it too."""

from dataclasses import dataclass


# What the service says to bytes that become no request, with the errors' codes.
REFUSALS = {
    400: "malformed_http",
    405: "method_not_allowed",
    413: "payload_too_large",
    414: "uri_too_long",
    417: "expectation_failed",
    431: "headers_too_large",
    501: "not_implemented",
    505: "http_version_not_supported",
}


@dataclass(frozen=True)
class Message:
    name: str
    text: str
    status: int

    def encode(self, key: str, request_id: str) -> bytes:
        return self.text.replace("@key@", key).replace("@id@", request_id).encode("latin-1")


HOST = "Host: pets.example\r\n"
KEY = "Authorization: Bearer @key@\r\n"
ID = "X-Request-Id: @id@\r\n"
COMMON = HOST + KEY + ID
REX = '{"name":"Rex","categoryId":1}'  # 29 bytes, 1d in a chunk's size
HIDDEN = "GET /v1/hidden HTTP/1.1\r\nHost: pets.example\r\n\r\n"


def begin(request_line: str) -> str:
    """An otherwise good request, whole."""
    return f"{request_line}\r\n{COMMON}\r\n"


def get(*lines: str) -> str:
    return "GET /v1/pets?limit=1 HTTP/1.1\r\n" + COMMON + "".join(f"{line}\r\n" for line in lines) + "\r\n"


def post(*lines: str, body: str, version: str = "1.1") -> str:
    fields = "".join(f"{line}\r\n" for line in ("Content-Type: application/json", *lines))
    return f"POST /v1/pets HTTP/{version}\r\n{COMMON}{fields}\r\n{body}"


def chunked(body: str) -> str:
    return post("Transfer-Encoding: chunked", body=body)


def chunk(data: str) -> str:
    return f"{len(data):x}\r\n{data}\r\n"


LAST = "0\r\n\r\n"
WHOLE = chunk(REX) + LAST


def lengths(*values: str) -> str:
    return post(*(f"Content-Length: {value}" for value in values), body=REX)


def coding(*lines: str) -> str:
    """A body that is one for a reader of chunks. One who does not see them finds a request in it."""
    return post(*lines, body=chunk(REX) + LAST + HIDDEN)


def host(*values: str) -> str:
    fields = "".join(f"Host:{value}\r\n" for value in values)
    return f"GET /v1/pets?limit=1 HTTP/1.1\r\n{fields}{KEY}{ID}\r\n"


def refused(status: int, messages: dict[str, str]) -> list[Message]:
    return [Message(name, text, status) for name, text in messages.items()]
