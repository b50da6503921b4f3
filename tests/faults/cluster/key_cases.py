# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What is decided at one place and has to hold at all of them: keys, and bans."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

from runner.case import case
from support.checks import hold, wait_until
from support.http import Answer, request
from support.redis import Redis

from .audit import REFUSED
from .shops import NODES, Key, Shop

NEEDS = ("postgres", "redis-server", "redis-cli")
SOON_SECONDS = 5  # within about one
TRIES = 3  # one in which the machine did nothing else for long is enough
STRIKES = 20
TOKEN = "a-token-of-the-operators-of-this-very-case"
ROUNDS = 20


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


@case(
    injected="operators who change one key through different nodes at the same time, each with the same If-Match",
    must_hold="one of them wins each time, the audit has each change once, and all nodes follow soon",
    needs=NEEDS,
)
def operators_on_all_nodes(stand) -> str:
    tokens = stand.directory / "tokens"
    tokens.touch(mode=0o600)
    tokens.write_text(f"rosa operator {TOKEN}\n")
    flags = ("--admin-token-file", str(tokens), "--admin-hosts", "petstore.test")
    shop = Shop(stand, Redis(stand).uri, flags=flags)
    first, second, last = shop.servers

    once = {"Idempotency_Key": "once"}
    with ThreadPoolExecutor(NODES) as operators:
        body = {"name": "Rosa's", "plan": "free"}
        made = list(operators.map(lambda s: _administer(s, "POST", "/keys", body, **once), shop.servers))
        hold(all(answer.status == 201 for answer in made), f"a key was not made: {made}")
        secrets = [answer.json()["key"] for answer in made if "key" in answer.json()]
        hold(len(secrets) == 1, f"{len(secrets)} answers have the key of one creation")
        hold({answer.json()["id"] for answer in made} == {"k1"}, "a repeated creation made another key")
        for turn in range(ROUNDS):
            tag = _administer(first, "GET", "/keys/k1").fields["etag"]

            def rename(node: int, tag: str = tag, turn: int = turn) -> int:
                body = {"name": f"turn {turn}, by node {node}"}  # the same name again would change no tag
                return _administer(shop.servers[node], "PATCH", "/keys/k1", body, If_Match=tag).status

            statuses = sorted(operators.map(rename, range(NODES)))
            hold(statuses == [200, 412, 412], f"{NODES} changes of one state were answered {statuses}")
    changes = _administer(last, "GET", "/audit?limit=200").json()
    hold(len(changes) == 1 + ROUNDS, f"the audit has {len(changes)} changes and not {1 + ROUNDS}")

    key = Key(secrets[0], "k1")
    _until_all(shop, key, 200, "the new key")
    hold(_administer(second, "POST", "/keys/k1/revoke", {}).status == 200, "the key was not revoked")
    refused = _until_all(shop, key, 401, "the revoked key")
    hold(_administer(last, "GET", "/keys/k1").json()["state"] == "revoked", "a node shows the old state")
    return f"{ROUNDS} rounds on {NODES} nodes; refused after {refused:.2f} s"


def _administer(server, method: str, path: str, body: object = None, **fields: str) -> Answer:
    return request(server.admin_port, method, f"/admin/v1{path}", TOKEN, body, **fields)


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
