# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The request tests of nodejs/llhttp: Markdown, with a request in one block and what the parser does in the next."""

import re
from collections.abc import Iterator
from pathlib import Path

from .sample import Sample

ERROR = re.compile(r"error code=(\d+)")
PAUSES = {"21", "22", "23"}  # where it hands over to another protocol, or to its caller
DATA_AFTER_CLOSE = "5"
UNFINISHED = "finish=2"

NOT_READ = "the request is right, and what follows Connection: close is not read (RFC 9112, 9.6)"


def read(directory: Path) -> list[Sample]:
    files = sorted((directory / "test" / "request").glob("*.md"))
    return [sample for file in files for sample in _tests_of(file)]


def _tests_of(file: Path) -> Iterator[Sample]:
    heading = ""
    blocks: dict[str, list[str]] = {}
    language: str | None = None  # of the block that the line is in
    for line in file.read_text("latin-1").split("\n"):
        if language is not None and line != "```":
            blocks[language].append(line)
        elif language is not None:
            if language == "log":
                yield _judge(f"{file.stem}, {heading}", "\n".join(blocks["http"]), "\n".join(blocks["log"]))
            language = None
        elif line.startswith("```"):
            language = line.removeprefix("```")
            blocks[language] = []
        elif line.startswith("#"):
            heading = line.lstrip("# ")


def _judge(name: str, request: str, log: str) -> Sample:
    errors = set(ERROR.findall(log)) - PAUSES
    is_wrong = bool(errors) or UNFINISHED in log
    return Sample(name, _unescape(request), is_wrong, NOT_READ if errors == {DATA_AFTER_CLOSE} else "")


def _unescape(text: str) -> bytes:
    text = text.replace("\\\n", "").replace("\n", "\r\n")
    for escape, character in {"r": "\r", "n": "\n", "t": "\t", "f": "\f"}.items():
        text = text.replace(f"\\{escape}", character)
    text = re.sub(r"\\x([0-9a-fA-F]+)", lambda found: chr(int(found[1], 16)), text)
    text = re.sub(r"\\([0-7]{1,3})", lambda found: chr(int(found[1], 8)), text)
    return text.encode("latin-1")
