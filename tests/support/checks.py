# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What must hold, and waiting until it does."""

import os
import shutil
import time
from pathlib import Path

# How long anything may take that a test waits for. It ends a hang; no test is about it. The factor is for machines and
# tools that slow the program down.
TIME_LIMIT_SECONDS = 60 * float(os.environ.get("PETSTORE_TEST_TIME_FACTOR", "1"))
POLL_SECONDS = 0.02


class Broken(Exception):
    """What had to hold did not."""


class Missing(Exception):
    """The machine lacks what the test needs."""


def hold(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Broken(otherwise)


def wait_until(fact, otherwise: str, child=None) -> None:
    """Asks for a fact until it holds. A child that it depends on is not waited for when it has ended."""
    end = time.monotonic() + TIME_LIMIT_SECONDS
    while not fact():
        if time.monotonic() > end or (child is not None and not child.is_running):
            raise Broken(otherwise + (f":\n{child.errors()[-2000:]}" if child is not None else ""))
        time.sleep(POLL_SECONDS)


def find_program(name: str) -> str:
    """Also where Debian keeps what it does not put on everybody's PATH: PostgreSQL's, one directory for each version."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    places = [os.environ.get("PATH", ""), "/usr/sbin", "/sbin", *map(str, versions)]
    path = shutil.which(name, path=":".join(places))
    if path is None:
        raise Missing(f"needs the program {name}")
    return path
