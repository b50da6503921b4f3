# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Sends bytes through a proxy, and finds out whether the proxy and the service saw the same requests in them.

Every answer of the service carries the id under which the request is in its access log. So a request that the proxy did
not see is one whose id nobody received, and an answer that went astray is one with another's id."""

import re
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol

from support.checks import Broken, hold
from support.http import Answer, Connection

from .answers import answers_to, is_headless_json
from .front import Kind, start_front
from .message import REX, Message, get, post
from .witness import Witness

UNFINISHED_SECONDS = 1  # how long the proxy waits for the rest of what ends too early
LAST_ID = "the-last"
LIST = Message("a list", get(), 200)
ADDITION = Message("an addition", post(f"Content-Length: {len(REX)}", body=REX), 201)
OWN_ID = re.compile(r"(sent|after|meanwhile|other)-\d{6}")


class Sendable(Protocol):
    name: str

    def encode(self, key: str, request_id: str, /) -> bytes: ...


@dataclass
class Passage:
    """A message on a connection of its own, and the answers there."""

    number: int
    message: Sendable
    answers: list[Answer] = field(default_factory=list)
    meanwhile: int = 0  # how many requests of another client were answered before it ended

    def id(self, role: str) -> str:
        return f"{role}-{self.number:06}"

    def ids(self) -> tuple[str, str]:
        """Of what is sent on the connection, in that order."""
        return self.id("sent"), self.id("after")

    def ids_of_answers(self) -> list[str]:
        """Of those that the proxy did not make."""
        return [request_id for answer in self.answers if (request_id := _id_of(answer))]

    def __str__(self) -> str:
        return f"{self.message.name}: answered {[(answer.status, _id_of(answer)) for answer in self.answers]}"


class Relay:
    """A service with one thread, so that all of the proxy's connections share everything, and a proxy before it."""

    def __init__(self, stand, kind: Kind, *flags: str):
        self._access_log = stand.directory / "access.log"
        server, self.key = stand.serve_with_key("--threads", "1", "--access-log", str(self._access_log), *flags)
        self.port = start_front(stand, kind, server.port, UNFINISHED_SECONDS)
        self._passages: list[Passage] = []

    def pass_all(self, messages: Sequence[Sendable], at_once: int = 1) -> list[Passage]:
        """Each with a good request behind it and another client's right after it."""
        self._passages = [Passage(number, message) for number, message in enumerate(messages)]
        with ThreadPoolExecutor(at_once) as pool:
            list(pool.map(self._pass_one, self._passages))
        self._pass_other(LAST_ID)
        return self._passages

    def check(self) -> Counter[int]:
        """Raises Broken unless each request that the service saw was answered to the one who sent it, once. What the
        service said, by status."""
        witness = Witness(self._access_log, LAST_ID)
        answered = Counter([LAST_ID])
        headless = 0
        for passage in self._passages:
            meanwhile = [passage.id("meanwhile")] * passage.meanwhile
            answered.update([*passage.ids_of_answers(), *meanwhile, passage.id("other")])
            headless += sum(map(is_headless_json, passage.answers))
        unanswered = witness.requests() - answered
        hold(unanswered.total() <= headless, f"seen by the service, but not by the proxy: {unanswered}")
        return witness.statuses()

    def _pass_one(self, passage: Passage) -> None:
        after = Message("after", get("Connection: close"), 200).encode(self.key, passage.id("after"))
        with Connection(self.port) as connection:
            sent = passage.message.encode(self.key, passage.id("sent"))
            try:
                # A write is answered behind all writes that came before it, as everything has one thread.
                passage.answers = answers_to(connection, sent + after, lambda: self._pass_meanwhile(passage))
            except TimeoutError:
                raise Broken(f"{passage}, and then nothing, not even an end") from None
        foreign = [one for one in passage.ids_of_answers() if OWN_ID.fullmatch(one) and one not in passage.ids()]
        hold(foreign == [], f"{passage}, and {foreign} belong to others")
        self._pass_other(passage.id("other"))

    def _pass_meanwhile(self, passage: Passage) -> None:
        passage.meanwhile += 1
        self._pass_other(passage.id("meanwhile"), ADDITION)

    def _pass_other(self, request_id: str, message: Message = LIST) -> None:
        with Connection(self.port) as connection:
            connection.send(message.encode(self.key, request_id))
            answer = connection.answer()
            is_own = answer.status == message.status and _id_of(answer) == request_id
            hold(is_own, f"{request_id} got {answer.status}, meant for {_id_of(answer)}")


def _id_of(answer: Answer) -> str:
    """Empty when the proxy made the answer."""
    return answer.fields.get("x-request-id", "")
