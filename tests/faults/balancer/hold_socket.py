# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""hold_socket.py PORT COMMAND…: what systemd does for a socket unit, where there is no systemd. Holds a socket that
listens on that port of loopback, passes it to the command, and starts the command again each time it ends well."""

import ctypes
import os
import signal
import socket
import sys
import time

PR_SET_PDEATHSIG = 1
FIRST_PASSED = 3
BACKLOG = 4096
# Before it is started again, as if the start took its time: longer than TCP waits until it tries to connect a second
# time, by which alone a quick restart goes unnoticed.
PAUSE_SECONDS = 1.5

_libc = ctypes.CDLL(None)


def main() -> int:
    port, command = int(sys.argv[1]), sys.argv[2:]
    held = socket.create_server(("127.0.0.1", port), backlog=BACKLOG)
    while True:
        child = os.fork()
        if child == 0:
            _become(command, held)
        # Whoever ends us means the service, the last one.
        signal.signal(signal.SIGTERM, lambda *_: _end(child))
        print(f"started {child}", flush=True)
        _, status = os.waitpid(child, 0)
        if status != 0:
            return os.waitstatus_to_exitcode(status)
        time.sleep(PAUSE_SECONDS)


def _become(command: list[str], held: socket.socket) -> None:
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.dup2(held.fileno(), FIRST_PASSED) if held.fileno() != FIRST_PASSED else os.set_inheritable(FIRST_PASSED, True)
    passed = {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "public"}
    os.execve(command[0], command, os.environ | passed)


def _end(child: int) -> None:
    os.kill(child, signal.SIGTERM)
    os.waitpid(child, 0)
    sys.exit(0)


if __name__ == "__main__":
    sys.exit(main())
