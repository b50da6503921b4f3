# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A server on a store of its own, and the client that loads it."""

import http.client
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

# Quotas that no load here reaches.
PLAN = "[plans.bench]\nper_minute = 16777215\nper_day = 4000000000\n"
READY_POLL_SECONDS = 0.002
WARM_UP_SECONDS = 0.3


class Programs:
    """What is run, from a release build of the project."""

    def __init__(self, build: Path):
        self.petstore = build.resolve() / "petstore"
        self.load = build.resolve() / "bench/floor/loopback_load"
        self.bare_commits = build.resolve() / "bench/store/bare_commits"
        self.slow_sync = build.resolve() / "bench/store/libslow_sync.so"


class Shop:
    """Its directory is gone at the end. `environment` is the server's."""

    def __init__(self, programs: Programs, parent: Path, environment: dict[str, str] | None = None):
        self.programs = programs
        self._environment = {**os.environ, **(environment or {})}
        self._temporary = tempfile.TemporaryDirectory(prefix="petstore-bench-", dir=parent)
        self.directory = Path(self._temporary.name)
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
        done = subprocess.run([self.programs.petstore, *arguments, *self._options], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"petstore {' '.join(map(str, arguments))} failed:\n{done.stderr}")
        return done.stdout

    def start(self) -> float:
        """The seconds until the server says that it is ready. One thread serves."""
        begin = time.monotonic()
        command = [self.programs.petstore, "serve", *self._options, "--threads", "1", "--access-log", "off"]
        command += ["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--log-file", self.directory / "log"]
        self._server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=self._environment)
        self.port = _port_of(self._server.stdout.readline())
        admin_port = _port_of(self._server.stdout.readline())
        while not _is_ready(admin_port):
            time.sleep(READY_POLL_SECONDS)
        return time.monotonic() - begin

    def stop(self) -> None:
        if not self._server:
            return
        self._server.terminate()
        self._server.wait()
        self._server.stdout.close()
        self._server = None

    @property
    def pid(self) -> int:
        return self._server.pid

    def measure(self, method: str, path: str, body: bytes, connections: int, seconds: float, status: int) -> dict:
        """What the load client says of this request, sent again and again."""
        request = self.directory / "request"
        head = f"{method} {path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {self.key}\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        request.write_bytes(head.encode() + b"\r\n" + body)
        command = [self.programs.load, "--port", str(self.port), "--request", request]
        command += ["--connections", str(connections), "--warm-up", str(WARM_UP_SECONDS), "--seconds", str(seconds)]
        command += ["--server-process", str(self.pid)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"the load client failed:\n{done.stderr}")
        report = json.loads(done.stdout)
        if set(report["statuses"]) != {str(status)}:
            raise SystemExit(f"{method} {path} was not always answered {status}: {report['statuses']}")
        report["server_us"] = report["server_processor_seconds"] / report["requests"] * 1e6
        return report


def _port_of(line: str) -> int:
    return int(line.partition("://")[2].partition("/")[0].rpartition(":")[2])


def _is_ready(admin_port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", admin_port)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    finally:
        connection.close()
