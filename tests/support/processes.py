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
from collections.abc import Callable
from pathlib import Path

from .checks import TIME_LIMIT_SECONDS, Broken

PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None)


def environment(variables: dict[str, str] | None = None) -> dict[str, str]:
    """Ours without the service's settings, and what a case adds."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PETSTORE_")}
    return kept | (variables or {})


def becoming(account: str | None) -> dict:
    """What makes subprocess start something as that account."""
    return {} if account is None else {"user": account, "group": pwd.getpwnam(account).pw_gid, "extra_groups": []}


def end_with(parent: int, by: signal.Signals) -> None:
    """This process gets the signal when its parent ends, whatever way."""
    _libc.prctl(PR_SET_PDEATHSIG, by)
    if os.getppid() != parent:  # it ended before
        os.kill(os.getpid(), by)


def run(
    *command: str | Path,
    code: int | None = 0,
    given: str | None = None,
    limits: int = 1,
    variables: dict[str, str] | None = None,
    **more,
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end, with what it prints. Broken unless it ends with the code (None: any). `given` is its
    standard input, `limits` how many time limits it may take, `variables` its whole environment."""
    try:
        done = subprocess.run(
            [str(word) for word in command],
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            env=environment() if variables is None else variables,
            capture_output=True,
            text=True,
            timeout=limits * TIME_LIMIT_SECONDS,
            **more,
        )
    except subprocess.TimeoutExpired as expired:
        raise Broken(f"{command[0]} did not end within {expired.timeout:.0f} s") from None
    if code is not None and done.returncode != code:
        told = f"{done.stdout}{done.stderr}"[-4000:]
        raise Broken(f"{' '.join(map(str, command))} ended with {done.returncode}, not {code}:\n{told}")
    return done


def ending_with_us(core: int | None = None, orphan_signal: signal.Signals = signal.SIGKILL):
    """For subprocess's preexec_fn: on that core alone, and ended by that signal when our process ends in a way that
    cannot be caught. (A master of workers hands on none but SIGTERM.)"""

    def prepare() -> None:
        if core is not None:
            os.sched_setaffinity(0, {core})
        _libc.prctl(PR_SET_PDEATHSIG, orphan_signal)

    return prepare


class Child:
    """Runs until `stop`. What it prints on standard output can be read by the line; unless `is_read`, nobody takes it
    from the pipe `output`. `account`: whose process it is, instead of ours. `core`: the only one that it runs on."""

    def __init__(
        self,
        command: list[str],
        directory: Path,
        variables: dict[str, str],
        account: str | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
        core: int | None = None,
        orphan_signal: signal.Signals = signal.SIGKILL,
        is_read: bool = True,
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
        self.output = self._process.stdout
        self._is_read = is_read
        self._lines: queue.Queue[str | None] = queue.Queue()
        if is_read:
            threading.Thread(target=self._read_lines, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def _read_lines(self) -> None:
        with self.output:
            for line in self.output:
                self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def wait_for_line(self, beginning: str, limits: int = 1) -> str:
        """The rest of the first line that begins so. `limits`: how many time limits it may take until it comes."""
        return self._wait_for(lambda line: line.startswith(beginning), f"{beginning}…", limits).removeprefix(beginning)

    def wait_for_line_with(self, part: str) -> str:
        """The first line that has this in it."""
        return self._wait_for(lambda line: part in line, f"…{part}…")

    def _wait_for(self, is_wanted: Callable[[str], bool], wanted: str, limits: int = 1) -> str:
        end = time.monotonic() + limits * TIME_LIMIT_SECONDS
        while True:
            try:
                line = self._lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                raise Broken(f"{' '.join(self._command)} did not say '{wanted}':\n{self.errors()[-2000:]}")
            if is_wanted(line):
                return line

    def errors(self) -> str:
        """All of standard error so far."""
        return os.pread(self._errors.fileno(), os.fstat(self._errors.fileno()).st_size, 0).decode(errors="replace")

    def wait(self) -> int:
        """The exit code (negative: the signal that ended it)."""
        try:
            return self._process.wait(TIME_LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            raise Broken(f"{self._command[0]} did not end within {TIME_LIMIT_SECONDS:.0f} s") from None

    def send_signal(self, number: signal.Signals) -> None:
        """Nothing happens when it has ended."""
        self._process.send_signal(number)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """Ends it by its signal, after a while by force; the exit code."""
        if self.is_running:
            self._process.send_signal(self._stop_signal)
            try:
                self._process.wait(TIME_LIMIT_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
        return self._process.returncode

    def close(self) -> None:
        """Ends it, and forgets what it has said."""
        self.stop()
        self._errors.close()
        if not self._is_read:
            self.output.close()
