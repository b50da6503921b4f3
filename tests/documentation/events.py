#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: events.py ROOT: holds the events that the sources report against the tables of docs/events.md: each event has a row, and
each row an event."""

from __future__ import annotations

import re
import sys
from pathlib import Path

# What an event's name follows: the severity, a function that reports with one severity or finds it by the name, a variable.
# The name itself may be one of two or more: `is_ready ? "store_ready" : "store_not_ready"`.
REPORTS = re.compile(r"(?:severity::\w+,|\breport(?:_|_event)?\(|\bwarn\(|\b(?:\w+_)?event =)(?=([^,;]*))")
NAME = re.compile(r'"([a-z]+(?:_[a-z]+)*)"')
ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)


def events_of(root: Path) -> set[str]:
    sources = [path for path in (root / "server").rglob("*.[ch]pp")]
    return {name for path in sources for shown in REPORTS.findall(path.read_text()) for name in NAME.findall(shown)}


def main() -> int:
    root = Path(sys.argv[1])
    reported, described = events_of(root), set(ROW.findall((root / "docs/events.md").read_text()))
    print(f"{len(reported)} events are reported")
    for name in sorted(reported - described):
        print(f"docs/events.md has no row for {name}")
    for name in sorted(described - reported):
        print(f"docs/events.md describes {name}, which nothing reports")
    return 0 if reported and reported == described else 1


if __name__ == "__main__":
    sys.exit(main())
