# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What the cases of this area do to a shop, and where they look."""

import array
import fcntl
import os
import subprocess
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path

from stand.case import Broken, hold
from stand.http import Answer, Closed, Connection, request

PATIENCE_SECONDS = 60
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


def readiness(server) -> tuple[int, str]:
    answer = request(server.admin_port, "GET", "/readyz")
    return answer.status, answer.body.decode()


def wait_until(condition: Callable[[], bool], otherwise: str, seconds: float = PATIENCE_SECONDS) -> None:
    end = time.monotonic() + seconds
    while not condition():
        hold(time.monotonic() < end, otherwise)
        time.sleep(0.1)


def hold_unavailable(answer: Answer) -> None:
    hold(answer.status == 503, f"a write without room is answered {answer.status}, not 503")
    hold(answer.json()["code"] == "unavailable", f"its code is {answer.json()['code']}")
    hold(int(answer.fields.get("retry-after", 0)) >= 1, "it does not say when to try again")


def events(server, name: str) -> int:
    """How many lines of the log are of this event."""
    return server.child.errors().count(f'"{name}"')


def mount_memory(stand, at: Path, size: str) -> None:
    at.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(at)], check=True, timeout=30)
    stand.at_end(lambda: subprocess.run(["umount", "--lazy", str(at)], check=False, timeout=30))


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


def start_reader(stand, store: str, name: str):
    """A process that stands still while it reads one state of the store: its file is a pipe that nobody empties."""
    pipe = stand.directory / f"{name}.partial"
    os.mkfifo(pipe)
    held_open = os.open(pipe, os.O_RDWR)
    stand.at_end(os.close, held_open)
    fcntl.fcntl(held_open, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    reader = stand.start([str(stand.program), "export", "--store", store, "--output", name])

    def is_full() -> bool:
        waiting = array.array("i", [0])
        fcntl.ioctl(held_open, termios.FIONREAD, waiting)
        return waiting[0] > 0

    wait_until(is_full, f"{name} does not read")
    return reader


class Writers:
    """Clients that change one animal each, over and over, until `stop`."""

    def __init__(self, port: int, key: str, count: int):
        self.statuses: dict[int, int] = {}
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._write, args=(port, key, n)) for n in range(count)]
        for thread in self._threads:
            thread.start()

    def _write(self, port: int, key: str, writer: int) -> None:
        try:
            with Connection(port) as connection:
                made = connection.request("POST", "/v1/pets", key, {"name": "Rex", "categoryId": 1})
                number = 0
                while not self._stopped.is_set():
                    number += 1
                    answer = connection.request(
                        "PATCH", made.fields["location"], key, {"name": f"{writer}-{number} {LONG_NAME[:200]}"}
                    )
                    with self._lock:
                        self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
        except (Closed, OSError, KeyError):
            with self._lock:
                self.statuses[0] = self.statuses.get(0, 0) + 1

    def count(self, status: int) -> int:
        with self._lock:
            return self.statuses.get(status, 0)

    def stop(self) -> dict[int, int]:
        self._stopped.set()
        for thread in self._threads:
            thread.join()
        return self.statuses
