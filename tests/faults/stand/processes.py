# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Processes that end when what started them does, whatever way that ends."""

import ctypes
import os
import pwd
import queue
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from .case import Broken

START_PATIENCE_SECONDS = 120
STOP_PATIENCE_SECONDS = 60
PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None)


def environment(variables: dict[str, str] | None = None) -> dict[str, str]:
    """Ours without the service's settings, and what a case adds."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PETSTORE_")}
    return kept | (variables or {})


def becoming(account: str | None) -> dict:
    """What makes subprocess start something as that account."""
    return {} if account is None else {"user": account, "group": pwd.getpwnam(account).pw_gid, "extra_groups": []}


def ending_with_us(core: int | None = None, orphan_signal: signal.Signals = signal.SIGKILL):
    """For subprocess's preexec_fn: on that core alone, and ended by that signal when our process ends in a way that
    cannot be caught. (A master of workers hands on none but SIGTERM.)"""

    def prepare() -> None:
        if core is not None:
            os.sched_setaffinity(0, {core})
        _libc.prctl(PR_SET_PDEATHSIG, orphan_signal)

    return prepare


class Child:
    """Runs until `stop`. What it prints on standard output can be read by the line. `account`: whose process it is,
    instead of ours. `core`: the only one that it runs on."""

    def __init__(
        self,
        command: list[str],
        directory: Path,
        variables: dict[str, str],
        account: str | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
        core: int | None = None,
        orphan_signal: signal.Signals = signal.SIGKILL,
    ):
        self._command = command
        self._stop_signal = stop_signal
        self._errors = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            command,
            cwd=directory,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            # It runs as the account already: becoming another one forgets the signal.
            preexec_fn=ending_with_us(core, orphan_signal),
            **becoming(account),
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read_lines, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

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
                raise Broken(f"{' '.join(self._command)} did not say '{beginning}…':\n{self.errors()[-2000:]}")
            if line.startswith(beginning):
                return line.removeprefix(beginning)

    def errors(self) -> str:
        """All of standard error so far."""
        return os.pread(self._errors.fileno(), os.fstat(self._errors.fileno()).st_size, 0).decode(errors="replace")

    def wait(self, seconds: float = STOP_PATIENCE_SECONDS) -> int:
        """The exit code (negative: the signal that ended it)."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Broken(f"{self._command[0]} did not end within {seconds} s") from None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """Ends it by its signal, after a while by force; the exit code."""
        if self.is_running:
            self._process.send_signal(self._stop_signal)
            try:
                self._process.wait(STOP_PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        return self._process.returncode
