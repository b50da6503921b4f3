#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: readme_commands.py ROOT BUILD: runs the commands of README.md, in its order, in a directory of their own.

A command is a line that is indented by four spaces. Each is run, with the stand-ins below for what a reader puts in, or
is in ELSEWHERE with what runs it; one that is neither, a new one for example, is a fault."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

COMMAND = re.compile(r"^    (?=\./|build/release/|petstore |cmake |curl |kill )(\S.*)$", re.MULTILINE)

# What begins like this is not run here; why.
ELSEWHERE = {
    "./deploy/run --cluster": "starts PostgreSQL, Redis, HAProxy and three nodes: ./tests/run --faults does",
    "petstore serve --listen 10.0.0.11": "needs PostgreSQL and Redis: program_nodes_test runs such nodes",
    "petstore serve --listen 0.0.0.0:8443 --tls-cert": "needs a certificate: program_system_test makes one and serves",
    "petstore migrate": "needs PostgreSQL: the tests of storage/postgres run it",
    "./bench/compare": "measures for minutes: a test runs it with short rounds",
    "./tests/run": "is what runs this: here, that its options are known",
    "./deploy/run": "builds and serves until it is stopped: here, that its options are known",
}


class Place:
    """An empty directory, with the program as a reader has it on the path."""

    def __init__(self, root: Path, build: Path, folder: Path) -> None:
        self.root, self.build, self.folder = root, build, folder
        self.program = build / "petstore"
        self.environment = {"PATH": f"{build}:/usr/bin:/bin", "HOME": str(folder)}
        self.stores = 0

    def fresh_store(self) -> str:
        self.stores += 1
        return f"lmdb:{self.folder}/store{self.stores}"

    def stand_ins(self, line: str) -> list[str]:
        """The line with a store of its own for each that it fills, and ports that are free."""
        line = line.replace("build/release/petstore", str(self.program))
        words = shlex.split(line, comments=True)
        for i, word in enumerate(words):
            fills = words[i - 1] == "--to" or (words[1] == "import" and words[i - 1] == "--store") or (
                words[1] == "restore" and words[i - 1] == "--store")
            if word in ("URI", "lmdb:DIRECTORY", "lmdb:/var/lib/petstore"):
                words[i] = self.fresh_store() if fills else f"lmdb:{self.folder}/store"
            elif word == "DIRECTORY":
                words[i] = str(self.folder / "copy")
        return words

    def run(self, words: list[str]) -> str:
        done = subprocess.run(words, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=120)
        return "" if done.returncode == 0 else f"exits {done.returncode}: {done.stderr.strip()}"

    def serve(self, words: list[str]) -> str:
        """Until it listens; then it is asked to stop."""
        words = [("127.0.0.1:0" if before == "--listen" else word) for before, word in zip(["", *words], words)]
        with subprocess.Popen([*words, "--admin-listen", "127.0.0.1:0"], cwd=self.folder, env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            assert server.stdout is not None
            line = server.stdout.readline()
            server.send_signal(signal.SIGTERM)
            code = server.wait(timeout=60)
        return "" if line.startswith("listening on ") and code == 0 else f"says {line!r} and exits {code}"

    def ask(self, words: list[str]) -> str:
        """A service of our own, for a moment: a load test with a few requests, or one request with curl."""
        key = subprocess.run([str(self.program), "keys", "create", "--store", f"lmdb:{self.folder}/store", "--plan",
                              "business"], env=self.environment, capture_output=True, text=True, check=True).stdout
        (self.folder / "my.key").write_text(key)
        with subprocess.Popen([str(self.program), "serve", "--store", f"lmdb:{self.folder}/store", "--listen",
                               "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"], env=self.environment,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            short = {"--rate": "20", "--duration": "1s"}
            words = [short.get(before, word) for before, word in zip(["", *words], words)]
            words = [word.replace("http://127.0.0.1:8080/v1", url).replace("$KEY", key.strip()) for word in words]
            fault = self.run([words[0], "--silent", "--show-error", "--fail", *words[1:]] if words[0] == "curl" else words)
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=60)
        return fault

    def knows_options(self, words: list[str]) -> str:
        told = subprocess.run([str(self.root / words[0]), "--help"], capture_output=True, text=True, timeout=60)
        unknown = [w for w in words[1:] if w.startswith("--") and w not in told.stdout]
        return f"--help does not know {unknown}" if unknown or told.returncode != 0 else ""


def why_elsewhere(line: str) -> str:
    return next((why for begin, why in ELSEWHERE.items() if line.startswith(begin)), "")


def fault_of(place: Place, line: str) -> str | None:
    """nothing: it works; None: it is not run here."""
    if line.startswith("./"):
        if not (fault := place.knows_options(shlex.split(line))) and why_elsewhere(line):
            return None
        return fault or "is run by nobody"
    if why_elsewhere(line):
        return None
    words = place.stand_ins(line)
    if words[0].endswith("petstore-load"):
        return place.ask(words) if (place.build / "petstore-load").exists() else None
    if words[0] == "curl":
        return place.ask(words)
    if words[0] not in ("petstore", str(place.program)):
        return "is run by nobody"
    return place.serve(words) if words[1] == "serve" else place.run(words)


def main() -> int:
    root, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    lines = COMMAND.findall((root / "README.md").read_text())
    faults = 0
    with tempfile.TemporaryDirectory() as made:
        place = Place(root, build, Path(made))
        for line in lines:
            fault = fault_of(place, line)
            if fault is None:
                print(f"not here   {line}\n           ({why_elsewhere(line) or 'petstore-load is not built'})")
            else:
                faults += 1 if fault else 0
                print(f"{'FAULT' if fault else 'works'}      {line}" + (f"\n           {fault}" if fault else ""))
    print(f"{len(lines)} commands, {faults} faults")
    return 1 if faults or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
