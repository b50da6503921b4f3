# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A server on a store of its own, and the client that loads it."""

import http.client
import json
import subprocess
import tempfile
import time
from pathlib import Path

from comparison.builds import find_built
from comparison.processes import Child, ServerFault, environment, on_core
from comparison.servers import port_of

# Quotas that no load here reaches.
PLAN = "[plans.bench]\nper_minute = 16777215\nper_day = 4000000000\n"
READY_POLL_SECONDS = 0.002
WARM_UP_SECONDS = 0.3
# By the targets that make them.
PLACES = {
    "petstore": "petstore",
    "petstore-load": "petstore-load",
    "loopback_load": "bench/floor/loopback_load",
    "bare_commits": "bench/store/bare_commits",
    "slow_sync": "bench/store/libslow_sync.so",
}


class Programs:
    """What is run, from a release build of the project. All of them must be there."""

    def __init__(self, build: Path, *targets: str):
        self._paths = {target: find_built(build / PLACES[target], target) for target in targets}

    def __getitem__(self, target: str) -> Path:
        return self._paths[target]


def slow_sync(programs: Programs, milliseconds: float) -> dict[str, str]:
    """The environment of a process each of whose syncs takes so long."""
    return {"LD_PRELOAD": str(programs["slow_sync"]), "SLOW_SYNC_MICROSECONDS": str(round(milliseconds * 1000))}


class Shop:
    """Its directory is gone at the end. `variables` are the server's, and `core` the only one that it runs on."""

    def __init__(
        self, programs: Programs, parent: Path, variables: dict[str, str] | None = None, core: int | None = None
    ):
        self.programs = programs
        self._variables = variables
        self._core = core
        self._temporary = tempfile.TemporaryDirectory(prefix="petstore-bench-", dir=parent)
        self.directory = Path(self._temporary.name).resolve()
        self.store = self.directory / "shop"
        self._server = None
        (self.directory / "petstore.toml").write_text(PLAN)
        self._options = ["--config", self.directory / "petstore.toml", "--store", f"lmdb:{self.store}"]
        self.key = json.loads(self.run("keys", "create", "--plan", "bench", "--json"))["key"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        self._temporary.cleanup()

    def run(self, *arguments) -> str:
        """A command of the program on this shop."""
        command = [self.programs["petstore"], *arguments, *self._options]
        done = subprocess.run(command, env=environment(), preexec_fn=on_core(None), capture_output=True, text=True)
        if done.returncode != 0:
            raise ServerFault(f"petstore {' '.join(map(str, arguments))} failed:\n{done.stderr}")
        return done.stdout

    def start(self) -> float:
        """The seconds until the server says that it is ready. One thread serves."""
        begin = time.monotonic()
        command = [self.programs["petstore"], "serve", *self._options, "--threads", "1", "--access-log", "off"]
        command += ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--log-file", self.directory / "log"]
        self._server = Child([str(word) for word in command], self.directory, self._core, self._variables)
        self.port = port_of(self._server.wait_for_line("listening on "))
        admin_port = port_of(self._server.wait_for_line("admin on "))
        while not _is_ready(admin_port):
            time.sleep(READY_POLL_SECONDS)
        return time.monotonic() - begin

    def stop(self) -> None:
        if self._server:
            self._server.close()
        self._server = None

    @property
    def pid(self) -> int:
        return self._server.pid

    def read(self, paths: list[str], connections: int, seconds: float) -> dict:
        """What the load client says of these pages, which are asked for in turn, again and again."""
        return self._load("".join(self._head("GET", path) + "\r\n" for path in paths), connections, seconds, 200)

    def post(self, path: str, body: str, connections: int, seconds: float) -> dict:
        """The same of this request."""
        fields = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        return self._load(self._head("POST", path) + fields + body, connections, seconds, 201)

    def _head(self, method: str, path: str) -> str:
        return f"{method} {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {self.key}\r\n"

    def _load(self, requests: str, connections: int, seconds: float, status: int) -> dict:
        file = self.directory / "requests"
        file.write_text(requests, newline="")
        command = [self.programs["loopback_load"], "--port", str(self.port), "--request", file]
        command += ["--connections", str(connections), "--warm-up", str(WARM_UP_SECONDS), "--seconds", str(seconds)]
        command += ["--server-process", str(self.pid)]
        done = subprocess.run(command, preexec_fn=on_core(None), capture_output=True, text=True)
        if done.returncode != 0:
            raise ServerFault(f"the load client failed:\n{done.stderr}")
        report = json.loads(done.stdout)
        if set(report["statuses"]) != {str(status)}:
            raise ServerFault(f"{requests.partition(' HTTP')[0]} was not always answered {status}: {report['statuses']}")
        report["server_us"] = report["server_processor_seconds"] / report["requests"] * 1e6
        return report


def _is_ready(admin_port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", admin_port)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    finally:
        connection.close()
