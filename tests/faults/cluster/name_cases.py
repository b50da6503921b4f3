# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Name servers that say nothing."""

import sys
import time

from runner.case import case
from support.checks import find_program, hold
from support.network import Machine

SILENT_SECONDS, TRIES = 30, 5  # the longest that the system can be told to wait for a name server
SILENT_SERVER = """
import socket
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
print("listens", flush=True)
while True:
    server.recv(4096)
    print("is asked", flush=True)
"""


@case(
    injected=f"a Redis that has a name, and a name server that is silent for {SILENT_SECONDS * TRIES} s; SIGTERM meanwhile",
    must_hold="the node ends well and does not wait for the name server",
    needs=("root", "ip", "unshare", "nsenter", "mount"),
)
def silent_name_server(stand) -> str:
    machine = Machine(stand)
    names = stand.start([*machine.under, sys.executable, "-c", SILENT_SERVER])
    names.wait_for_line("listens")
    settings = stand.directory / "resolv.conf"
    settings.write_text(f"nameserver 127.0.0.1\noptions timeout:{SILENT_SECONDS} attempts:{TRIES}\n")
    # Its own mounts go with it.
    mount = f'mount --bind {settings} /etc/resolv.conf && exec "$@"'
    under = (*machine.under, find_program("unshare"), "--mount", "sh", "-c", mount, "sh")
    server = stand.serve("memory:", "--quota", "redis://quotas.petstore.test", under=under)
    names.wait_for_line("is asked")
    begun = time.monotonic()
    code = server.stop()
    took = time.monotonic() - begun
    hold(code == 0, f"it ended with {code}:\n{server.child.errors()[-2000:]}")
    hold(took < SILENT_SECONDS, f"it ended after {took:.1f} s")
    return f"after {took:.1f} s"
