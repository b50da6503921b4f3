# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Messages made from others by a few small changes, the same ones each time."""

import random
import re
from collections.abc import Sequence

from .message import Message

CHANGES_MAX = 3
# None is a digit, so that no message gets the id of another.
INSERTED = ["\r", "\n", "\r\n", "\0", "\t", " ", ",", ";", ":", '"', "\\", "#", "+", "-", "\x7f", "\x80", "\xa0"]
INSERTED += ["chunked", "identity", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"]
INSERTED += ["Host: a\r\n", "HTTP/1.0"]
LINE = re.compile(r"[^\n]*\n")


class Mutation:
    def __init__(self, origin: Message, seed: int):
        self.name = f"mutation {seed} of '{origin.name}'"
        self._origin = origin
        self._seed = seed

    def encode(self, key: str, request_id: str) -> bytes:
        text = self._origin.encode(key, request_id).decode("latin-1")
        source = random.Random(self._seed)
        for _ in range(source.randint(1, CHANGES_MAX)):
            text = source.choice((_insert, _insert, _replace, _delete, _move_line))(text, source)
        return text.encode("latin-1")


def mutate(messages: Sequence[Message], count: int) -> list[Mutation]:
    return [Mutation(messages[number % len(messages)], number) for number in range(count)]


def _insert(text: str, source: random.Random) -> str:
    at = source.randrange(len(text) + 1)
    return text[:at] + source.choice(INSERTED) + text[at:]


def _replace(text: str, source: random.Random) -> str:
    at = source.randrange(len(text))
    return text[:at] + source.choice(INSERTED) + text[at + 1 :]


def _delete(text: str, source: random.Random) -> str:
    at = source.randrange(len(text))
    return text[:at] + text[at + source.randint(1, 3) :]


def _move_line(text: str, source: random.Random) -> str:
    lines = LINE.findall(text) or [text]
    line = lines.pop(source.randrange(len(lines)))
    lines.insert(source.randrange(len(lines) + 1), line)
    return "".join(lines) + text[len("".join(lines)) + len(line) :]
