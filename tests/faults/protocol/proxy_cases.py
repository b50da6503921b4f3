# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The same messages through proxies, which understand some of them in their own way and pass them on."""

from collections import Counter

from runner.case import case
from support.checks import hold

from .front import KINDS
from .message import REFUSALS
from .mutation import mutate
from .refused import REFUSED
from .relay import Passage, Relay
from .taken import TAKEN

MUTATIONS = 1000
LARGEST_BYTES = 2000  # of what is mutated: changes in the middle of thousands of letters find nothing
INJECTED = f"every forbidden and every unusual message and {MUTATIONS:,} mutations of them, through {{}}"
MUST_HOLD = "each request that the service saw is answered to who sent it, once, and so is another client's next one"


def _pass_everything(stand, kind: str) -> str:
    smaller = [message for message in REFUSED + TAKEN if len(message.text) < LARGEST_BYTES]
    messages = TAKEN + REFUSED + mutate(smaller, MUTATIONS)
    relay = Relay(stand, KINDS[kind], "--anonymous-per-minute", "1000000")  # nobody is told to wait
    passages = relay.pass_all(messages)
    statuses = relay.check()
    for passage in passages[: len(TAKEN)]:
        _check_right(passage)
    for passage in passages[len(TAKEN) : len(TAKEN) + len(REFUSED)]:
        _check_wrong(passage)
    return f"{len(messages):,} messages; the service said {_tell(statuses)}"


def _check_right(passage: Passage) -> None:
    """It is answered, and what is behind it, unless the proxy would not have it."""
    ids = passage.ids_of_answers()
    hold(ids == list(passage.ids()[: len(ids)]), f"{passage}")


def _check_wrong(passage: Passage) -> None:
    """When a request that was hidden is answered, the proxy saw it too, and another answer follows: that to the request
    behind it, or an error."""
    ids = passage.ids_of_answers()
    if passage.id("sent") in ids:
        is_error = passage.answers[-1].status in REFUSALS
        hold(is_error or ids[-1] in passage.ids(), f"{passage}, the last one in place of another")


def _tell(statuses: Counter[int]) -> str:
    return ", ".join(f"{count:,} times {status}" for status, count in sorted(statuses.items()))


@case(injected=INJECTED.format("HAProxy"), must_hold=MUST_HOLD, needs=("haproxy",))
def through_haproxy(stand) -> str:
    return _pass_everything(stand, "haproxy")


@case(
    injected=INJECTED.format("an HAProxy that is told to accept invalid requests"),
    must_hold=MUST_HOLD,
    needs=("haproxy",),
)
def through_lenient_haproxy(stand) -> str:
    return _pass_everything(stand, "haproxy-lenient")


@case(injected=INJECTED.format("nginx"), must_hold=MUST_HOLD, needs=("nginx",))
def through_nginx(stand) -> str:
    return _pass_everything(stand, "nginx")


@case(
    injected=INJECTED.format("an nginx that keeps invalid fields and passes bodies on as they come"),
    must_hold=MUST_HOLD,
    needs=("nginx",),
)
def through_lenient_nginx(stand) -> str:
    return _pass_everything(stand, "nginx-lenient")
