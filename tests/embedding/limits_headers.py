#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: limits_headers.py INCLUDE COMPILER…: what petstore::limits costs those who include it.

Each of its headers brings in nothing but the standard library and the limiter's own, and no more of that than a compiler
reads in a second. What is held is the number of lines, which is the same on every machine: 63,000 took 0.6 to 0.8 s of processor
time on the one where the limit was set. That is with the library of g++ 12, of which it is 66,000 today; that of g++ 14 has a
quarter more lines."""

import re
import subprocess
import sys
from pathlib import Path

LINES_MAX = 84_000


def read(compiler: list[str], names: list[str], *more: str) -> str:
    """What the compiler says when it has read these headers and nothing else."""
    text = "".join(f"#include <{name}>\n" for name in names)
    command = [*compiler, "-std=c++20", "-x", "c++", *more, "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def files_behind(compiler: list[str], names: list[str]) -> set[str]:
    return {name for name in re.split(r"[\s\\]+", read(compiler, names, "-M").partition(":")[2]) if name}


def main() -> int:
    include = Path(sys.argv[1])
    compiler = [*sys.argv[2:], f"-I{include}"]
    own = sorted((include / "petstore/limits").rglob("*.hpp"))
    standard: set[str] = set()
    for header in [*own, include / "petstore/export.hpp"]:
        standard.update(re.findall(r"^#include <([^>]+)>", header.read_text(), re.MULTILINE))
    faults = [f"<{name}> is no header of the standard library" for name in standard if not re.fullmatch("[a-z_]+", name)]

    allowed = files_behind(compiler, sorted(standard))
    for header in own:
        name = str(header.relative_to(include))
        for path in sorted(files_behind(compiler, [name]) - allowed):
            below = path.removeprefix(f"{include}/")
            if not below.startswith("petstore/limits/") and below != "petstore/export.hpp":
                faults.append(f"{name} includes {path}")
        lines = read(compiler, [name], "-E", "-P").count("\n")
        print(f"{name}: {lines} lines")
        if lines > LINES_MAX:
            faults.append(f"{name} brings in {lines} lines")
    print("\n".join(faults))
    return 1 if faults or not own else 0


if __name__ == "__main__":
    sys.exit(main())
