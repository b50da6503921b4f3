# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The payloads of narfindustries/http-garden: requests that some server or proxy took in a way of its own."""

import re
from pathlib import Path

from .sample import Sample

LINE = re.compile(r"^ *- Payload: (`.*`)$")


def read(directory: Path) -> list[Sample]:
    samples = []
    for number, line in enumerate((directory / "TROPHIES.md").read_text().splitlines(), 1):
        if found := LINE.match(line):
            parts = re.findall(r"`([^`]*)`", found[1])  # sent one after the other
            data = "".join(parts).encode("latin-1").decode("unicode_escape").encode("latin-1")
            samples.append(Sample(f"line {number}", data, requests_max=len(parts)))
    return samples
