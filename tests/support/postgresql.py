# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A PostgreSQL server of the case's own: made, killed, started again, asked."""

import fcntl
import os
import pwd
import shutil
import signal
from contextlib import suppress
from pathlib import Path

from .checks import find_program, wait_until
from .ports import free_port
from .processes import becoming, run

PASSWORD = "quiet-as-a-mouse"  # asked for: what is never sent could not be lost
ROLE = "petstore"
MAKE_LIMITS = 5  # it starts the server in several ways, one after the other

_templates: Path | None = None


class PostgreSQL:
    """Listens on a port of its own, the same one after every start. Commits are on disk before they are answered."""

    def __init__(self, stand, *settings: str, addresses: str = "127.0.0.1"):
        self.port = free_port()
        self._stand = stand
        self._settings = settings
        self._addresses = addresses
        self._account = _account()
        self._directory = stand.directory / f"postgresql-{self.port}"
        self._child = None
        self._make()
        self.start()

    @property
    def uri(self) -> str:
        return f"postgres://{ROLE}:{PASSWORD}@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = [f"listen_addresses={self._addresses}", "unix_socket_directories=", *self._settings]
        command = [find_program("postgres"), "-D", str(self._directory), "-p", str(self.port)]
        for option in options:
            command += ["-c", option]
        # SIGTERM would wait until the last client has gone.
        self._child = self._stand.start(command, account=self._account, stop_signal=signal.SIGINT)
        wait_until(self._answers, "PostgreSQL did not start", self._child)

    def kill(self) -> None:
        """As if its machine had gone: nobody is told, nothing is finished. (The kernel still has what was written.)"""
        self._child.kill()
        wait_until(self._is_gone, "processes of PostgreSQL outlive the first one")

    def stop(self) -> None:
        self._child.stop()

    def stand_still(self) -> None:
        """Nothing is answered, and no connection is closed: as when its disk or its machine hangs."""
        self._stand.at_end(self.go_on)  # who stands still cannot be ended by SIGINT
        os.kill(self._child.pid, signal.SIGSTOP)  # first: then nobody starts another one
        self._signal_all(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal_all(signal.SIGCONT)

    def ask(self, statement: str) -> str:
        """What psql prints: a line for each row, columns separated by |."""
        command = (find_program("psql"), "-X", "-At", "-v", "ON_ERROR_STOP=1", "-d", self.uri, "-c", statement)
        return run(*command).stdout.strip()

    def _make(self) -> None:
        if self._account is not None:
            self._stand.directory.chmod(0o711)
        if _templates is None:
            _make_cluster(self._directory, self._account)
            return
        template = _templates / "postgresql"
        with open(_templates / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not template.exists():
                unfinished = _templates / "unfinished"
                shutil.rmtree(unfinished, ignore_errors=True)
                _make_cluster(unfinished, self._account)
                unfinished.rename(template)
        run(find_program("cp"), "--archive", "--reflink=auto", template, self._directory)

    def _is_gone(self) -> bool:
        return not self._pids()

    def _pids(self) -> list[int]:
        return [pid for pid in _processes() if _is_backend(pid, str(self._directory))]

    def _signal_all(self, number: signal.Signals) -> None:
        for pid in self._pids():
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def _answers(self) -> bool:
        ready = run(find_program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port), code=None)
        return ready.returncode == 0


def keep_template(directory: Path) -> None:
    """From now on the first server is made there, by whichever process needs one first, and all others are copies of it:
    that takes a small part of the time."""
    global _templates
    _templates = directory
    directory.chmod(0o711)  # for the account that PostgreSQL runs as


def _make_cluster(directory: Path, account: str | None) -> None:
    password = directory.with_suffix(".password")
    password.write_text(PASSWORD)
    directory.mkdir(mode=0o700)
    if account is not None:
        shutil.chown(password, account)
        shutil.chown(directory, account)
    run(
        *(find_program("initdb"), "--no-sync", "--no-locale", "--encoding=UTF8", f"--username={ROLE}"),
        *("--auth=scram-sha-256", f"--pwfile={password}", "-D", directory),
        cwd=directory.parent,
        limits=MAKE_LIMITS,
        **becoming(account),
    )
    with (directory / "pg_hba.conf").open("a") as file:
        file.write("host all all all scram-sha-256\n")


def _account() -> str | None:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _processes() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _is_backend(pid: int, directory: str) -> bool:
    try:
        return os.readlink(f"/proc/{pid}/cwd") == directory
    except OSError:
        return False
