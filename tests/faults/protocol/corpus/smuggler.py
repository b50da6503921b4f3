# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The mutations of defparam/smuggler: a length, and a Transfer-Encoding that one reader might see and another not.

Its configurations are programs that fill a dictionary with templates, and are run as such."""

import re
from collections.abc import Iterator
from pathlib import Path

from .sample import Sample

CR_LF = "\r\n"
LAST_CHUNK = "0\r\n\r\n"
CHUNK = "1\r\nZ\r\n"
# By what is counted in front and what behind: a length and the body it goes with. The first of each ends too early or
# too late for a reader of chunks, the second fits both.
BODIES = {"TE.CL": (6, LAST_CHUNK + "X"), "TE.CL, fits": (5, LAST_CHUNK + "X")}
BODIES |= {"CL.TE": (4, CHUNK + LAST_CHUNK), "CL.TE, fits": (11, CHUNK + LAST_CHUNK)}

# One line that is no Transfer-Encoding, whoever reads it: a name of its own, or a value of another field.
HARMLESS = re.compile(rb"(?!transfer-encoding:)[-!#$%&'*+.^_`|~\w]+:[\t -~\x80-\xff]*", re.IGNORECASE | re.ASCII)


class Template:
    """What the configurations fill in."""

    header: str = ""
    body: str = ""


def read(directory: Path) -> list[Sample]:
    return [sample for file in sorted((directory / "configs").glob("*.py")) for sample in _samples_of(file)]


def _samples_of(file: Path) -> Iterator[Sample]:
    mutations: dict[str, Template] = {}
    exec(compile(file.read_text(), file, "exec"), {"Payload": Template, "RN": CR_LF, "mutations": mutations})
    for name, template in mutations.items():
        # The program itself sends UTF-8; a single byte above 0x7f is what the names promise.
        for encoding in ("latin-1",) if template.header.isascii() else ("latin-1", "utf-8"):
            mutated = template.header.split(CR_LF, 1)[1].rsplit(f"{CR_LF}Host:", 1)[0].encode(encoding)
            is_harmless = HARMLESS.fullmatch(mutated) is not None
            for kind, (length, body) in BODIES.items():
                text = _fill(template.header, length) + CR_LF + body
                yield Sample(f"{file.stem}, {name}, {kind}, {encoding}", text.encode(encoding), not is_harmless)


def _fill(header: str, length: int) -> str:
    values = {"METHOD": "POST", "ENDPOINT": "/v1/pets", "HOST": "pets.example", "RANDOM": "7"}
    for name, value in {**values, "REPLACE_CL": str(length)}.items():
        header = header.replace(f"__{name}__", value)
    return header
