# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Bytes of a corpus, and what must become of them."""

import re
from dataclasses import dataclass, replace

REQUEST_LINE = re.compile(rb"^[^\r\n]* HTTP/[^\r\n]*\r\n", re.MULTILINE)
FRAGMENT = re.compile(rb"#\S* HTTP/")


@dataclass(frozen=True)
class Sample:
    name: str
    data: bytes
    must_be_refused: bool = True
    excuse: str = ""  # why one that must be refused may be taken
    requests_max: int = 1  # that a reader may find in it

    def encode(self, _key: str, _request_id: str) -> bytes:
        """As it is."""
        return self.data


def complete(one: Sample) -> Sample:
    """What is wrong with a sample is often hidden from a strict reader by what else it lacks: here each of its requests
    has a Host, no target has a fragment, and the head ends."""
    data = FRAGMENT.sub(b" HTTP/", one.data)
    for line in reversed(list(REQUEST_LINE.finditer(data))):
        fields, _, _ = data[line.end() :].partition(b"\r\n\r\n")
        if re.search(rb"^host:", fields, re.IGNORECASE | re.MULTILINE) is None:
            data = data[: line.end()] + b"Host: pets.example\r\n" + data[line.end() :]
    if b"\r\n\r\n" not in data:
        data += b"\r\n\r\n"
    return replace(one, name=f"{one.name}, completed", data=data)
