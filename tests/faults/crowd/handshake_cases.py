# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Well-behaved clients beside one that only begins TLS handshakes: the server's part of one costs a thousand times what
sending the first message again does."""

import ssl
import subprocess
import threading
import time

from stand.case import case, hold
from stand.http import Connection

from .crowds import PET, metric, start_bad_clients

FLOOD_CONNECTIONS = 100
HANDSHAKES_A_MINUTE = 60
CLIENTS = 4
TURN_SECONDS = 1.0
TURNS = 2
TRIES = 4
LEAST_SHARE = 0.5


class _Encrypted(Connection):
    def __init__(self, port: int):
        super().__init__(port)
        anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        anybody.check_hostname = False
        anybody.verify_mode = ssl.CERT_NONE
        self.socket = anybody.wrap_socket(self.socket)


class _Clients:
    """Connections that are kept, and ask again once they are answered."""

    def __init__(self, stand, port: int, key: str):
        self._key = key
        self._connections = [_Encrypted(port) for _ in range(CLIENTS)]
        for connection in self._connections:
            stand.at_end(connection.close)

    def answers_a_second(self) -> float:
        end = time.monotonic() + TURN_SECONDS
        counts: list[int] = []

        def ask(connection: Connection) -> None:
            count = 0
            while time.monotonic() < end:
                if connection.request("GET", PET, self._key).status != 200:
                    return
                count += 1
            counts.append(count)

        threads = [threading.Thread(target=ask, args=(one,)) for one in self._connections]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        hold(len(counts) == CLIENTS, "a well-behaved client was not answered as it must be")
        return sum(counts) / TURN_SECONDS


def _refused(server) -> float:
    return metric(server, 'petstore_connections_refused_total{reason="tls_handshakes_per_minute"}')


@case(
    injected="100 connections that begin TLS handshakes (RSA, 2,048 bits), leave with the server's answer and come back at once",
    must_hold=(
        "their address gets its handshakes of the minute and is closed beyond them; clients that are connected get at least "
        "half of the answers that a server without the flood gives, and another address can still connect"
    ),
    needs=("openssl",),
)
def beside_handshake_flood(stand) -> str:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=stand.directory, check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    flags = ("--demo", "--access-log", "off", "--threads", "1", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
    flags += ("--tls-handshakes-per-minute", str(HANDSHAKES_A_MINUTE))  # also for this machine
    key, quiet_key = stand.make_key("lmdb:shop"), stand.make_key("lmdb:quiet")
    server, quiet = stand.serve("lmdb:shop", *flags), stand.serve("lmdb:quiet", *flags)
    beside, without = _Clients(stand, server.port, key), _Clients(stand, quiet.port, quiet_key)
    beside.answers_a_second()
    without.answers_a_second()
    start_bad_clients(stand, server.port, "half-handshake", FLOOD_CONNECTIONS, "--pause", "0.01")
    share = 0.0
    began, refused_before = time.monotonic(), _refused(server)
    for _ in range(TRIES):
        with_flood = sum(beside.answers_a_second() for _ in range(TURNS))
        share = with_flood / max(1.0, sum(without.answers_a_second() for _ in range(TURNS)))
        if share > LEAST_SHARE:
            break
    flood = (_refused(server) - refused_before) / (time.monotonic() - began)
    hold(flood > 100, f"there is no flood: {flood:.0f} handshakes a second are refused")
    _Clients(stand, server.port, key).answers_a_second()
    told = f"{share:.0%} of the answers beside {flood:.0f} handshakes a second that are refused"
    hold(share > LEAST_SHARE, told)
    return told
