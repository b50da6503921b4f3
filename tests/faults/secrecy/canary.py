# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A key that must not come back, the forms in which somebody might send it, and how to find a trace of it."""

import base64
import binascii
from pathlib import Path
from urllib.parse import unquote_to_bytes

from support.checks import hold

PREFIX_SIZE = 8
SECRET_SIZE = 43
KEY_SIZE = 57
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
# A shorter piece leaves more than 170 bits of the secret unknown, and may stand in a text by chance.
TRACE_SIZE = 20


def checksum_of(checked: str) -> str:
    """The last six characters of a key."""
    crc, text = binascii.crc32(checked.encode()), ""
    for _ in range(KEY_SIZE - PREFIX_SIZE - SECRET_SIZE):
        crc, digit = divmod(crc, len(DIGITS))
        text = DIGITS[digit] + text
    return text


class Canary:
    def __init__(self, key: str):
        self.key = key
        hidden = key[PREFIX_SIZE:]
        plain = [hidden[at : at + TRACE_SIZE] for at in range(len(hidden) - TRACE_SIZE + 1)]
        # In base64 a text looks different at each of three offsets; the ends depend on what stands beside it.
        coded = [base64.b64encode(b"x" * at + hidden.encode()).decode()[4:-4] for at in range(3)]
        coded = [text[at : at + TRACE_SIZE] for text in coded for at in range(0, len(text) - TRACE_SIZE, 4)]
        self._traces = [trace.encode() for trace in plain + coded]

    def forms(self) -> dict[str, str]:
        return {
            "whole": self.key,
            "secret characters alone": self.key[PREFIX_SIZE : PREFIX_SIZE + SECRET_SIZE],
            "percent-encoded": "".join(f"%{ord(c):02X}" for c in self.key),
            "percent-encoded secret": "".join(f"%{ord(c):02x}" for c in self.key[PREFIX_SIZE:]),
            "underscores encoded": self.key.replace("_", "%5f"),
            "first half": self.key[: KEY_SIZE // 2],
            "second half": self.key[KEY_SIZE // 2 :],
            "capitals before": self.key[:PREFIX_SIZE].upper() + self.key[PREFIX_SIZE:],
        }

    def is_in(self, data: bytes) -> bool:
        return any(trace in text for text in (data, unquote_to_bytes(data)) for trace in self._traces)


def is_in_none_of(canaries: list[Canary], data: bytes, what: str) -> None:
    for canary in canaries:
        if canary.is_in(data):
            where = next(line for line in data.splitlines() if canary.is_in(line)) if data.count(b"\n") else data
            hold(False, f"{what} repeats a key: {where[:300]!r}")


def is_in_no_file(canaries: list[Canary], directory: Path) -> int:
    """The number of files looked at."""
    files = [path for path in directory.rglob("*") if path.is_file()]
    for path in files:
        is_in_none_of(canaries, path.read_bytes(), str(path.relative_to(directory)))
    return len(files)
