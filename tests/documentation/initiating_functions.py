#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: initiating_functions.py ROOT: holds the comments of asynchronous operations against each other: above each stand
the four sections that docs/Doxyfile.in names, in that order, or a comment that begins with “The same”."""

from __future__ import annotations

import re
import sys
from pathlib import Path

# A comment, a template's head, and the function that begins the operation.
OPERATION = re.compile(
    r"(?P<comment>(?:^ *///.*\n)*)^ *template <(?:[^{};/]|\n)*?>\n *auto (?P<name>async_\w+)\(", re.MULTILINE
)
DECLARED = re.compile(r"^ *auto (async_\w+)\(", re.MULTILINE)
SECTIONS = ["completion_signature", "cancellation", "thread_safety", "exception_safety"]
SECTION = re.compile(r"^ */// @(\w+) \S", re.MULTILINE)


def faults_of(header: Path) -> tuple[int, list[str]]:
    text = header.read_text()
    operations = list(OPERATION.finditer(text))
    faults = []
    for operation in operations:
        comment = operation["comment"]
        sections = [name for name in SECTION.findall(comment) if name in SECTIONS]
        if sections != SECTIONS and not comment.lstrip().startswith("/// The same"):
            faults.append(f"{header}: {operation['name']} has the sections {sections}, not {SECTIONS}")
    if len(operations) != len(DECLARED.findall(text)):
        faults.append(f"{header}: an operation is not read")
    return len(operations), faults


def main() -> int:
    root = Path(sys.argv[1])
    headers = [path for top in ("core", "server") for path in (root / top).rglob("include/petstore/**/*.hpp")]
    found = [faults_of(header) for header in headers]
    operations = sum(count for count, _ in found)
    faults = [fault for _, of_header in found for fault in of_header]
    print(f"{operations} operations in {len(headers)} headers, {len(faults)} faults")
    print("\n".join(faults))
    return 1 if faults or operations == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
