# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The PROXY protocol as HAProxy speaks it: passing bytes on without looking at them, and checking its server."""

from contextlib import ExitStack

from support import balancers
from runner.case import case
from support.checks import hold, wait_until
from support.http import Closed, Connection, request
from support.ports import free_port

HAPROXY = """
defaults
    mode tcp
    timeout connect 5s
    timeout client 20s
    timeout server 20s
    timeout check 5s
listen shop
    bind 127.0.0.1:{port}
    option httpchk GET /readyz
    server node 127.0.0.1:{node} {header} check check-send-proxy inter 200ms
"""
SHARE = 4  # of connections
FREE_REQUESTS = 60  # a minute, for an address without a key


def _start(stand, header: str) -> tuple[int, int]:
    """The ports of HAProxy and of the node behind it."""
    proxies = ("--proxy-protocol", "required", "--trusted-proxies", "127.0.0.1")
    node = stand.serve("memory:", *proxies, "--connections-per-address", str(SHARE))
    port = free_port()
    command = balancers.haproxy(stand, HAPROXY.format(port=port, node=node.port, header=header))
    balancers.start(stand, command, port)
    wait_until(lambda: _answers(port), "nobody answers behind HAProxy: its checks fail")
    return port, node.port


def _answers(port: int) -> bool:
    try:
        return request(port, "GET", "/v1/pets").status == 401
    except (Closed, OSError):
        return False


def _hold_by_address(stand, header: str) -> None:
    port, node_port = _start(stand, header)
    with Connection(port, source="127.0.0.6") as connection:
        first = connection.request("GET", "/v1/pets")
        left = int(first.fields["x-ratelimit-remaining"])
        hold(left == FREE_REQUESTS - 1, f"a new client has {left} requests left, which others have used")
    # The share of connections is the client's, and not HAProxy's.
    with ExitStack() as stack:
        sources = ["127.0.0.7"] * (SHARE + 1) + ["127.0.0.8"]
        connections = [stack.enter_context(Connection(port, source=source)) for source in sources]
        statuses = [connection.request("GET", "/v1/pets").status for connection in connections]
    # HAProxy's threads may open the five connections in another order.
    of_one, of_other = sorted(statuses[:-1]), statuses[-1]
    told = f"{SHARE + 1} clients of one address got {of_one}, one of another {of_other}"
    hold(of_one == [401] * SHARE + [503] and of_other == 401, told)
    try:
        answer = request(node_port, "GET", "/v1/pets")
        hold(False, f"a client without a header is answered {answer.status}")
    except Closed:
        pass


@case(
    injected="clients of several addresses behind an HAProxy that sends PROXY headers of version 1",
    must_hold="its checks pass, and each client has its own quota and its own share of connections",
    needs=("haproxy",),
)
def behind_version_1(stand) -> None:
    _hold_by_address(stand, "send-proxy")


@case(
    injected="the same with version 2, whose checks are LOCAL connections",
    must_hold="its checks pass, and each client has its own quota and its own share of connections",
    needs=("haproxy",),
)
def behind_version_2(stand) -> None:
    _hold_by_address(stand, "send-proxy-v2")
