#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: installed_pages.py FOLDER: holds the installed pages against each other: what they link to is there."""

import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[\w-]+)?\)")
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def main() -> int:
    folder = Path(sys.argv[1])
    pages = sorted(folder.glob("*.md"))
    faults = [
        f"{page.name} leads to {target}, which is not installed"
        for page in pages
        for target in LINK.findall(CODE.sub("", page.read_text()))
        if "://" not in target and not (folder / target).is_file()
    ]
    if not (folder / "LICENSE").is_file():
        faults.append("the license is not installed")
    print(f"{len(pages)} pages, {len(faults)} faults")
    print("\n".join(faults))
    return 1 if faults or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
