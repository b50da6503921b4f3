# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What clients were told. Each note says when its answer was there, by a count that the test chooses (the time, or how
much a recorder had written): what was noted by then has to outlast a power cut after then."""

import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Animal:
    at: int
    id: int
    name: str
    removed_at: int | None = None


@dataclass
class Step:
    """An order has this status, or one that follows it."""

    at: int
    order: int
    pet: int
    status: str


@dataclass
class Key:
    at: int
    id: str
    secret: str
    revoked_at: int | None = None


@dataclass
class Creation:
    """What was sent under an Idempotency-Key, and the answer that a repetition has to get again."""

    at: int
    path: str
    key: str
    body: bytes
    answer: bytes


@dataclass
class Acknowledged:
    now: Callable[[], int]
    animals: dict[int, Animal] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    creations: list[Creation] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)  # each one is a token that the first key was charged
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self) -> int:
        return len(self.animals) + len(self.steps) + len(self.keys) + len(self.creations)

    def note_answer(self) -> None:
        at = self.now()
        with self._lock:
            self.answers.append(at)

    def note_animal(self, id: int, name: str) -> None:
        at = self.now()
        with self._lock:
            self.animals[id] = Animal(at, id, name)

    def note_removal(self, id: int) -> None:
        at = self.now()
        with self._lock:
            self.animals[id].removed_at = at

    def note_step(self, order: int, pet: int, status: str) -> None:
        at = self.now()
        with self._lock:
            self.steps.append(Step(at, order, pet, status))

    def note_key(self, id: str, secret: str) -> Key:
        key = Key(self.now(), id, secret)
        with self._lock:
            self.keys.append(key)
        return key

    def note_revocation(self, key: Key) -> None:
        key.revoked_at = self.now()

    def note_creation(self, path: str, key: str, body: bytes, answer: bytes) -> None:
        at = self.now()
        with self._lock:
            self.creations.append(Creation(at, path, key, body, answer))

    def lines(self) -> str:
        """For the replayer: `when kind …`, separated by tabs."""
        out = [f"{at}\tanswer" for at in self.answers]
        for animal in self.animals.values():
            out.append(f"{animal.at}\tanimal\t{animal.id}\t{animal.name}")
            if animal.removed_at is not None:
                out.append(f"{animal.removed_at}\tremoval\t{animal.id}")
        out += [f"{step.at}\tstep\t{step.order}\t{step.pet}\t{step.status}" for step in self.steps]
        for key in self.keys:
            digest = hashlib.sha256(key.secret.encode()).hexdigest()
            out.append(f"{key.at}\tkey\t{digest}")
            if key.revoked_at is not None:
                out.append(f"{key.revoked_at}\trevocation\t{digest}")
        for creation in self.creations:
            digest = hashlib.sha256(creation.body).hexdigest()
            kind = "order" if creation.path.endswith("/orders") else "pet"
            out.append(f"{creation.at}\tcreation\t{kind}\t{creation.key}\t{digest}\t{creation.answer.decode()}")
        return "".join(line + "\n" for line in out)
