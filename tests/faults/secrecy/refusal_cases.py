# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Wrong keys of every kind: whoever holds one learns nothing about it but that it is wrong."""

import re
import time

from runner.case import case
from support.checks import hold, wait_until
from support.http import Connection

from .canary import DIGITS, KEY_SIZE, PREFIX_SIZE, checksum_of

STORE = "lmdb:shop"
NO_LIMITS = ("--anonymous-per-minute", "1000000", "--ban-strikes", "0")
ROUNDS = 300
TRIES = 3
# What is left out by design, the look-up of a malformed key, is microseconds of a request; more would be a way to ask
# from afar whether a key exists.
RATIO_MAX = 1.5


def _other_digit(digit: str) -> str:
    return DIGITS[(DIGITS.index(digit) + 1) % len(DIGITS)]


def _wrong_keys(stand) -> dict[str, str]:
    good = stand.make_key(STORE)
    body = good[: KEY_SIZE - 6]
    unknown = body[:-1] + _other_digit(body[-1])
    staging = "ps_test_" + body[PREFIX_SIZE:]
    return {
        "unknown": unknown + checksum_of(unknown),
        "revoked": stand.make_key(STORE),
        "expired": stand.make_key(STORE, "--plan", "free", "--expires", "1s"),
        "with a typo": good[:20] + _other_digit(good[20]) + good[21:],
        "with a wrong checksum": good[:-1] + _other_digit(good[-1]),
        "of the other environment": staging + checksum_of(staging),
        "too short": good[:-1],
        "too long": good + "0",
        "without its prefix": good[PREFIX_SIZE:],
        "of somebody else": "sk-0123456789",
        "of strange characters": "a.b-c_d~e+f/g==",
    }


@case(
    injected="keys that are unknown, revoked, expired, mistyped, cut, of the other environment, of somebody else",
    must_hold="all get the same 401, byte for byte but for the time, the request id and the quota, and in a time that "
    "tells nothing",
    alone=True,
)
def wrong_keys_look_alike(stand) -> str:
    keys = _wrong_keys(stand)
    server = stand.serve(STORE, *NO_LIMITS)
    known = stand.run("keys", "list", "--store", STORE).splitlines()
    revoked = next(line.split()[0] for line in known if keys["revoked"][-4:] in line)
    stand.run("keys", "revoke", "--store", STORE, revoked)
    for kind in ("revoked", "expired"):
        wait_until(
            lambda: server.request("GET", "/v1/pets", keys[kind]).status == 401, f"the {kind} key goes on working"
        )
    answers = {kind: _answer(server.port, key) for kind, key in keys.items()}
    hold(answers["unknown"].startswith(b"HTTP/1.1 401 "), f"an unknown key is answered {answers['unknown']!r}")
    for kind, answer in answers.items():
        other = answers["unknown"]
        hold(answer == other, f"a key {kind} is answered\n{answer!r}, an unknown one\n{other!r}")
    for _ in range(TRIES):
        are_alike, told = _compare_times(server.port, keys)
        if are_alike:
            return told
    hold(False, told)


def _answer(port: int, key: str) -> bytes:
    """All bytes of an answer, without those that are different each time."""
    with Connection(port) as connection:
        connection.send(
            f"GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\nConnection: close\r\n\r\n".encode()
        )
        answer = connection.read_to_end()
    for name in (b"Date", b"X-Request-Id", b"X-RateLimit-Remaining", b"X-RateLimit-Reset", b"RateLimit"):
        answer = re.sub(rb"\r\n" + name + rb": [^\r]*", rb"\r\n" + name + rb": *", answer)
    return answer


def _compare_times(port: int, keys: dict[str, str]) -> tuple[bool, str]:
    """In turns, so that whatever else the machine does is spread over all of them."""
    spent: dict[str, list[float]] = {kind: [] for kind in keys}
    with Connection(port) as connection:
        for _ in range(ROUNDS):
            for kind, key in keys.items():
                begun = time.perf_counter()
                connection.request("GET", "/v1/pets", key)
                spent[kind].append(time.perf_counter() - begun)
    # What the quickest take is the program's time, the rest is the machine's.
    quick = {kind: sorted(times)[ROUNDS // 20] * 1e6 for kind, times in spent.items()}
    slowest, fastest = max(quick, key=quick.get), min(quick, key=quick.get)
    told = f"the quickest of {ROUNDS} take {quick[fastest]:.0f} us ({fastest}) to {quick[slowest]:.0f} us ({slowest})"
    return quick[slowest] <= RATIO_MAX * quick[fastest], told
