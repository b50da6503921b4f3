# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Processes on a core of their own, which end when what started them does, whatever way that ends."""

import ctypes
import os
import queue
import signal
import subprocess
import threading
import time
from pathlib import Path

START_PATIENCE_SECONDS = 120  # valgrind is slow
STOP_PATIENCE_SECONDS = 30
PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None)


def environment() -> dict[str, str]:
    """Ours, without the service's settings: what is compared is configured here alone."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PETSTORE_")}


class ServerFault(Exception):
    """A server did not start, or did not answer as it must."""


def on_core(core: int | None):
    """For subprocess's preexec_fn."""

    def prepare() -> None:
        if core is not None:
            os.sched_setaffinity(0, {core})
        # Covers the one way of ending that cannot be caught.
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)

    return prepare


class Child:
    """A server that runs until `stop`. What it prints on standard output can be read by the line."""

    def __init__(self, command: list[str], directory: Path, core: int | None):
        self.command = command
        self._errors = open(directory / f"{Path(command[0]).name}-{time.monotonic_ns()}.err", "w+b")
        self._process = subprocess.Popen(
            command,
            cwd=directory,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            preexec_fn=on_core(core),
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read_lines, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def _read_lines(self) -> None:
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def wait_for_line(self, beginning: str) -> str:
        """The rest of the first line that begins so."""
        end = time.monotonic() + START_PATIENCE_SECONDS
        while True:
            try:
                line = self._lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                raise ServerFault(f"{' '.join(self.command)} did not say '{beginning}…':\n{self.errors()}")
            if line.startswith(beginning):
                return line.removeprefix(beginning)

    def errors(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace")[-2000:]

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(STOP_PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._errors.close()
