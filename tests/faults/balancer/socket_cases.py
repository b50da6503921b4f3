# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A single node is restarted while somebody else holds its socket."""

import os
import signal
import sys
from pathlib import Path

from runner.case import case
from support.checks import hold
from support.ports import free_port

from .load import Load

HOLDER = Path(__file__).with_name("hold_socket.py")
RESTARTS = 3
MUST_HOLD = "no client is refused, no connection is reset under a request, and no animal is lost or there twice"


@case(
    injected=f"SIGTERM to a node whose socket is passed to it (LISTEN_FDS), {RESTARTS} times, and 1.5 s until it starts"
    " again, while eight clients connect, read and add",
    must_hold=MUST_HOLD,
)
def restarted_with_its_socket_held(stand) -> str:
    key = stand.make_key("lmdb:shop")
    port = free_port()
    serve = [str(stand.program), "serve", "--store", "lmdb:shop", "--admin-listen", "127.0.0.1:0"]
    # Long enough for every client to come round, on any machine: so each learns from an answer that its connection ends.
    serve += ["--threads", "2", "--drain-delay", "2s"]
    holder = stand.start([sys.executable, "-B", str(HOLDER), str(port), *serve])
    child = int(holder.wait_for_line("started "))
    listens_on = holder.wait_for_line("listening on ")
    hold(f":{port}/" in listens_on, f"it listens on {listens_on} and not on the socket that it was passed")
    load = Load(stand, port, key)
    for _ in range(RESTARTS):
        load.wait_for_answers(100, holder)
        os.kill(child, signal.SIGTERM)
        child = int(holder.wait_for_line("started "))
        holder.wait_for_line("listening on ")
    load.wait_for_answers(100, holder)
    load.stop()
    hold(not load.faults(), load.faults())
    doubles = load.doubles([port])
    hold(not doubles, doubles)
    return f"{load.answers:,} requests, 0 failed"


@case(
    injected="passed sockets that make no sense: a file, one too many, a name that is unknown",
    must_hold="the program ends with 2 and says which one it is",
)
def wrong_sockets_are_passed(stand) -> None:
    serve = f"exec {stand.program} serve --store memory: --listen 127.0.0.1:0 --admin-listen 127.0.0.1:0"
    for count, names, opened, told in (
        (1, "public", "3</dev/null", "socket 3 `public` does not accept TCP connections"),
        (1, "public", "", "socket 3 `public` does not accept TCP connections"),
        (2, "left:right", "", "socket 3 `left` is for nothing"),
        (-1, "public", "", "LISTEN_FDS: `-1` is no number of sockets"),
    ):
        script = f"export LISTEN_PID=$$ LISTEN_FDS={count} LISTEN_FDNAMES={names}; {serve} {opened}"
        child = stand.start(["sh", "-c", script])
        code = child.wait()
        hold(code == 2 and told in child.errors(), f"ended with {code} and said {child.errors()!r}, not `{told}`")


@case(
    injected="the variables of another process's sockets",
    must_hold="they are nothing to the program: it opens its own",
)
def others_sockets_are_left_alone(stand) -> None:
    server = stand.serve("memory:", variables={"LISTEN_PID": "1", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "public"})
    hold(server.request("GET", "/v1/pets").status == 401, "it does not serve")
