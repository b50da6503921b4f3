# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Filesystems in files, mounted for a case and gone after it."""

import os
import subprocess
from pathlib import Path

from stand.case import Missing

LOOP_DEVICES = Path("/dev/loop-control")
COMMAND_PATIENCE_SECONDS = 120


def make_filesystem(image: Path, size: int, *command: str) -> None:
    with open(image, "xb") as file:
        file.truncate(size)
    _run(*command, str(image))


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
    except RuntimeError:
        _run("umount", "--lazy", str(at))  # it goes when the last one leaves


def _run(*command: str) -> None:
    variables = os.environ | {"PATH": f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"}
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=COMMAND_PATIENCE_SECONDS)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr}")
