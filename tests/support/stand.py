# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What one test gets: the program, a directory of its own, and servers that end with it."""

import json
import signal
import subprocess
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from .checks import Broken
from .http import Answer, request
from .processes import Child, environment, run

STORE = "lmdb:shop"  # in the test's directory
PLENTY = ("--plan", "enterprise", "--per-minute", "16000000", "--per-day", "16000000")  # a quota that no test exhausts


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

    def request(self, method: str, target: str, key: str | None = None, body: object = None, **fields: str) -> Answer:
        """On a connection of its own."""
        return request(self.port, method, target, key, body, host=self.host, **fields)

    def knows(self, key: str) -> bool:
        """Costs the key nothing."""
        return self.request("GET", "/v1/quota", key).status == 200

    def readiness(self) -> tuple[int, str]:
        """The status of /readyz and what it says."""
        answer = request(self.admin_port, "GET", "/readyz", host=self.host)
        return answer.status, answer.body.decode()

    def is_ready(self) -> bool:
        return self.readiness()[0] == 200

    def metric(self, name: str, label: str = "") -> float:
        """The sum of all that have the label, which is written as in the page: 0 when there is none. A metric that is
        asked for without a label has to be there."""
        page = request(self.admin_port, "GET", "/metrics", host=self.host).body.decode()
        named = [line for line in page.splitlines() if line.partition("{")[0].partition(" ")[0] == name]
        if not named and not label:
            raise Broken(f"there is no metric {name}")
        return sum(float(line.split()[-1]) for line in named if label in line)

    def logged(self, event: str) -> int:
        """How many lines of the log are of this event."""
        return self.child.errors().count(f'"{event}"')

    def details(self, event: str) -> list[str]:
        """What these lines of the log say."""
        lines = [line for line in self.child.errors().splitlines(keepends=True) if f'"{event}"' in line]
        return [json.loads(line).get("detail", "") for line in lines if line.endswith("\n")]


class Stand:
    """`tools` is where the build puts the programs of these tests."""

    def __init__(self, program: Path, tools: Path = Path()):
        self.program = program
        self.tools = tools
        self._stack = ExitStack()
        self.directory = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="petstore-test-")))

    def __enter__(self) -> "Stand":
        return self

    def __exit__(self, *_) -> None:
        self._stack.close()

    def at_end(self, act, *arguments) -> None:
        """Runs when the test ends, whatever way; the last one first."""
        self._stack.callback(act, *arguments)

    def run(self, *arguments: str, code: int = 0, variables: dict[str, str] | None = None) -> str:
        """A command of the program, with what it prints on standard output."""
        return self.try_run(*arguments, code=code, variables=variables).stdout

    def try_run(
        self, *arguments: str, code: int | None = None, variables: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return run(self.program, *arguments, code=code, variables=environment(variables), cwd=self.directory)

    def make_key(self, store: str = STORE, *arguments: str, variables: dict[str, str] | None = None) -> str:
        """Of a plan that no test exhausts, unless the arguments name another."""
        command = ("keys", "create", "--store", store, "--json", *(arguments or PLENTY))
        return json.loads(self.run(*command, variables=variables))["key"]

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

    def serve_with_key(self, *flags: str, store: str = STORE, **more) -> tuple[Server, str]:
        """A server, and a key that it knows from its start."""
        key = self.make_key(store)
        return self.serve(store, *flags, **more), key

    def start(
        self,
        command: list[str],
        variables: dict[str, str] | None = None,
        account: str | None = None,
        stop_signal: signal.Signals = signal.SIGTERM,
        is_read: bool = True,
    ) -> Child:
        """Any program, which ends with the test."""
        child = Child(command, self.directory, environment(variables), account, stop_signal, is_read=is_read)
        self.at_end(child.close)
        return child


def _port_of(url: str) -> int:
    return int(url.split("//")[1].split("/")[0].rsplit(":", 1)[1])
