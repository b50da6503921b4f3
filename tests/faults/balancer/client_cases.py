# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Which addresses are one client at nginx. It believes the case which address a request comes from, so that the machine needs
no networks for it."""

from runner.case import case
from support import balancers
from support.checks import hold
from support.http import request
from support.ports import free_port

from . import fronts

TELLING = """
server {{
    listen 127.0.0.1:{port};
    set_real_ip_from 127.0.0.1;
    real_ip_header X-Client;
    return 200 $petstore_client;
}}
"""
# Two addresses of one client, and one of another. An address is written without its longest run of zeros, wherever that is.
CLIENTS = (
    ("192.0.2.1", "192.0.2.1", "192.0.2.2"),
    ("2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:3::1"),
    ("2001:db8::1", "2001:db8::1:2:3:4", "2001:db8:0:1::1"),
    ("2001:db8::1", "2001:db8:0:0:1::", "2001:db9::1"),
    ("2001::1:2:3:4:5", "2001:0:0:1:6::", "2001::2:2:3:4:5"),
    ("2001:db8:1::1", "2001:db8:1:0:2:3:4:5", "2001:db8:1:1::1"),
    ("a0a:a0a:a0a:a0a::1", "a0a:a0a:a0a:a0a:a0a:a0a:a0a:a0a", "a0a:a0a:a0a:a0b::1"),
    ("::1", "::2:3:4:5", "0:0:0:1::1"),
)


@case(
    injected="requests from IPv6 addresses with zeros in every part, at nginx",
    must_hold="all addresses of a network of 64 bits are one client, and the next network is another one",
    needs=("nginx", "openssl"),
)
def ipv6_networks_at_nginx(stand) -> None:
    port = free_port()
    _, command = fronts.nginx(stand, [1, 2, 3], TELLING.format(port=port))
    balancers.start(stand, command, port)

    def client(address: str) -> bytes:
        return request(port, "GET", "/", X_Client=address).body

    for one, same, other in CLIENTS:
        hold(client(one) == client(same), f"{one} and {same} are two clients")
        hold(client(one) != client(other), f"{one} and {other} are one client")
