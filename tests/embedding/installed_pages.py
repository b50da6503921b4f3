#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: installed_pages.py INCLUDES PAGES: holds the installed pages and headers against what is installed.

What a page links to is there, and so is every header that a page or a header names. A file of the sources is named as one: a
path that begins with a folder of the sources is followed by the words “of the sources”. The CHANGELOG tells of what was in
the sources, so only its links count; so do commands and quoted code."""

import re
import sys
from pathlib import Path

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[\w-]+)?\)")
CODE = re.compile(r"^```.*?^```$|^    .*?$|<!--.*?-->", re.MULTILINE | re.DOTALL)
OF_THE_SOURCES = re.compile(r"(?<![\w/.-])(?:bench|cmake|core|deploy|docs|server|tests)/[\w./-]*[\w/]")
HEADER = re.compile(r"\bpetstore/[\w/]+\.hpp")


def unnamed_sources(text: str) -> list[str]:
    """The paths of the sources that are not said to be of the sources."""
    return [found[0] for found in OF_THE_SOURCES.finditer(text)
            if not re.match(r"`?\s+of\s+the\s+sources\b", text[found.end():])]


def main() -> int:
    includes, folder = Path(sys.argv[1]), Path(sys.argv[2])
    pages = {page: CODE.sub("", page.read_text()) for page in sorted(folder.rglob("*.md"))}
    headers = {header: header.read_text() for header in sorted(includes.rglob("*.hpp"))}
    faults = [
        f"{page.name} leads to {target}, which is not installed"
        for page, text in pages.items()
        for target in LINK.findall(text)
        if "://" not in target and not (page.parent / target).is_file()
    ]
    faults += [
        f"{page.name} names {path}, and does not say that it is of the sources"
        for page, text in pages.items() if page.name != "CHANGELOG.md"
        for path in unnamed_sources(text)
    ]
    faults += [
        f"{file.name} names {header}, which is not installed"
        for file, text in {**pages, **headers}.items() if file.name != "CHANGELOG.md"
        for header in HEADER.findall(text)
        if not (includes / header).is_file()
    ]
    if not (folder / "LICENSE").is_file():
        faults.append("the license is not installed")
    print(f"{len(pages)} pages, {len(headers)} headers, {len(faults)} faults")
    print("\n".join(faults))
    return 1 if faults or not pages or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
