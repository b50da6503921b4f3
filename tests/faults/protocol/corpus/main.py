# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Replays what others collected against HTTP and JSON parsers, to the service itself and through proxies.

Each corpus is a directory with a checkout of its project; nothing of them is kept here. The configurations of
defparam/smuggler are programs, and are run. Ends with 1 when something is taken that must be refused, or the other way
round, or when a proxy and the service see different requests."""

import argparse
import sys
from pathlib import Path

from support.checks import Broken, Missing, find_program
from support.stand import Stand

from ..front import KINDS
from ..relay import Relay
from . import garden, json_suite, llhttp, smuggler
from .replay import Outcome, replay
from .sample import Sample, complete

READERS = {"llhttp": llhttp.read, "http_garden": garden.read, "smuggler": smuggler.read}
# The rest of that garden is about what others do with right requests.
TAKEN_MAX = {"http_garden": 7}

DIRECT = "direct"
# Whoever sends no key is asked for one, which shows that the request was taken; nobody is told to wait.
FLAGS = ("--anonymous-per-minute", "1000000", "--body-limit", "1048576")
AT_ONCE = 8


def main() -> int:
    options = _parse_options()
    corpora = {name: read(getattr(options, name)) for name, read in READERS.items() if getattr(options, name)}
    texts = json_suite.read(options.json_test_suite) if options.json_test_suite else {}
    is_right = True
    for way in options.through or [DIRECT, *KINDS]:
        try:
            if way != DIRECT:
                find_program(KINDS[way].program)
        except Missing as missing:
            print(f"SKIPPED  {way}: {missing}")
            continue
        for name, samples in corpora.items():
            completed = [other for one in samples if (other := complete(one)).data != one.data]
            with Stand(options.program.resolve(), Path()) as stand:
                if way == DIRECT:
                    is_right &= _run_direct(stand, name, samples + completed)
                else:
                    is_right &= _run_through(stand, name, samples + completed, way)
        if texts:
            with Stand(options.program.resolve(), Path()) as stand:
                is_right &= _run_texts(stand, texts, way)
    return 0 if is_right else 1


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="tests/faults/protocol/corpora",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--program", type=Path, default=Path("build/release/petstore"), help="default: %(default)s")
    parser.add_argument("--llhttp", type=Path, metavar="DIR", help="nodejs/llhttp: the tests of requests")
    parser.add_argument("--http-garden", type=Path, metavar="DIR", help="narfindustries/http-garden: the payloads")
    parser.add_argument("--smuggler", type=Path, metavar="DIR", help="defparam/smuggler: all configurations")
    parser.add_argument("--json-test-suite", type=Path, metavar="DIR", help="nst/JSONTestSuite: the texts to parse")
    parser.add_argument("--through", action="append", choices=[DIRECT, *KINDS], help="may be repeated; default: all")
    return parser.parse_args()


def _run_direct(stand: Stand, name: str, samples: list[Sample]) -> bool:
    stand.make_key("lmdb:shop")
    server = stand.serve("lmdb:shop", "--access-log", "off", *FLAGS)
    outcomes = replay(server.port, samples)
    server.stop()
    bad = [one for one in outcomes if one.sample.must_be_refused]
    taken = [one for one in bad if one.times_taken > 0]
    unexcused = [one for one in taken if not one.sample.excuse]
    taken_max = TAKEN_MAX.get(name, 0)
    twice = [one for one in bad if one.times_taken > one.sample.requests_max]
    right = [one for one in outcomes if not one.sample.must_be_refused]
    print(
        f"{name}, direct: of {len(bad)} bad samples {len(taken)} taken, {len(unexcused)} of them without an excuse"
        f" (at most {taken_max}); of {len(right)} others {sum(one.times_taken > 0 for one in right)} taken",
        flush=True,
    )
    _tell("taken", taken)
    _tell("refused only because it ends too early", [one for one in bad if one.is_cut_off])
    _tell("WRONG: answered more often than it has requests", twice)
    if len(unexcused) > taken_max:
        print("    WRONG: more are taken than may be")
    return not twice and len(unexcused) <= taken_max


def _tell(what: str, outcomes: list[Outcome]) -> None:
    for one in outcomes:
        print(f"    {what}: {one}{f': {one.sample.excuse}' if one.sample.excuse else ''}")


def _run_through(stand: Stand, name: str, samples: list[Sample], way: str) -> bool:
    try:
        relay = Relay(stand, KINDS[way], *FLAGS)
        relay.pass_all(samples, AT_ONCE)
        told = ", ".join(f"{count} times {status}" for status, count in sorted(relay.check().items()))
    except Broken as broken:
        print(f"{name}, {way}: WRONG: {broken}", flush=True)
        return False
    print(f"{name}, {way}: {len(samples)} samples, the same seen on both sides; the service said {told}", flush=True)
    return True


def _run_texts(stand: Stand, texts: dict[str, bytes], way: str) -> bool:
    if way == DIRECT:
        key = stand.make_key("lmdb:shop")
        port = stand.serve("lmdb:shop", "--access-log", "off", *FLAGS).port
    else:
        relay = Relay(stand, KINDS[way], *FLAGS)
        key, port = relay.key, relay.port
    findings = json_suite.post_all(port, key, texts)
    told = ", ".join(f"{how} {count} times" for how, count in sorted(findings.counts.items()))
    print(f"json_test_suite, {way}: {len(texts)} texts; {told}", flush=True)
    for one in findings.wrong:
        print(f"    WRONG: {one}")
    return not findings.wrong


if __name__ == "__main__":
    sys.exit(main())
