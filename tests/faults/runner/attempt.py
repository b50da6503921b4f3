# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""One run of a case, in a process of its own: what it changes there (limits, threads, open files) ends with it."""

import json
import os
import selectors
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from support import processes
from support.checks import Broken, Missing
from support.stand import Stand

from .case import Case, check_needs


class Verdict(Enum):
    HELD = "held"
    BROKEN = "BROKEN"
    SKIPPED = "SKIPPED"


@dataclass(frozen=True)
class Outcome:
    case: Case
    verdict: Verdict
    seconds: float
    told: str

    def __str__(self) -> str:
        if self.verdict == Verdict.SKIPPED:
            return f"SKIPPED  {self.case.name}: {self.told}"
        line = f"{self.verdict.value:7}  {self.case.name}, {self.seconds:.1f} s"
        if self.verdict == Verdict.HELD:
            return line + (f": {self.told}" if self.told else "")
        told = self.told.replace("\n", "\n    ")
        return f"{line}\n    injected:  {self.case.injected}\n    must hold: {self.case.must_hold}\n    {told}"


class Attempt:
    """Runs from the beginning on."""

    def __init__(self, case: Case, program: Path, tools: Path):
        self._case = case
        self._begun = time.monotonic()
        self._pipe, theirs = os.pipe()
        sys.stdout.flush()
        runner = os.getpid()
        self._pid = os.fork()
        if self._pid != 0:
            os.close(theirs)
            return
        try:
            # Ctrl-C at a terminal is for the runner, which tells each attempt once: a second one would stop the clearing up.
            os.setpgid(0, 0)
            processes.end_with(runner, signal.SIGINT)
            os.close(self._pipe)
            verdict, told = _judge(case, program, tools)
            with os.fdopen(theirs, "w") as result:
                json.dump([verdict.value, told], result)
        except KeyboardInterrupt:
            os._exit(1)
        finally:
            os._exit(0)  # the rest is for the runner

    @staticmethod
    def wait_for_one(running: "list[Attempt]") -> "Attempt":
        """One that has ended."""
        with selectors.DefaultSelector() as ended:
            for attempt in running:
                ended.register(attempt._pipe, selectors.EVENT_READ, attempt)
            return ended.select()[0][0].data

    def outcome(self) -> Outcome:
        with os.fdopen(self._pipe) as result:
            text = result.read()
        os.waitpid(self._pid, 0)
        verdict, told = json.loads(text) if text else (Verdict.BROKEN.value, "its process ended without a word")
        return Outcome(self._case, Verdict(verdict), time.monotonic() - self._begun, told)

    def end(self) -> None:
        """As Ctrl-C does."""
        os.kill(self._pid, signal.SIGINT)
        os.waitpid(self._pid, 0)


def _judge(case: Case, program: Path, tools: Path) -> tuple[Verdict, str]:
    try:
        check_needs(case)
        with Stand(program.resolve(), tools.resolve()) as stand:
            return Verdict.HELD, case.run(stand) or ""
    except Missing as missing:
        return Verdict.SKIPPED, str(missing)
    except Broken as broken:
        return Verdict.BROKEN, str(broken)
    except Exception:  # one case must not keep the others from being run
        return Verdict.BROKEN, traceback.format_exc()
