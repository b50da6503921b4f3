# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What the cases of this area do to a shop, and where they look."""

import array
import fcntl
import os
import termios
import threading
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from support.checks import Broken, find_program, hold, wait_until
from support.http import Answer, Closed, Connection, request
from support.processes import Child, run
from support.workers import Workers

PIPE_BYTES = 4096
LONG_NAME = "\U0001f415" * 255  # about a KiB of the store for each animal


def add(port: int, key: str, name: str = "Rex", status: str = "available") -> Answer:
    return request(port, "POST", "/v1/pets", key, {"name": name, "categoryId": 1, "status": status})


def add_until_refused(port: int, key: str, most: int = 20_000) -> tuple[int, Answer]:
    """How many animals there was room for, and the refusal."""
    with Connection(port) as connection:
        for count in range(most):
            answer = connection.request(
                "POST", "/v1/pets", key, {"name": LONG_NAME, "categoryId": 1, "status": "available"}
            )
            if answer.status != 201:
                return count, answer
    raise Broken(f"{most} animals found room")


def hold_unavailable(answer: Answer) -> None:
    hold(answer.status == 503, f"a write without room is answered {answer.status}, not 503")
    hold(answer.json()["code"] == "unavailable", f"its code is {answer.json()['code']}")
    hold(int(answer.fields.get("retry-after", 0)) >= 1, "it does not say when to try again")


def add_all(port: int, key: str, names: Iterable[str]) -> None:
    for name in names:
        hold(add(port, key, name).status == 201, "the shop does not work")


def mount_memory(stand, at: Path, size: str) -> None:
    at.mkdir()
    run(find_program("mount"), "-t", "tmpfs", "-o", f"size={size}", "tmpfs", at)
    stand.at_end(run, find_program("umount"), "--lazy", at)


def fill(at: Path) -> Path:
    """A file that takes all the room that a filesystem has left."""
    ballast = at / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        piece = b"x" * 65536
        while piece:
            try:
                file.write(piece)
            except OSError:
                piece = piece[: len(piece) // 2]
    return ballast


def start_reader(stand, store: str, name: str) -> Child:
    """An export that stands still while it reads one state of the store: its file is a pipe that nobody empties."""
    pipe = stand.directory / f"{name}.partial"
    os.mkfifo(pipe)
    held_open = os.open(pipe, os.O_RDWR)
    stand.at_end(os.close, held_open)
    fcntl.fcntl(held_open, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    reader = stand.start([str(stand.program), "export", "--store", store, "--output", name])
    wait_until_written(held_open, reader)
    return reader


def wait_until_written(pipe: int, writer: Child) -> None:
    """Until the first bytes are in the pipe."""

    def is_written() -> bool:
        waiting = array.array("i", [0])
        fcntl.ioctl(pipe, termios.FIONREAD, waiting)
        return waiting[0] > 0

    wait_until(is_written, "nothing is written to the pipe", writer)


class Writers:
    """Clients that change one animal each, over and over, until `stop`."""

    def __init__(self, stand, port: int, key: str, count: int):
        self.statuses: Counter[int] = Counter()
        self._lock = threading.Lock()
        self._workers = Workers(stand)
        for writer in range(count):
            self._workers.start(self._write, port, key, writer)

    def _write(self, port: int, key: str, writer: int) -> None:
        try:
            with Connection(port) as connection:
                made = connection.request("POST", "/v1/pets", key, {"name": "Rex", "categoryId": 1})
                number = 0
                while not self._workers.are_stopping:
                    number += 1
                    answer = connection.request(
                        "PATCH", made.fields["location"], key, {"name": f"{writer}-{number} {LONG_NAME[:200]}"}
                    )
                    self._note(answer.status)
        except (Closed, OSError, KeyError):
            self._note(0)

    def _note(self, status: int) -> None:
        with self._lock:
            self.statuses[status] += 1

    def count(self, status: int) -> int:
        with self._lock:
            return self.statuses[status]

    def stop(self) -> Counter[int]:
        self._workers.stop()
        return self.statuses
