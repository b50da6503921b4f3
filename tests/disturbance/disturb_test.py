# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: disturb_test.py DISTURB LIBRARY: tests/disturb over suites of a test or two."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DISTURB, LIBRARY = sys.argv[1:3]

# Fails when a call takes 5 ms or more, which a sleep causes.
IMPATIENT = """
import os, sys, time
to = os.open(os.devnull, os.O_WRONLY)
for _ in range(2000):
    begun = time.monotonic()
    os.write(to, b"x")
    if time.monotonic() - begun > 0.005:
        sys.exit("it took too long")
"""

# Fails when its child was stopped and then continued.
STOPPED = """
import os, signal, sys
child = os.fork()
if child == 0:
    while True:
        signal.pause()
os.waitpid(child, os.WUNTRACED)
os.waitid(os.P_PID, child, os.WCONTINUED)
os.kill(child, signal.SIGKILL)
sys.exit("it was stopped and continued")
"""

# Makes the same calls each time, in one thread.
STEADY = """
import os
to = os.open(os.devnull, os.O_WRONLY)
for _ in range(500):
    os.write(to, b"x")
"""

# Writes the id of its child once that is stopped, and never ends.
ENDLESS = """
import os, signal
child = os.fork()
while child == 0:
    signal.pause()
os.waitpid(child, os.WUNTRACED)
with open("stopped", "w") as to:
    to.write(f"{child}\\n")
while True:
    signal.pause()
"""

# Waits for an event, however long it takes.
PATIENT = """
import os, threading
here, there = os.pipe()
for _ in range(40):
    writer = threading.Thread(target=os.write, args=(there, b"x"))
    writer.start()
    assert os.read(here, 1) == b"x"
    writer.join()
"""


class Suite(unittest.TestCase):
    def setUp(self) -> None:
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.build = Path(made.name)

    def add(self, **tests: str) -> None:
        lines = []
        for name, text in tests.items():
            (self.build / f"{name}.py").write_text(text)
            lines.append(f"add_test({name} {sys.executable} -S {self.build}/{name}.py)\n"
                         f"set_tests_properties({name} PROPERTIES WORKING_DIRECTORY {self.build} TIMEOUT 120)\n")
        (self.build / "CTestTestfile.cmake").write_text("".join(lines))

    def command(self, *options: str) -> list[str]:
        return [DISTURB, "--build", str(self.build), "--library", LIBRARY, *options]

    def disturb(self, *options: str) -> subprocess.CompletedProcess:
        return subprocess.run(self.command(*options), capture_output=True, text=True)

    def test_a_race_with_the_clock_is_found_and_named_and_the_rest_passes(self) -> None:
        self.add(impatient=IMPATIENT, patient=PATIENT)
        told = self.disturb("--only", "sleep", "--seed", "5", "--rounds", "2")
        self.assertEqual(told.returncode, 1, told.stderr)
        self.assertTrue(told.stdout.startswith("Seed 5\n"))
        self.assertIn("| 1 | 5 | 2 | impatient |\n| 2 | 6 | 2 | impatient |", told.stdout)
        self.assertIn("--seed 5 --rounds 1", told.stdout)

    def test_what_waits_for_events_passes_under_both_disturbers(self) -> None:
        self.add(patient=PATIENT)
        told = self.disturb("--seed", "1")
        self.assertEqual(told.returncode, 0, told.stdout + told.stderr)
        self.assertIn("| 1 | 1 | 1 | none |", told.stdout)

    def test_processes_are_stopped_and_continued(self) -> None:
        self.add(stopped=STOPPED)
        told = self.disturb("--only", "stop")
        self.assertEqual(told.returncode, 1, told.stdout + told.stderr)
        self.assertIn("it was stopped and continued", self.log_of_round(told))

    def test_the_same_seed_sleeps_at_the_same_calls_and_another_one_at_others(self) -> None:
        self.add(steady=STEADY)
        first, again, other = (self.sleeps("--seed", seed) for seed in ("7", "7", "8"))
        self.assertGreater(len(first), 3)
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_who_ends_it_ends_the_suite_and_leaves_nobody_stopped(self) -> None:
        self.add(endless=ENDLESS)
        os.mkfifo(self.build / "stopped")
        with subprocess.Popen(self.command("--only", "stop"), stdout=subprocess.PIPE, text=True) as run:
            child = int((self.build / "stopped").read_text())
            run.send_signal(signal.SIGTERM)
            self.assertEqual(run.wait(timeout=60), 128 + signal.SIGTERM)
        self.assertFalse(Path(f"/proc/{child}").exists())

    def test_options_of_ctest_choose_tests(self) -> None:
        self.add(impatient=IMPATIENT, patient=PATIENT)
        told = self.disturb("--only", "sleep", "--", "-R", "^patient$")
        self.assertEqual(told.returncode, 0, told.stdout + told.stderr)

    def test_without_tests_it_says_so(self) -> None:
        told = self.disturb()
        self.assertEqual(told.returncode, 2)
        self.assertIn("There are no tests in", told.stderr)

    def log_of_round(self, told: subprocess.CompletedProcess) -> str:
        seed = told.stdout.split()[1]
        return (self.build / "Testing" / "disturb" / f"seed_{seed}.log").read_text()

    def sleeps(self, *options: str) -> list[str]:
        log = self.build / "sleeps"
        log.unlink(missing_ok=True)
        told = subprocess.run(self.command("--only", "sleep", *options), capture_output=True, text=True,
                              env=os.environ | {"DISTURBANCE_LOG": str(log)})
        self.assertEqual(told.returncode, 0, told.stdout + told.stderr)
        return log.read_text().splitlines()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
