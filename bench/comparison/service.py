# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The service as it is shipped, except for its access log, which `serving` decides: its store on disk, and quotas that
last."""

import json
import subprocess
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from .processes import Child, ServerFault, environment
from .rows import ANONYMOUS_PER_MINUTE, KEYS, Serving
from .servers import Server, port_of


@dataclass(frozen=True)
class Service:
    server: Server
    keys: dict[str, str]


def start_service(
    stack: ExitStack,
    program: Path,
    directory: Path,
    core: int | None,
    serving: Serving,
    under: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
    plans: dict[str, tuple[str, ...]] = KEYS,
    threads: int = 1,
) -> Service:
    """In an empty directory, with the sample animals of --demo and a key for each plan. `under` is the beginning of its
    command line."""
    store = "lmdb:shop"
    keys = {}
    for name, plan in plans.items():
        made = _run(program, directory, "keys", "create", "--store", store, "--name", name, "--json", *plan)
        description = json.loads(made)
        keys[name] = description["key"]
        if name == "banned":
            _run(program, directory, "keys", "ban", "--store", store, "--for", "1h", description["id"])

    command = [*under, str(program), "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]
    command += ["--store", store, "--demo", "--threads", str(threads)]
    command += ["--anonymous-per-minute", ANONYMOUS_PER_MINUTE]
    if under:
        # valgrind has less address space to give than the store asks for.
        command += ["--store-size", "256MiB"]
    child = Child([*command, *serving.value, *flags], directory, core)
    stack.callback(child.stop)
    port = port_of(child.wait_for_line("listening on "))
    # The last line it prints: from here on it has nothing to do but answer.
    child.wait_for_line("demo key ")
    return Service(Server(port, child.pid), keys)


def _run(program: Path, directory: Path, *arguments: str) -> str:
    command = [program, *arguments]
    done = subprocess.run(command, cwd=directory, env=environment(), capture_output=True, text=True)
    if done.returncode != 0:
        raise ServerFault(f"{program} {' '.join(arguments)} failed:\n{done.stderr}")
    return done.stdout
