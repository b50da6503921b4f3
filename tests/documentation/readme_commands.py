#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: readme_commands.py ROOT [BUILD]

Runs the commands of README.md and of the other documents as they are written, in their order. ROOT is a checkout that
nothing was built in, as tests/documentation/run makes one; or, with BUILD, the program is there, and what needs a
checkout of its own is left to that.

Each command works, or is listed in elsewhere.py; one that is neither, a new one for example, is a fault."""

from __future__ import annotations

import re
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from blocks import Command, commands
from elsewhere import ELSEWHERE, IN_A_CLONE, why
from reader import KEY, STAND_INS, STARTED, Fault, Reader

FIRST = "./deploy/run"
PRINTED = re.compile(r"^  (curl .*)$", re.MULTILINE)


class InBuild:
    """A directory with the program as a build has it, and a service as the first command starts it."""

    elsewhere = ELSEWHERE | IN_A_CLONE

    def __init__(self, build: Path, folder: Path) -> None:
        (folder / "build").mkdir()
        (folder / "build/release").symlink_to(build)
        self.reader = Reader(folder, 120, [*STAND_INS, ("--duration 30s", "--duration 1s")])
        if not (build / "petstore-load").exists():
            self.elsewhere = self.elsewhere | {"build/release/petstore-load": "petstore-load is not built"}

    def start(self, _: str) -> None:
        service = self.reader.start("build/release/petstore serve --demo --store lmdb:.petstore/demo", KEY)
        self.reader.keep(service, service.url().removesuffix("/v1"))


class InClone:
    """A checkout as a reader has it."""

    elsewhere = ELSEWHERE

    def __init__(self, root: Path) -> None:
        self.reader = Reader(root, 3600, STAND_INS)

    def start(self, text: str) -> None:
        address = "127.0.0.1:8080"
        if text == FIRST and is_taken(8080):
            address = f"127.0.0.1:{free_port()}"
            text += f" --listen {address}"
        service = self.reader.start(text, STARTED)
        self.reader.keep(service, f"http://{address}")
        for line in PRINTED.findall(service.said):
            self.reader.run(line, KEY=service.key())


def is_taken(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        return asking.getsockname()[1]


def unknown_options(root: Path, text: str) -> list[str]:
    """Of what is not run, but here: the options that its help does not know."""
    script, *words = shlex.split(text, comments=True)
    options = [word.split("=")[0] for word in words if word.startswith("--")]
    if not options or not (root / script).is_file():
        return []
    told = subprocess.run([root / script, "--help"], capture_output=True, text=True, timeout=60).stdout
    return [option for option in options if option not in told]


def outcome(root: Path, place: InBuild | InClone, text: str) -> str:
    if reason := why(place.elsewhere, text):
        if unknown := unknown_options(root, text):
            raise Fault(f"--help does not know {unknown}")
        return f"not here: {reason}"
    if text.startswith("./"):
        place.start(text)
    else:
        place.reader.run(text)
    return "works"


def run_all(root: Path, place: InBuild | InClone, every: list[Command]) -> int:
    try:
        counts = count_outcomes(root, place, every)
    finally:
        faults = place.reader.stop()
    for fault in faults:
        print(f"FAULT: ./deploy/run {fault}")
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if counts["FAULT"] or faults or not counts["works"] else 0


def count_outcomes(root: Path, place: InBuild | InClone, every: list[Command]) -> dict[str, int]:
    counts = {"works": 0, "not here": 0, "FAULT": 0}
    for command in every:
        began = time.monotonic()
        try:
            told = outcome(root, place, command.text)
        except (Fault, OSError, subprocess.SubprocessError) as fault:
            told = f"FAULT: {fault}"
        counts[told.split(":")[0]] += 1
        print(f"{command.file}:{command.line}: {command.text}\n    {told} ({time.monotonic() - began:.1f} s)", flush=True)
    for begin in place.elsewhere:
        if not any(command.text.startswith(begin) for command in every):
            counts["FAULT"] += 1
            print(f"FAULT: elsewhere.py has {begin!r}, which no document has")
    return counts


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is stopped
    root = Path(sys.argv[1]).resolve()
    every = commands(root)
    if len(sys.argv) == 2:
        return run_all(root, InClone(root), every)
    with tempfile.TemporaryDirectory() as made:
        return run_all(root, InBuild(Path(sys.argv[2]).resolve(), Path(made)), every)


if __name__ == "__main__":
    sys.exit(main())
