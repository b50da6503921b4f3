#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""deploy/supervise.sh, with stand-ins for the processes of a cluster."""

import os
import signal
import sys
import tempfile
import unittest
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tests"))

from support.checks import wait_until  # noqa: E402
from support.processes import Child, run  # noqa: E402

# A process is ready when the test says so.
SCRIPT = f"""
set -euo pipefail
source "{CHECKOUT}/deploy/prepare.sh"
data=.
source "{CHECKOUT}/deploy/supervise.sh"
launch() {{ start "$1" TERM "./$1"; }}
is_ready() {{ [[ -e $1.ready ]]; }}
"""
SUPERVISE = """
stop() {
  code=$?
  ask one TERM
  ask two TERM
  finish one 60 KILL
  finish two 60 KILL
  say 'All have ended.'
  exit "$code"
}
trap stop EXIT
trap ask_to_stop INT TERM
bring_up one
say 'one is up.'
bring_up two
say 'two is up.'
while true; do pause; done
"""

# Each says who it is, and then ends when it is told to.
ENDS_WHEN_ASKED = 'echo $$ >"$0.pid"\nexec tail -f /dev/null'
# Opening the pipe waits for the test to write into it.
ENDS_WHEN_WRITTEN_TO = 'echo $$ >"$0.pid"\nread -r code <"$0.pipe"\necho "The disk is gone."\nexit "$code"'


