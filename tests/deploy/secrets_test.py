#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What deploy/compose/make-secrets does with its arguments. What it makes, compose.test.ts holds against compose.yaml."""

import sys
import tempfile
import unittest
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tests"))

from support.processes import run  # noqa: E402

PROGRAM = CHECKOUT / "deploy/compose/make-secrets"
FILES = ["postgres_password", "quota", "store", "valkey_password"]


class MakeSecrets(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def call(self, *arguments: str, code: int = 0):
        return run(PROGRAM, *arguments, code=code, cwd=self.folder)

    def made(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())

    def test_help_is_printed_and_nothing_is_made(self) -> None:
        for option in ("--help", "-h"):
            self.assertTrue(self.call(option).stdout.startswith("Usage: deploy/compose/make-secrets [DIRECTORY]\n"))
        self.assertEqual(self.made(), [])

    def test_option_that_is_unknown_is_refused(self) -> None:
        for option in ("--force", "-f", "--help=yes"):
            self.assertTrue(self.call(option, code=2).stderr.startswith(f"make-secrets has no option {option}.\n"))
        self.assertEqual(self.made(), [])

    def test_second_directory_is_refused(self) -> None:
        self.assertTrue(self.call("one", "two", code=2).stderr.startswith("make-secrets makes one directory, not 2.\n"))
        self.assertEqual(self.made(), [])

    def test_directory_is_made(self) -> None:
        self.call("secrets")
        self.assertEqual(sorted(path.name for path in (self.folder / "secrets").iterdir()), FILES)
        self.assertEqual(self.made(), ["secrets"])

    def test_directory_may_begin_with_a_hyphen(self) -> None:
        self.call("--", "-secrets")
        self.assertEqual(self.made(), ["-secrets"])


if __name__ == "__main__":
    unittest.main()
