# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Runs the cases, or lists them. Called by tests/faults/run, which installs and builds first."""

import argparse
import fnmatch
import importlib
import signal
import sys
import time
import traceback
from pathlib import Path

from .case import CASES, Broken, Case, Missing, check_needs
from .stand import Stand

FAULTS = Path(__file__).resolve().parent.parent

# The cases judge a program beside which the machine does whatever else it does. One that breaks is tried again, and
# said to be shaky when it holds then; more of these than so many are no accident.
SHAKY_MAX = 2


def main() -> int:
    # Who runs this in the background of a script has it ignored, and so would every program that is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    options = _parse_options()
    for module in sorted(FAULTS.glob("*/*_cases.py")):
        importlib.import_module(f"{module.parent.name}.{module.stem}")
    chosen = [one for one in CASES if _is_named(one, options.case)]
    if not chosen:
        print("There is no such case; --list names them.", file=sys.stderr)
        return 2
    if options.list:
        for one in chosen:
            print(f"{one.name}\n    injected:  {one.injected}\n    must hold: {one.must_hold}")
        return 0
    doubtful = [one for one in chosen if not _holds(one, options)]
    broken = [one for one in doubtful if not _holds(one, options)]
    shaky = [one for one in doubtful if one not in broken]
    print(f"{len(chosen)} cases, {_named(broken)} broken, {_named(shaky)} shaky")
    return 1 if broken or len(shaky) > SHAKY_MAX else 0


def _named(cases: list[Case]) -> str:
    return " ".join([str(len(cases)), *(one.name for one in cases)])


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests/faults/run", description=__doc__)
    parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--tools", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--list", action="store_true", help="says what each case injects and what must hold")
    parser.add_argument("case", nargs="*", metavar="CASE", help="area, area/name, or a pattern; all unless given")
    return parser.parse_args()


def _is_named(one: Case, patterns: list[str]) -> bool:
    return not patterns or any(
        one.name.startswith(f"{pattern}/") or fnmatch.fnmatch(one.name, pattern) for pattern in patterns
    )


def _holds(one: Case, options: argparse.Namespace) -> bool:
    begun = time.monotonic()
    try:
        check_needs(one)
        with Stand(options.program.resolve(), options.tools.resolve()) as stand:
            told = one.run(stand)
    except Missing as missing:
        print(f"SKIPPED  {one.name}: {missing}", flush=True)
        return True
    except Exception as fault:  # one case must not keep the others from being run
        lasted = time.monotonic() - begun
        print(f"BROKEN   {one.name}, {lasted:.1f} s\n    injected:  {one.injected}\n    must hold: {one.must_hold}")
        detail = str(fault) if isinstance(fault, Broken) else traceback.format_exc()
        print("    " + detail.replace("\n", "\n    "), flush=True)
        return False
    print(f"held     {one.name}, {time.monotonic() - begun:.1f} s{f': {told}' if told else ''}", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
