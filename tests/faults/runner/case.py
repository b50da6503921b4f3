# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A case: a fault that is injected, and what must hold all the same."""

import ctypes
import os
from collections.abc import Callable
from dataclasses import dataclass

from support.checks import Missing, find_program

PR_CAPBSET_READ = 23
CAP_SYS_ADMIN = 21

_libc = ctypes.CDLL(None)


@dataclass(frozen=True)
class Case:
    name: str
    injected: str
    must_hold: str
    needs: tuple[str, ...]
    is_alone: bool
    run: Callable


CASES: list[Case] = []


def case(injected: str, must_hold: str, needs: tuple[str, ...] = (), alone: bool = False):
    """Registers a function of one argument, the stand. `needs` are programs, or `root`. `alone`: no other case runs at
    the same time, because this one measures or uses up what the whole machine has."""

    def register(run: Callable) -> Callable:
        area = run.__module__.split(".")[0]
        CASES.append(Case(f"{area}/{run.__name__}", injected, must_hold, needs, alone, run))
        return run

    return register


def check_needs(one: Case) -> None:
    for need in one.needs:
        if need == "root":
            if os.geteuid() != 0 or _libc.prctl(PR_CAPBSET_READ, CAP_SYS_ADMIN, 0, 0, 0) != 1:
                raise Missing("needs root")
        else:
            find_program(need)
