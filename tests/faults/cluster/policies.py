# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What each --quota-failure grants while Redis does not count, and what the log says about it."""

import time

from support.checks import hold, wait_until

from .audit import ADMITTED, REFUSED, UNAVAILABLE, Audit, hold_bound, start_attack
from .shops import Key, Shop

PAIR = 2
POLICIES = ("closed", "degraded", "open")
SHARED = 600
LARGE = 20_000  # what clients take some seconds for
ENOUGH = 50
ERROR_PAUSE_SECONDS = 10  # between two lines about the same error
# Those of docs/cluster.md, with no key and no channel.
RIGHTS = (
    "+hello +auth +ping +select +info +config|get +eval +evalsha +time +get +set +hmget +hset +pexpire +zadd +zrem "
    "+zremrangebyscore +zcard +zscore +publish +psubscribe"
).split()


def shop_under(stand, uri: str, policy: str, database=None) -> Shop:
    """Two nodes, which know how many they are also if they have never reached Redis."""
    flags = ("--ban-strikes", "0", "--quota-nodes", str(PAIR), "--quota-failure", policy)
    return Shop(stand, uri, nodes=PAIR, flags=flags, database=database)


def close(shop: Shop) -> None:
    for server in shop.servers:
        code = server.stop()
        hold(code == 0, f"a node ended with {code}:\n{server.child.errors()[-2000:]}")


def hold_policy(stand, shop: Shop, policy: str, key: Key) -> str:
    """While Redis does not count that key, of which nothing was used: what clients get that ask every node."""
    audit = Audit(stand, shop.servers)
    audit.attack_everywhere(key.secret)
    wanted = {"closed": UNAVAILABLE, "degraded": REFUSED, "open": ADMITTED}[policy]
    enough = SHARED if policy == "open" else ENOUGH
    for node in range(PAIR):
        wait_until(lambda: audit.count(key.secret, wanted, node=node) > enough, f"{policy}: node {node} answers otherwise")
    audit.stop()
    found = audit.find(key.secret, SHARED)
    others = {status for status, count in found.statuses.items() if count > 0 and status not in (wanted, ADMITTED)}
    hold(others == set(), f"{policy}: answers {dict(found.statuses)}")
    if policy == "closed":
        hold(found.admitted == 0, f"closed: {found.admitted} were admitted")
    if policy == "degraded":
        hold(all(found.by_node[node] > 0 for node in range(PAIR)), f"a node has no share: {dict(found.by_node)}")
        hold_bound(found, SHARED, "degraded: shares of a")
    return f"{policy} {found.admitted} of {found.asked}"


def hold_exact_through(stand, shop: Shop, fault, mend, lost: int = 0) -> str:
    """Under attack and `closed`: what is granted before the fault and after it, of one quota. `lost`: what Redis may have
    forgotten meanwhile."""
    audit, (key,) = start_attack(stand, shop, LARGE)
    wait_until(lambda: audit.count(key.secret, ADMITTED) > 1000, "nothing is admitted")
    fault()
    broken = time.monotonic()
    for node, server in enumerate(shop.servers):
        wait_until(lambda: audit.count(key.secret, UNAVAILABLE, broken, node) > ENOUGH, f"node {node} does not notice")
        wait_until(lambda: not server.is_ready(), "a node that refuses everything is ready")
    mend()
    audit.wait_until_decided(key.secret, time.monotonic(), "does not count again")
    audit.wait_for_refusals(key.secret, ENOUGH)
    audit.stop()
    for server in shop.servers:
        wait_until(server.is_ready, "a node is not ready again")
    return hold_bound(audit.find(key.secret, LARGE), LARGE + lost, "key")


def hold_told(shop: Shop, event: str, *parts: str, kinds: int = 1, most: int | None = None) -> None:
    """Each node's log has such a line, and not one for each request. `kinds` of errors may have lines of their own."""
    for server in shop.servers:
        wait_until(
            lambda: any(all(part in line for part in parts) for line in server.details(event)),
            f"no line of {event} has {parts}",
            server.child,
        )
        lines = server.details(event)
        seconds = time.monotonic() - shop.begun
        allowed = most or kinds * (1 + int(seconds / ERROR_PAUSE_SECONDS))
        hold(len(lines) <= allowed, f"{len(lines)} lines of {event} in {seconds:.0f} s: {lines[:5]}")


def hold_counts_again(stand, shop: Shop) -> None:
    """Every node, with Redis."""
    for server in shop.servers:
        wait_until(lambda: server.metric("petstore_quota_redis_answers") == 1, "a node does not ask Redis again")
    audit, (key,) = start_attack(stand, shop, SHARED)
    audit.wait_for_refusals(key.secret, ENOUGH)
    audit.stop()
    hold_bound(audit.find(key.secret, SHARED), SHARED, "a key of the time after it, with")
