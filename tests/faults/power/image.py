# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Filesystems in files, mounted for a case and gone after it."""

from pathlib import Path

from support.checks import Broken, Missing, find_program
from support.processes import run

LOOP_DEVICES = Path("/dev/loop-control")


def make_filesystem(image: Path, size: int, *command: str) -> None:
    with open(image, "xb") as file:
        file.truncate(size)
    _run(*command, image)


def mount(stand, image: Path, at: Path) -> None:
    """Until the case ends, or until `unmount`."""
    if not LOOP_DEVICES.exists():
        raise Missing("needs loop devices")
    at.mkdir()
    _run("mount", "-o", "loop,noatime", str(image), str(at))
    stand.at_end(unmount, at)


def unmount(at: Path) -> None:
    if not at.is_mount():
        return
    try:
        _run("umount", str(at))
    except Broken:
        _run("umount", "--lazy", str(at))  # it goes when the last one leaves


def _run(program: str, *words: str | Path) -> None:
    run(find_program(program), *words)
