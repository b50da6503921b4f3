# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""More clients than there are places, and how the places are shared."""

import socket
import time
from contextlib import ExitStack

from runner.case import case
from support.checks import Broken, hold, wait_until
from support.http import Closed, Connection

from .crowds import check_refusal, connect_all, hold_served, is_served, start_bad_clients

PLACES = 100
TRIES = 100
SILENCES = (1, 4, 16)  # seconds: the first one that is long beside what this machine takes for a hundred requests


@case(
    injected="50 more connections than --max-connections allows",
    must_hold="each of them gets a whole 503 with every field and an orderly end; those that are there are served",
)
def more_than_the_maximum(stand) -> str:
    server, key = stand.serve_with_key("--demo", "--max-connections", str(PLACES), "--crowded-timeout", "1h")
    held = connect_all(stand, server, key, PLACES)
    for _ in range(50):
        with Connection(server.port) as surplus:
            hold("connections" in check_refusal(surplus), "the refusal does not say why")
    hold_served(held, key, "one that has a place is served no more")
    for client in held:
        client.close()
    wait_until(lambda: server.metric("petstore_connections") == 0, "places are not given back")
    hold(is_served(server.port, key), "a place that is free is not given to the next")
    return ""


@case(
    injected="100 connections of clients that were answered once, and say nothing more, take every place",
    must_hold="who comes after that is served at once, and it is the longest idle that make way",
    alone=True,
)
def idlers_in_every_place(stand) -> str:
    key = stand.make_key("lmdb:shop")
    for silence in SILENCES:
        with ExitStack() as opened:
            begun = time.monotonic()
            try:
                return _displace_idlers(stand, key, silence, opened)
            except (Broken, Closed):
                # Who was busy a moment ago has been silent for long by now, and nothing is proved.
                is_too_slow = time.monotonic() - begun > 2 * silence
                if not is_too_slow or silence == SILENCES[-1]:
                    raise
    return ""


def _displace_idlers(stand, key: str, silence: float, opened: ExitStack) -> str:
    flags = ("--demo", "--threads", "1", "--max-connections", str(PLACES), "--crowded-timeout", f"{silence}s")
    server = stand.serve("lmdb:shop", *flags)
    opened.callback(server.stop)
    idle = [opened.enter_context(Connection(server.port)) for _ in range(PLACES)]
    hold_served(idle, key, "one that has a place is not served")
    time.sleep(1.2 * silence)
    # Who goes on asking stays, however old the connection is.
    busy = idle[0]
    hold_served([busy], key, "an idle connection is ended before anybody needs it")
    later = [opened.enter_context(Connection(server.port)) for _ in range(PLACES // 2)]
    hold_served(later, key, "who comes later finds no place")
    hold_served([busy], key, "one that was not idle has lost its place")
    ended = sum(1 for client in idle[1:] if _has_ended(client))
    hold(ended == len(later), f"{ended} made way for {len(later)}")
    return f"{ended} made way"


def _has_ended(client: Connection) -> bool:
    client.socket.setblocking(False)
    try:
        return client.socket.recv(1) == b""
    except BlockingIOError:
        return False


@case(
    injected="100 connections whose heads never end take every place, and come back whenever they are ended",
    must_hold="others are served all the same",
    alone=True,
)
def unfinished_heads_in_every_place(stand) -> str:
    flags = ("--demo", "--max-connections", str(PLACES), "--crowded-timeout", "200ms")
    server, key = stand.serve_with_key(*flags)
    crowd = start_bad_clients(stand, server.port, "slow-head", PLACES, "--every", "0.2", "--pause", "0.3")
    served = 0
    for _ in range(TRIES):
        served += is_served(server.port, key)
        time.sleep(0.02)
    hold(crowd.is_running, "the crowd is gone")
    hold(served > TRIES // 4, f"of {TRIES} only {served} were served")
    return f"{served} of {TRIES} served"


@case(
    injected="one address opens twice as many connections as one address may",
    must_hold="what is too much gets a whole 503; other addresses are served; every way of ending gives the place back",
)
def one_address_and_its_share(stand) -> str:
    share = PLACES // 4
    flags = ("--demo", "--max-connections", str(PLACES), "--connections-per-address", str(share))
    server, key = stand.serve_with_key(*flags)
    for turn in range(4):
        held = connect_all(stand, server, key, share, source="127.0.0.2")
        for _ in range(share):
            with Connection(server.port, source="127.0.0.2") as surplus:
                hold("address" in check_refusal(surplus), "the refusal does not say why")
        with Connection(server.port, source="127.0.0.3") as other:
            hold_served([other], key, "another address is not served")
        for number, client in enumerate(held):
            _leave(client, number % 4, key)
        wait_until(lambda: server.metric("petstore_connections") == 0, f"turn {turn}: places are not given back")
    return ""


def _leave(client: Connection, way: int, key: str) -> None:
    """Orderly, in the middle of a head, by breaking a rule, or by a reset."""
    if way == 1:
        client.send(b"GET / HT")
    elif way == 2:
        client.send(b"no request\r\n\r\n")
        hold(client.answer().status == 400, "what is no request is not refused")
    elif way == 3:
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    client.close()


@case(
    injected="a trusted proxy opens all the connections there are, and one address may have four",
    must_hold="all of them are served, as many clients are behind them",
)
def a_proxy_has_no_share(stand) -> str:
    flags = ("--demo", "--max-connections", "40", "--connections-per-address", "4", "--trusted-proxies", "127.0.0.9")
    server, key = stand.serve_with_key(*flags)
    held = connect_all(stand, server, key, 40, source="127.0.0.9")
    return f"{len(held)} served"
