# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What one case gets: the program, a directory of its own, and servers that end with it."""

import json
import signal
import subprocess
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from .case import Broken
from .processes import Child, environment

COMMAND_PATIENCE_SECONDS = 120


@dataclass
class Server:
    child: Child
    port: int
    admin_port: int
    host: str = "127.0.0.1"

    @property
    def pid(self) -> int:
        return self.child.pid

    def stop(self) -> int:
        return self.child.stop()


class Stand:
    """`tools` is where the build puts the programs of these tests."""

    def __init__(self, program: Path, tools: Path):
        self.program = program
        self.tools = tools
        self._stack = ExitStack()
        self.directory = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="petstore-faults-")))

    def __enter__(self) -> "Stand":
        return self

    def __exit__(self, *_) -> None:
        self._stack.close()

    def at_end(self, act, *arguments) -> None:
        """Runs when the case ends, whatever way; the last one first."""
        self._stack.callback(act, *arguments)

    def run(self, *arguments: str, code: int = 0, variables: dict[str, str] | None = None) -> str:
        """A command of the program, with what it prints on standard output."""
        done = self.try_run(*arguments, variables=variables)
        if done.returncode != code:
            raise Broken(f"petstore {' '.join(arguments)} ended with {done.returncode}, not {code}:\n{done.stderr}")
        return done.stdout

    def try_run(
        self, *arguments: str, variables: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.program, *arguments],
            cwd=self.directory,
            env=environment(variables),
            capture_output=True,
            text=True,
            timeout=COMMAND_PATIENCE_SECONDS,
        )

    def make_key(self, store: str, *arguments: str) -> str:
        """Of a plan that no case exhausts, unless the arguments name another."""
        plan = arguments or ("--plan", "enterprise", "--per-minute", "16000000", "--per-day", "16000000")
        return json.loads(self.run("keys", "create", "--store", store, "--json", *plan))["key"]

    def serve(
        self,
        store: str,
        *flags: str,
        under: tuple[str, ...] = (),
        variables: dict[str, str] | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> Server:
        """`under` is the beginning of the command line, such as taskset. The log is the child's errors()."""
        listen = ["--listen", f"{host}:{port}", "--admin-listen", f"{host}:0"]
        child = self.start([*under, str(self.program), "serve", *listen, "--store", store, *flags], variables)
        port = _port_of(child.wait_for_line("listening on "))
        return Server(child, port, _port_of(child.wait_for_line("admin on ")), host)

    def start(
        self,
        command: list[str],
        variables: dict[str, str] | None = None,
        account: str | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
    ) -> Child:
        """Any program, which ends with the case."""
        child = Child(command, self.directory, environment(variables), account, stop_signal)
        self.at_end(child.stop)
        return child


def _port_of(url: str) -> int:
    return int(url.split("//")[1].split("/")[0].rsplit(":", 1)[1])
