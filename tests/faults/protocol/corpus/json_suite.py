# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The texts of nst/JSONTestSuite as the bodies of POST /v1/pets: as they come, and inside an animal, as the value of a
member that the service does not know. By their names, y_ is JSON, n_ is not, and i_ is left to the reader."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from support.http import Connection

ANIMAL = b'{"name":"Rex","categoryId":1,"of the suite":%s}'


@dataclass
class Findings:
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def read(directory: Path) -> dict[str, bytes]:
    return {file.stem: file.read_bytes() for file in sorted((directory / "test_parsing").glob("*.json"))}


def post_all(port: int, key: str, texts: dict[str, bytes]) -> Findings:
    findings = Findings()
    for name, text in texts.items():
        kind = name[0]
        # No text of the suite is an animal by itself, so that JSON and what is none get the same status.
        _note(findings, f"{kind}_ alone", name, _post(port, key, text), {400})
        expected = {"y": {201}, "n": {400}, "i": {201, 400}}[kind]
        _note(findings, f"{kind}_ inside", name, _post(port, key, ANIMAL.replace(b"%s", text)), expected)
    return findings


def _note(findings: Findings, how: str, name: str, got: tuple[int, str], expected: set[int]) -> None:
    status, message = got
    findings.counts[f"{how}: {status}"] += 1
    if status not in expected:
        findings.wrong.append(f"{how}, {name}: {status} {message}")


def _post(port: int, key: str, body: bytes) -> tuple[int, str]:
    with Connection(port) as connection:
        answer = connection.request("POST", "/v1/pets", key, body)
        return answer.status, answer.json().get("message", "")
