# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Runs the cases, or lists them. Called by tests/faults/run, which installs and builds first."""

import argparse
import fnmatch
import importlib
import signal
import sys
import tempfile
import time
from pathlib import Path

from support import postgresql

from .attempt import Attempt, Outcome, Verdict
from .case import CASES, Case

FAULTS = Path(__file__).resolve().parent.parent

# Most cases wait most of their time, so several of them run at once.
PARALLEL = 5

# The cases judge a program beside which the machine does whatever else it does. One that breaks is tried again, and
# said to be shaky when it holds then; more of these than so many are no accident.
SHAKY_MAX = 2


def main() -> int:
    # Who runs this in the background of a script has it ignored, and so would every program that is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    options = _parse_options()
    for module in sorted(FAULTS.glob("*/*_cases.py")):
        importlib.import_module(f"{module.parent.name}.{module.stem}")
    chosen = [one for one in CASES if _is_named(one, options.case) and not (options.rootless and "root" in one.needs)]
    if not chosen:
        print("There is no such case; --list names them.", file=sys.stderr)
        return 2
    if options.list:
        for one in chosen:
            print(f"{one.name}\n    injected:  {one.injected}\n    must hold: {one.must_hold}")
        return 0
    with tempfile.TemporaryDirectory(prefix="petstore-faults-", ignore_cleanup_errors=True) as templates:
        postgresql.keep_template(Path(templates))
        return _judge(chosen, options)


def _judge(chosen: list[Case], options: argparse.Namespace) -> int:
    begun = time.monotonic()
    outcomes = _run([one for one in chosen if not one.is_alone], options.parallel, options)
    outcomes += _run([one for one in chosen if one.is_alone], 1, options)
    doubtful = [outcome.case for outcome in outcomes if outcome.verdict == Verdict.BROKEN]
    again = _run(doubtful, 1, options)
    broken = [outcome.case for outcome in again if outcome.verdict == Verdict.BROKEN]
    shaky = [one for one in doubtful if one not in broken]
    _print_times(outcomes + again)
    print(
        f"{len(chosen)} cases in {time.monotonic() - begun:.0f} s,"
        f" {sum(outcome.verdict == Verdict.SKIPPED for outcome in outcomes)} skipped,"
        f" {_named(broken)} broken, {_named(shaky)} shaky"
    )
    return 1 if broken or len(shaky) > SHAKY_MAX else 0


def _run(cases: list[Case], parallel: int, options: argparse.Namespace) -> list[Outcome]:
    """At most `parallel` at a time."""
    waiting = list(cases)
    running: list[Attempt] = []
    outcomes: list[Outcome] = []
    try:
        while waiting or running:
            while waiting and len(running) < parallel:
                running.append(Attempt(waiting.pop(0), options.program, options.tools))
            ended = Attempt.wait_for_one(running)
            running.remove(ended)
            outcome = ended.outcome()
            print(outcome, flush=True)
            outcomes.append(outcome)
    finally:
        for attempt in running:  # Ctrl-C came
            attempt.end()
    return outcomes


def _print_times(outcomes: list[Outcome]) -> None:
    print("\nTime of each case, the longest first:")
    for outcome in sorted(outcomes, key=lambda one: one.seconds, reverse=True):
        print(f"{outcome.seconds:6.1f} s  {outcome.verdict.value:7}  {outcome.case.name}")


def _named(cases: list[Case]) -> str:
    return " ".join([str(len(cases)), *(one.name for one in cases)])


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests/faults/run", description=__doc__)
    parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--tools", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--list", action="store_true", help="says what each case injects and what must hold")
    parser.add_argument("--rootless", action="store_true", help="leaves out the cases that need root")
    parser.add_argument(
        "--parallel", type=_at_least_one, default=PARALLEL, metavar="N",
        help="how many cases run at once, but for those that measure the whole machine (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("case", nargs="*", metavar="CASE", help="area, area/name, or a pattern; all unless given")
    return parser.parse_args()


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number from 1 on")
    return int(text)


def _is_named(one: Case, patterns: list[str]) -> bool:
    return not patterns or any(
        one.name.startswith(f"{pattern}/") or fnmatch.fnmatch(one.name, pattern) for pattern in patterns
    )


if __name__ == "__main__":
    sys.exit(main())
