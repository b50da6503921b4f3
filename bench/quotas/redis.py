# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A Redis of the benchmark's own, set up as quotas want it."""

import socket
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

from comparison.processes import Child, ServerFault
from comparison.servers import free_port

START_PATIENCE_SECONDS = 20


class Redis:
    def __init__(self, stack: ExitStack, directory: Path, core: int):
        self._port = free_port()
        (directory / "redis").mkdir()
        command = ["redis-server", "--port", str(self._port), "--bind", "127.0.0.1", "--save", ""]
        command += ["--dir", str(directory / "redis"), "--appendonly", "yes", "--maxmemory-policy", "noeviction"]
        child = Child(command, directory, core)
        stack.callback(child.stop)
        end = time.monotonic() + START_PATIENCE_SECONDS
        while self._ask("PING") != "PONG":
            if time.monotonic() > end:
                raise ServerFault(f"Redis did not start:\n{child.errors()}")
            time.sleep(0.02)

    def uri(self, database: int) -> str:
        return f"redis://127.0.0.1:{self._port}/{database}"

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self._port))

    def load_script(self, text: str) -> str:
        """Its digest."""
        return self._ask("SCRIPT", "LOAD", text)

    def figures(self) -> dict[str, float]:
        """What it counts of its own work since it began."""
        told = dict(line.split(":", 1) for line in self._ask("INFO", "everything").splitlines() if ":" in line)
        scripts = (told.get(f"cmdstat_{name}", "calls=0") for name in ("evalsha", "eval"))
        return {
            "cpu": float(told["used_cpu_user"]) + float(told["used_cpu_sys"]),
            "commands": int(told["total_commands_processed"]),
            "reads": int(told["total_reads_processed"]),
            "scripts": sum(int(of_one.split(",")[0].removeprefix("calls=")) for of_one in scripts),
            "memory": int(told["used_memory_dataset"]),
            "stored": int(self._ask("DBSIZE")),
        }

    def _ask(self, *command: str) -> str:
        words = ["redis-cli", "-p", str(self._port), *command]
        return subprocess.run(words, capture_output=True, text=True).stdout.strip()
