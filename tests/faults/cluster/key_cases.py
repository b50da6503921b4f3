# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What is decided at one place and has to hold at all of them: keys, and bans."""

import json
import time

from runner.case import case
from support.checks import hold, wait_until
from support.redis import Redis

from .audit import REFUSED
from .shops import NODES, Key, Shop

NEEDS = ("postgres", "redis-server", "redis-cli")
SOON_SECONDS = 5  # within about one
TRIES = 3  # one in which the machine did nothing else for long is enough
STRIKES = 20


@case(
    injected="keys made and revoked by the command line while three nodes serve",
    must_hold="all nodes know the new key and refuse the revoked one soon, without being told",
    needs=NEEDS,
)
def keys_on_all_nodes(stand) -> str:
    shop = Shop(stand, Redis(stand).uri)
    for _ in range(TRIES):
        made = json.loads(stand.run("keys", "create", "--store", shop.store, "--json", "--plan", "free"))
        key = Key(made["key"], made["id"])
        known = _until_all(shop, key, 200, "the new key")
        stand.run("keys", "revoke", "--store", shop.store, key.id)
        refused = _until_all(shop, key, 401, "the revoked key")
        if max(known, refused) < SOON_SECONDS:
            break
    hold(known < SOON_SECONDS, f"the new key was known after {known:.1f} s")
    hold(refused < SOON_SECONDS, f"the revoked key was refused after {refused:.1f} s")
    return f"known after {known:.2f} s, refused after {refused:.2f} s by {NODES} nodes"


@case(
    injected="a client that ignores the refusals of one node",
    must_hold="it is banned there, and soon on all nodes",
    needs=NEEDS,
)
def ban_on_all_nodes(stand) -> str:
    shop = Shop(stand, Redis(stand).uri, flags=("--ban-strikes", str(STRIKES), "--ban-grace", "50ms"))
    for _ in range(TRIES):
        key = shop.make_key(10)
        _ignore_refusals(shop.servers[0], key)
        begun = time.monotonic()
        for server in shop.servers[1:]:
            wait_until(lambda: _is_banned(server, key), "a node does not know of the ban")
        took = time.monotonic() - begun
        if took < SOON_SECONDS:
            break
    hold(took < SOON_SECONDS, f"the ban held on all nodes after {took:.1f} s")
    return f"after {took:.2f} s"


def _until_all(shop: Shop, key: Key, status: int, what: str) -> float:
    begun = time.monotonic()
    for server in shop.servers:
        wait_until(lambda: _status(server, key) == status, f"{what}: a node does not answer {status}")
    return time.monotonic() - begun


def _ignore_refusals(server, key: Key) -> None:
    wait_until(lambda: _is_banned(server, key), "the client that ignores refusals is not banned")


def _is_banned(server, key: Key) -> bool:
    answer = server.request("GET", "/v1/pets?limit=1", key.secret)
    return answer.status == REFUSED and answer.json()["code"] == "banned"


def _status(server, key: Key) -> int:
    return server.request("GET", "/v1/quota", key.secret).status