class Case(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        for name in ("one", "two"):
            self.stand_in(name, ENDS_WHEN_ASKED)
            self.make_ready(name)

    def stand_in(self, name: str, script: str) -> None:
        unfinished = self.folder / f"{name}.new"
        unfinished.write_text(f"#!/bin/sh\n{script}\n")
        unfinished.chmod(0o755)
        unfinished.rename(self.folder / name)

    def make_ready(self, name: str) -> None:
        (self.folder / f"{name}.ready").touch()

    def make_unready(self, name: str) -> None:
        (self.folder / f"{name}.ready").unlink()

    def process(self, name: str, but: int = 0) -> int:
        """The id of the one that runs, once it is another one than that."""

        def read() -> int:
            try:
                return int((self.folder / f"{name}.pid").read_text())
            except (OSError, ValueError):  # not yet, or half of it
                return but

        wait_until(lambda: read() != but, f"{name} is not started", self.child)
        return read()

    def supervise(self, script: str = SUPERVISE) -> None:
        self.child = Child(["bash", "-c", SCRIPT + script], self.folder, dict(os.environ))
        self.addCleanup(self.child.close)

    def hear(self, line: str) -> None:
        """Waits for a line that is exactly this."""
        self.assertEqual(self.child.wait_for_line(line), "")

    def told(self, script: str) -> list[str]:
        return run("bash", "-c", SCRIPT + script, cwd=self.folder).stdout.splitlines()


class Supervision(Case):
    def test_process_that_a_signal_ends_is_started_again(self) -> None:
        self.supervise()
        self.hear("two is up.")
        first = self.process("one")
        os.kill(first, signal.SIGKILL)
        self.hear("one was ended by SIGKILL. Starting it again.")
        self.hear("one is back.")
        self.assertNotEqual(self.process("one", but=first), first)

    def test_exit_code_is_told_with_the_last_words(self) -> None:
        os.mkfifo(self.folder / "two.pipe")
        self.stand_in("two", ENDS_WHEN_WRITTEN_TO)
        self.supervise()
        self.hear("two is up.")
        (self.folder / "two.pipe").write_text("3\n")
        self.hear("two ended with exit code 3. Starting it again.")
        self.hear("The end of ./two.log:")
        self.hear("  The disk is gone.")
        self.hear("two is back.")

    def test_process_that_is_not_ready_again_is_not_said_to_be_back(self) -> None:
        self.supervise()
        self.hear("two is up.")
        first = self.process("one")
        self.make_unready("one")
        os.kill(first, signal.SIGKILL)
        second = self.process("one", but=first)
        os.kill(second, signal.SIGKILL)
        self.hear("one was ended by SIGKILL. Starting it again.")
        self.assertRegex(self.child.wait_for_line("one "), r"^was ended by SIGKILL \d+ s after its start\. .* in 1 s\.$")
        self.process("one", but=second)
        self.make_ready("one")
        self.hear("one is back.")

    def test_process_that_ends_while_another_is_starting_is_started_again(self) -> None:
        self.make_unready("two")
        self.supervise()
        self.hear("one is up.")
        os.kill(self.process("one"), signal.SIGKILL)
        self.hear("one was ended by SIGKILL. Starting it again.")
        self.hear("one is back.")
        self.make_ready("two")
        self.hear("two is up.")

    def test_process_that_a_signal_ends_while_it_starts_is_started_again(self) -> None:
        self.make_unready("two")
        self.supervise()
        self.hear("one is up.")
        os.kill(self.process("two"), signal.SIGKILL)
        self.hear("two was ended by SIGKILL while it started. Starting it again.")
        self.make_ready("two")
        self.hear("two is up.")


class Starts(Case):
    def test_exit_code_before_it_is_ready_ends_the_run(self) -> None:
        self.make_unready("two")
        self.stand_in("two", "echo 'This is not a port.'\nexit 2")
        self.supervise()
        self.assertEqual(self.child.wait(), 1)
        self.assertEqual(
            self.child.errors().splitlines(),
            ["This is not a port.", "two did not start: it ended with exit code 2 (the end of ./two.log is above)."],
        )

    def test_others_are_ended_when_one_does_not_start(self) -> None:
        self.make_unready("two")
        self.stand_in("two", "exit 2")
        self.supervise()
        self.hear("All have ended.")
        self.assertEqual(self.child.wait(), 1)

    def test_process_that_is_never_ready_ends_the_run(self) -> None:
        self.make_unready("one")
        # A minute passes with every look.
        self.supervise('nap() { sleep "$1"; SECONDS=$((SECONDS + 60)); }' + SUPERVISE)
        self.assertEqual(self.child.wait(), 1)
        self.assertIn("one did not start: it was not ready within 60 s", self.child.errors())

    def test_sigterm_while_one_starts_ends_all(self) -> None:
        self.make_unready("two")
        self.supervise()
        self.hear("one is up.")
        processes = [self.process("one"), self.process("two")]
        self.assertEqual(self.child.stop(), 0)
        for process in processes:
            self.assertFalse(Path(f"/proc/{process}").exists())

    def test_sigterm_ends_the_wait_for_a_start(self) -> None:
        self.supervise(SUPERVISE.replace("say 'two is up.'", "failures[one]=6; say 'two is up.'"))
        self.hear("two is up.")
        os.kill(self.process("one"), signal.SIGKILL)
        self.assertRegex(self.child.wait_for_line("one "), r"again in 30 s\.$")
        self.assertEqual(self.child.stop(), 0)


class Pauses(Case):
    ONE_END = "is_killed=yes ended='was ended by SIGKILL'; plan_start one;"

    def test_start_comes_later_each_time_up_to_half_a_minute(self) -> None:
        told = self.told(f"failures[one]=0 lasted=9; for n in 1 2 3 4 5 6 7 8; do {self.ONE_END} done")
        self.assertEqual(told[0], "one was ended by SIGKILL. Starting it again.")
        self.assertEqual(
            told[1:],
            [
                f"one was ended by SIGKILL 9 s after its start. Starting it again in {seconds} s."
                for seconds in (1, 2, 4, 8, 16, 30, 30)
            ],
        )

    def test_start_comes_at_once_after_a_while_that_went_well(self) -> None:
        told = self.told(f"failures[one]=5 lasted=10; {self.ONE_END}")
        self.assertEqual(told, ["one was ended by SIGKILL. Starting it again."])


if __name__ == "__main__":
    unittest.main()
