# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The commands of the documents: what stands in an indented block or in a fenced one of `sh`, and behind `$ ` in one of
`console`. What is no command stands in a fence that names another language."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r" *```(\w*)$")
# Not what npm and the builds bring along.
FOLDERS = ("docs", "deploy", "bench", "core", "server", "tests")
FOREIGN = {"node_modules", "build"}


@dataclass(frozen=True)
class Command:
    file: Path
    line: int
    text: str


def documents(root: Path) -> list[Path]:
    """README.md first, as a reader has them."""
    found = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.md"))]
    return [root / "README.md", *(path for path in found if not FOREIGN & set(path.relative_to(root).parts))]


def commands(root: Path) -> list[Command]:
    return [
        Command(path.relative_to(root), line, text)
        for path in documents(root)
        for line, text in commands_in(path.read_text())
    ]


def commands_in(text: str) -> Iterator[tuple[int, str]]:
    for language, first, lines in blocks(text.splitlines()):
        if language in ("", "sh"):
            yield from whole_commands(first, lines)
        elif language == "console":
            yield from typed_commands(first, lines)


def blocks(lines: list[str]) -> Iterator[tuple[str, int, list[str]]]:
    """The language, the number of the first line, and the lines; an indented block is without a language."""
    at = 0
    while at < len(lines):
        begin = at
        if fence := FENCE.match(lines[at]):
            at = next(i for i in range(begin + 1, len(lines)) if lines[i].strip() == "```")
            yield fence[1] or "text", begin + 2, lines[begin + 1 : at]
        elif lines[at].startswith("    ") and (at == 0 or not lines[at - 1].strip()):
            while at + 1 < len(lines) and lines[at + 1].startswith("    "):
                at += 1
            yield "", begin + 1, [line.strip() for line in lines[begin : at + 1]]
        at += 1


def whole_commands(first: int, lines: list[str]) -> Iterator[tuple[int, str]]:
    """A command goes on where a line ends in a backslash or within quotes."""
    command: list[str] = []
    for number, line in enumerate(lines, first):
        command.append(line)
        if is_whole("\n".join(command)):
            yield number + 1 - len(command), "\n".join(command)
            command = []
    if command:
        raise ValueError(f"no end of {command}")


def typed_commands(first: int, lines: list[str]) -> Iterator[tuple[int, str]]:
    for begin, line in enumerate(lines):
        if line.startswith("$ "):
            typed = [line.removeprefix("$ "), *(each.strip() for each in lines[begin + 1 :])]
            yield next(whole_commands(first + begin, typed))


def is_whole(text: str) -> bool:
    if text.endswith("\\"):
        return False
    try:
        shlex.split(text, comments=True)
    except ValueError:
        return False
    return True
