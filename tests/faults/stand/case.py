# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A case: a fault that is injected, and what must hold all the same."""

import ctypes
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PR_CAPBSET_READ = 23
CAP_SYS_ADMIN = 21
PATIENCE_SECONDS = 60

_libc = ctypes.CDLL(None)


class Broken(Exception):
    """What had to hold did not."""


class Missing(Exception):
    """The machine lacks what the case needs."""


@dataclass(frozen=True)
class Case:
    name: str
    injected: str
    must_hold: str
    needs: tuple[str, ...]
    run: Callable


CASES: list[Case] = []


def case(injected: str, must_hold: str, needs: tuple[str, ...] = ()):
    """Registers a function of one argument, the stand. `needs` are programs, or `root`."""

    def register(run: Callable) -> Callable:
        area = run.__module__.split(".")[0]
        CASES.append(Case(f"{area}/{run.__name__}", injected, must_hold, needs, run))
        return run

    return register


def hold(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Broken(otherwise)


def wait_until(fact, otherwise: str, child=None) -> None:
    """Asks for a fact until it holds. A child that it depends on is not waited for when it has ended."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not fact():
        if time.monotonic() > end or (child is not None and not child.is_running):
            raise Broken(otherwise + (f":\n{child.errors()[-2000:]}" if child is not None else ""))
        time.sleep(0.02)


def find_program(name: str) -> str:
    """Also where Debian keeps what it does not put on everybody's PATH: PostgreSQL's, one directory for each version."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
    places = [os.environ.get("PATH", ""), "/usr/sbin", "/sbin", *map(str, versions)]
    path = shutil.which(name, path=":".join(places))
    if path is None:
        raise Missing(f"needs the program {name}")
    return path


def check_needs(one: Case) -> None:
    for need in one.needs:
        if need == "root":
            if os.geteuid() != 0 or _libc.prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) != 1:
                raise Missing("needs root")
        else:
            find_program(need)
