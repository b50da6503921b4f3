# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""HAProxy in front of the nodes: each request goes to the next one, so that a client's tokens are never where it is."""

from dataclasses import dataclass

from support import balancers
from support.ports import free_port

CONFIGURATION = """
defaults
    mode http
    timeout connect 5s
    timeout server 30s
    timeout client 30s
frontend public
    bind 127.0.0.1:{port}
    default_backend nodes
backend nodes
    balance roundrobin
"""


@dataclass(frozen=True)
class Front:
    port: int
    host: str = "127.0.0.1"


def start_front(stand, servers: list) -> Front:
    front = Front(free_port())
    lines = [f"    server node-{number} {server.host}:{server.port}\n" for number, server in enumerate(servers)]
    command = balancers.haproxy(stand, CONFIGURATION.format(port=front.port) + "".join(lines))
    balancers.start(stand, command, front.port)
    return front
