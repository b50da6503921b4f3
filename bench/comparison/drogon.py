# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""drogon with one thread and a constant answer, built against an installation: no package of Debian 12 has it."""

import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

from .processes import Child, ServerFault
from .servers import Server, ask, free_port

SOURCE = Path(__file__).resolve().with_name("drogon_constant.cpp")
LIBRARIES = ("drogon", "trantor", "jsoncpp", "ssl", "crypto", "uuid", "z")
START_PATIENCE_SECONDS = 10


def build_drogon(prefix: Path, directory: Path) -> Path:
    program = directory / "drogon_constant"
    command = ["g++", "-std=c++20", "-O2", "-w", f"-I{prefix}/include", "-I/usr/include/jsoncpp", str(SOURCE)]
    command += ["-o", str(program), f"-L{prefix}/lib", *(f"-l{name}" for name in LIBRARIES), "-pthread"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise ServerFault(f"drogon's server could not be built:\n{done.stderr}")
    return program


def start_drogon(
    stack: ExitStack, program: Path, directory: Path, core: int, request: bytes, answer_bytes: int
) -> Server:
    """Its head is as long as it is, as nginx's."""
    body_bytes = answer_bytes // 2
    with ExitStack() as trial:
        server = _start_once(trial, program, directory, core, request, body_bytes)
        body_bytes += answer_bytes - len(ask(server, request))
    return _start_once(stack, program, directory, core, request, max(body_bytes, 1))


def _start_once(
    stack: ExitStack, program: Path, directory: Path, core: int, request: bytes, body_bytes: int
) -> Server:
    port = free_port()
    child = Child([str(program), str(port), str(body_bytes), str(directory)], directory, core)
    stack.callback(child.stop)
    server = Server(port, child.pid)
    end = time.monotonic() + START_PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            ask(server, request)
            return server
        except ConnectionRefusedError:
            time.sleep(0.01)
    raise ServerFault(f"drogon does not listen:\n{child.errors()}")
