# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""How the programs of bench/ end: known faults are one sentence, and nothing is left behind."""

import contextlib
import io
import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

from comparison.builds import find_built, find_services
from comparison.processes import ServerFault
from comparison.running import run
from store.shop import Programs


def end_of(main) -> tuple[int | str | None, str]:
    """The exit code of a program, and what it has said of its end."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            run(main)
        except SystemExit as ended:
            return ended.code, said.getvalue()


def failing(fault: Exception):
    def main() -> None:
        raise fault

    return main


class Running(unittest.TestCase):
    def setUp(self) -> None:
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))
        self._directory = tempfile.TemporaryDirectory()
        self.addCleanup(self._directory.cleanup)
        self.directory = Path(self._directory.name)

    def test_what_a_program_returns_is_its_exit_code(self):
        self.assertEqual(end_of(lambda: None), (None, ""))
        self.assertEqual(end_of(lambda: 1), (1, ""))

    def test_a_fault_of_a_server_is_one_sentence(self):
        self.assertEqual(end_of(failing(ServerFault("It did not start."))), (1, "It did not start.\n"))

    def test_what_is_not_built_is_named_with_its_target(self):
        for look in (
            lambda: find_built(self.directory / "libslow_sync.so", "slow_sync"),
            lambda: Programs(self.directory, "slow_sync"),
        ):
            code, said = end_of(look)
            self.assertEqual(code, 1)
            self.assertRegex(said, r"^.*/libslow_sync\.so is missing: build the target slow_sync\.\n$")

    def test_a_program_that_is_not_installed_is_one_sentence(self):
        self.assertEqual(
            end_of(lambda: subprocess.run(["no-such-program-anywhere"])), (1, "no-such-program-anywhere is not installed.\n")
        )

    def test_a_directory_that_is_not_there_is_one_sentence(self):
        nowhere = self.directory / "nowhere"
        code, said = end_of(lambda: tempfile.TemporaryDirectory(dir=nowhere))
        self.assertEqual(code, 1)
        self.assertRegex(said, r"^.*/nowhere.*: No such file or directory\.\n$")

    def test_a_command_that_fails_is_told_in_its_own_words(self):
        command = ["sh", "-c", "echo no such curve >&2; exit 3"]
        self.assertEqual(
            end_of(lambda: subprocess.run(command, check=True, capture_output=True)), (1, "sh failed. no such curve\n")
        )

    def test_any_other_error_keeps_its_traceback(self):
        with self.assertRaises(ZeroDivisionError):
            end_of(lambda: 1 // 0)

    def test_a_signal_ends_what_was_begun(self):
        ended = []

        def main() -> None:
            with contextlib.ExitStack() as stack:
                stack.callback(ended.append, "all of it")
                os.kill(os.getpid(), signal.SIGTERM)
                signal.pause()

        self.assertEqual(end_of(main), (128 + signal.SIGTERM, ""))
        self.assertEqual(ended, ["all of it"])

    def test_builds_are_named_by_their_paths(self):
        paths = [self.directory / name for name in ("one", "other")]
        for path in paths:
            path.touch()
        self.assertEqual(find_services(paths), {"this": paths[0].resolve(), str(paths[1]): paths[1].resolve()})


if __name__ == "__main__":
    unittest.main()
