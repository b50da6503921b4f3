# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Sends the samples of a corpus to the service itself, and sorts them by what it says."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from support.http import Answer, Connection, request

from ..answers import answers_to
from ..message import REFUSALS
from .sample import Sample

CUT_OFF = b"The connection ended within a request."


@dataclass(frozen=True)
class Outcome:
    sample: Sample
    answers: list[Answer]

    @property
    def times_taken(self) -> int:
        """How many requests the service found in it. They have no key, and are told to bring one."""
        return sum(answer.status not in REFUSALS for answer in self.answers)

    @property
    def is_cut_off(self) -> bool:
        """Whether nothing was wrong up to its end, where something was missing."""
        return self.answers != [] and CUT_OFF in self.answers[-1].body

    def __str__(self) -> str:
        return f"{self.sample.name}: {[answer.status for answer in self.answers]} to {self.sample.data[:400]!r}"


def replay(port: int, samples: Iterable[Sample]) -> list[Outcome]:
    outcomes = []
    for sample in samples:
        with Connection(port) as connection:
            pass_other = partial(request, port, "GET", "/v1/pets")
            outcomes.append(Outcome(sample, answers_to(connection, sample.data, pass_other)))
    return outcomes
