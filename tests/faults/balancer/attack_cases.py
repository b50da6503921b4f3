# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""One client alone tries to take the service away from the others, through the balancers as deploy/ has them."""

import resource
import time
from collections.abc import Callable

from support.checks import hold
from support.http import Closed, Connection

from . import fronts, streams
from .fronts import through_each_balancer

ATTACKER = "127.0.0.2"
NODES = 3
CONNECTIONS = 8200  # more than deploy/haproxy has places for
# Fewer than one address may have; their streams are more than the balancers have connections to nodes.
STREAM_CONNECTIONS = 160
LEAST_STREAMS = 150  # which an address may well have
STREAMS = 100  # which HAProxy and nginx allow on a connection
ASKED = 20
SHORTEST_TIME_OUT_SECONDS = 10  # of the files: who waits for longer may have waited for it to end the attack
SLOW_BODY = b"POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
IDLE = b"GET /v1/nowhere HTTP/1.1\r\nHost: a\r\n\r\n"


class Shop:
    """One node, which the balancer takes for three, and its balancer."""

    def __init__(self, stand, kind: str):
        self.server, self.key = stand.serve_with_key("--demo", "--trusted-proxies", "127.0.0.1")
        self.front = fronts.start(stand, kind, [self.server.port] * NODES)

    def hold_others_served(self, otherwise: str) -> None:
        """Each on a connection of its own."""
        for number in range(ASKED):
            begun = time.monotonic()
            try:
                with self.front.connect() as other:
                    status = other.request("GET", "/v1/pets/1", self.key).status
            except (Closed, OSError) as failure:
                status = repr(failure)
            hold(status == 200, f"{otherwise}: number {number} of the others got {status}")
            waited = time.monotonic() - begun
            hold(waited < SHORTEST_TIME_OUT_SECONDS, f"{otherwise}: number {number} of the others waited {waited:.0f} s")


@through_each_balancer(
    injected="lists asked for with 7,000 quotation marks in the query, three times as often as there are nodes",
    must_hold="they are answered, and so is everybody else: the balancer takes no node for broken",
    alone=True,
)
def long_queries(stand, kind: str) -> str:
    shop = Shop(stand, kind)
    longest = 0
    for number in range(3 * NODES):
        with shop.front.connect(ATTACKER) as attacker:
            answer = attacker.request("GET", "/v1/pets?limit=1&x=" + 7_000 * '"', shop.key)
        hold(answer.status == 200, f"query {number} got {answer.status}")
        longest = max(longest, len(answer.fields["link"]))
        shop.hold_others_served("after a long query")
    return f"no Link above {longest} bytes"


@through_each_balancer(
    injected=f"{CONNECTIONS} connections of one address, each with a request whose body never ends",
    must_hold="others are served at once",
    alone=True,
)
def unfinished_bodies(stand, kind: str) -> str:
    shop = Shop(stand, kind)
    return _crowd_of_one(stand, shop, lambda: shop.front.connect(ATTACKER), SLOW_BODY)


@through_each_balancer(
    injected=f"{STREAM_CONNECTIONS} connections of one address, each with {STREAMS} requests over HTTP/2 whose bodies never end",
    must_hold="others are served at once",
    alone=True,
)
def unfinished_streams(stand, kind: str) -> str:
    shop = Shop(stand, kind)
    held: list[Connection] = []
    stand.at_end(lambda: [one.close() for one in held])
    begun = 0
    for _ in range(STREAM_CONNECTIONS):
        try:
            attacker = shop.front.connect(ATTACKER, protocol="h2")
            held.append(attacker)
            attacker.send(streams.begin())
            for number in range(STREAMS):
                attacker.send(streams.unfinished(number))
                begun += 1
        except OSError:  # closed, because there are too many streams
            pass
    shop.hold_others_served(f"beside {begun} streams of one address")
    hold(begun >= LEAST_STREAMS, f"only {begun} streams could be begun: the case tests nothing")
    return f"{begun} of {STREAM_CONNECTIONS * STREAMS} streams begun"


@through_each_balancer(
    injected=f"{CONNECTIONS} connections of one address, where no TLS is needed, that say nothing after one request",
    must_hold="others are served at once",
    alone=True,
)
def idle_connections(stand, kind: str) -> str:
    shop = Shop(stand, kind)
    return _crowd_of_one(stand, shop, lambda: Connection(shop.front.plain_port, source=ATTACKER), IDLE)


def _crowd_of_one(stand, shop: Shop, connect: Callable[[], Connection], sent: bytes) -> str:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 2 * CONNECTIONS), most))
    held: list[Connection] = []
    stand.at_end(lambda: [one.close() for one in held])
    for _ in range(CONNECTIONS):
        try:
            attacker = connect()
            held.append(attacker)
            attacker.send(sent)
        except OSError:  # refused, at once or after the handshake
            pass
    shop.hold_others_served(f"beside {len(held)} connections of one address")
    return f"{CONNECTIONS - len(held)} of {CONNECTIONS} refused within the handshake"
