# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Well-behaved clients beside one that only begins TLS handshakes: the server's part of one costs a thousand times what
sending the first message again does."""

import time

from runner.case import case
from support.checks import hold, wait_until
from support.certificates import RSA, make_self_signed
from support.http import trusting_anybody

from .crowds import answers_a_second_on, connect_all, start_bad_clients

FLOOD_CONNECTIONS = 100
HANDSHAKES_A_MINUTE = 60
CLIENTS = 4
TURN_SECONDS = 1.0
TURNS = 2
TRIES = 4
FLOOD_MIN = 400  # handshakes that are refused
LEAST_SHARE = 0.5


class _Clients:
    """Connections that are kept, and ask again once they are answered."""

    def __init__(self, stand, server, key: str):
        self.server, self.key = server, key
        self._connections = connect_all(stand, server, key, CLIENTS, encryption=trusting_anybody())

    def answers_a_second(self) -> float:
        return answers_a_second_on(self._connections, self.key, TURN_SECONDS)


def _refused(server) -> float:
    return server.metric("petstore_connections_refused_total", 'reason="tls_handshakes_per_minute"')


@case(
    injected="100 connections that begin TLS handshakes (RSA, 2,048 bits), leave with the server's answer and come back at once",
    must_hold=(
        "their address gets its handshakes of the minute and is closed beyond them; clients that are connected get at least "
        "half of the answers that a server without the flood gives, and another address can still connect"
    ),
    needs=("openssl",),
    alone=True,
)
def beside_handshake_flood(stand) -> str:
    certificate, private_key = make_self_signed(stand.directory, RSA)
    flags = ("--demo", "--access-log", "off", "--threads", "1")
    flags += ("--tls-cert", str(certificate), "--tls-key", str(private_key))
    flags += ("--tls-handshakes-per-minute", str(HANDSHAKES_A_MINUTE))  # also for this machine
    beside = _Clients(stand, *stand.serve_with_key(*flags))
    without = _Clients(stand, *stand.serve_with_key(*flags, store="lmdb:quiet"))
    beside.answers_a_second()  # what is set up once is there
    without.answers_a_second()
    server = beside.server
    start_bad_clients(stand, server.port, "half-handshake", FLOOD_CONNECTIONS, "--pause", "0.01")
    share = 0.0
    began, refused_before = time.monotonic(), _refused(server)
    for _ in range(TRIES):
        with_flood = sum(beside.answers_a_second() for _ in range(TURNS))
        share = with_flood / max(1.0, sum(without.answers_a_second() for _ in range(TURNS)))
        if share > LEAST_SHARE:
            break
    flood = (_refused(server) - refused_before) / (time.monotonic() - began)
    enough = refused_before + FLOOD_MIN
    wait_until(lambda: _refused(server) > enough, f"there is no flood: {flood:.0f} handshakes a second are refused")
    _Clients(stand, server, beside.key).answers_a_second()
    told = f"{share:.0%} of the answers beside {flood:.0f} handshakes a second that are refused"
    hold(share > LEAST_SHARE, told)
    return told
