#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: quoted_code.py ROOT: holds the code that documents quote against the files that it is from.

Above a block of C++ or Python stands `<!-- file: PATH -->`, the path from the root; in the README and in docs/ above each. It may
stand above a block of CMake, too. The lines of the block stand in the file one after the other, indented alike or less; a line
`// …` or an empty one stands for lines that are left out. So what is quoted is what the tests compile and run."""

import re
import sys
import textwrap
from pathlib import Path

BLOCK = re.compile(r"^(?:<!-- file: (?P<path>\S+) -->\n+)?```(?P<language>cpp|python|cmake)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def pieces(code: str) -> list[list[str]]:
    """The runs of lines that have to stand together."""
    runs: list[list[str]] = [[]]
    for line in textwrap.dedent(code).splitlines():
        if line.strip() in ("", "// …"):
            runs.append([])
        else:
            runs[-1].append(line)
    return [run for run in runs if run]


def find(run: list[str], lines: list[str], start: int) -> int | None:
    """Where the line after the run is, if the run stands in the file at or after `start` at any one indentation."""
    for at in range(start, len(lines) - len(run) + 1):
        depth = len(lines[at]) - len(lines[at].lstrip()) - (len(run[0]) - len(run[0].lstrip()))
        if depth >= 0 and all(lines[at + i] == " " * depth + line for i, line in enumerate(run)):
            return at + len(run)
    return None


def faults_of(document: Path, root: Path) -> list[str]:
    faults: list[str] = []
    for block in BLOCK.finditer(document.read_text()):
        where = f"{document.relative_to(root)}: “{block['code'].strip().splitlines()[0]}…”"
        if block["path"] is None:
            if document.parent in (root, root / "docs") and block["language"] != "cmake":
                faults.append(f"{where} does not say which file it is from")
            continue
        source = root / block["path"]
        if not source.is_file():
            faults.append(f"{where} is from {block['path']}, which is not there")
            continue
        lines, at = source.read_text().splitlines(), 0
        for run in pieces(block["code"]):
            after = find(run, lines, at)
            if after is None:
                faults.append(f"{where} is not what {block['path']} says: {run[0].strip()}")
                break
            at = after
    return faults


def main() -> int:
    root = Path(sys.argv[1]).resolve()
    documents = [*root.glob("*.md"), *(path for top in ("core", "server", "docs", "bench", "tests", "deploy")
                                       for path in (root / top).rglob("*.md") if "node_modules" not in path.parts)]
    blocks = sum(len(BLOCK.findall(document.read_text())) for document in documents)
    faults = [fault for document in documents for fault in faults_of(document, root)]
    print(f"{blocks} blocks of code in {len(documents)} documents, {len(faults)} faults")
    print("\n".join(faults))
    return 1 if faults or blocks == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
