# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""On what, of what and when: a table without this says nothing."""

import os
import platform
import re
import subprocess
from datetime import date
from pathlib import Path

from .builds import BuildFault, revision_of_checkout

UNKNOWN = "unknown"
MEMORY_FILESYSTEMS = ("tmpfs", "ramfs")


def description(given: Path | None = None) -> str:
    """`given` is a program, or a build, that was not made from this checkout now."""
    cores = f"{os.cpu_count()} cores"
    return "\n".join(
        [
            f"{_processor()}, {cores}{_virtual()}, Linux {platform.release()};",
            f"{_first_line('c++', '--version')}, Boost {_boost()};",
            f"{given or 'revision ' + _revision()}, {date.today().isoformat()}",
        ]
    )


def disk_of(directory: Path) -> str:
    """The kind of the filesystem there, as statfs tells it. A figure of durable writes says nothing without it: the
    temporary directory is in memory on many systems."""
    command = ["stat", "--file-system", "--format", "%T", str(directory)]
    kind = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    return f"{kind}, which is in memory, where a sync waits for nothing" if kind in MEMORY_FILESYSTEMS else kind


def _revision() -> str:
    try:
        return revision_of_checkout()
    except BuildFault:  # these sources are in no repository
        return UNKNOWN


def _processor() -> str:
    match = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return match[1] if match else platform.machine()


def _virtual() -> str:
    is_guest = re.search(r"^flags.*\bhypervisor\b", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return " of a virtual machine" if is_guest else ""


def _boost() -> str:
    header = Path("/usr/include/boost/version.hpp")
    match = re.search(r'#define BOOST_LIB_VERSION "(.+)"', header.read_text()) if header.exists() else None
    return match[1].replace("_", ".") if match else UNKNOWN


def _first_line(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.partition("\n")[0] or UNKNOWN
    except FileNotFoundError:
        return UNKNOWN
