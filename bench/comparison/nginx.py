# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""nginx with one worker and a constant answer: what a fast server of the world at large makes of the same requests."""

import shutil
import socket
import time
from contextlib import ExitStack
from pathlib import Path

from .processes import Child, ServerFault
from .servers import Server, ask, free_port

START_PATIENCE_SECONDS = 10

_CONFIGURATION = """\
daemon off;
worker_processes 1;
pid {directory}/nginx.pid;
error_log stderr error;
events {{ worker_connections 16384; }}
http {{
  access_log {access_log};
  server_tokens off;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
  client_body_temp_path {directory}/body;
  fastcgi_temp_path {directory}/fastcgi;
  proxy_temp_path {directory}/proxy;
  scgi_temp_path {directory}/scgi;
  uwsgi_temp_path {directory}/uwsgi;
  server {{
    listen 127.0.0.1:{port}{tls};
    default_type application/json;
    location / {{ return 200 "{body}"; }}
  }}
}}
"""


def find_nginx() -> str | None:
    # Not on everybody's path where Debian puts it.
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


def start_nginx(
    stack: ExitStack,
    program: str,
    directory: Path,
    core: int,
    request: bytes,
    answer_bytes: int,
    certificate_and_key: tuple[Path, Path] | None = None,
    access_log: str = "off",
) -> Server:
    """Its head is as long as it is, so how long the body must be is known after it has answered once, without TLS."""
    body_bytes = answer_bytes // 2
    with ExitStack() as trial:
        server = _start_once(trial, program, directory, core, body_bytes)
        body_bytes += answer_bytes - len(ask(server, request))
    return _start_once(stack, program, directory, core, max(body_bytes, 1), certificate_and_key, access_log)


def _tls_lines(certificate_and_key: tuple[Path, Path] | None) -> str:
    if certificate_and_key is None:
        return ""
    certificate, key = certificate_and_key
    return f" ssl;\n    ssl_certificate {certificate};\n    ssl_certificate_key {key};\n    ssl_protocols TLSv1.2 TLSv1.3"


def _start_once(
    stack: ExitStack,
    program: str,
    directory: Path,
    core: int,
    body_bytes: int,
    certificate_and_key: tuple[Path, Path] | None = None,
    access_log: str = "off",
) -> Server:
    port = free_port()
    file = directory / "nginx.conf"
    tls = _tls_lines(certificate_and_key)
    body = "x" * body_bytes
    file.write_text(
        _CONFIGURATION.format(directory=directory, port=port, tls=tls, access_log=access_log, body=body)
    )
    child = Child([program, "-c", str(file), "-e", "stderr"], directory, core)
    stack.callback(child.stop)
    end = time.monotonic() + START_PATIENCE_SECONDS
    workers = Path(f"/proc/{child.pid}/task/{child.pid}/children")
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            if worker := workers.read_text().split():
                return Server(port, int(worker[0]))
        except (ConnectionRefusedError, FileNotFoundError):
            pass
        time.sleep(0.01)
    raise ServerFault(f"nginx does not listen:\n{child.errors()}")
