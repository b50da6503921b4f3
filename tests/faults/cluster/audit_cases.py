# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Quotas of several nodes while Redis is there: what the auditor counted against what each quota allows."""

import random
import time

from runner.case import case
from support.checks import hold, wait_until
from support.redis import Cluster, Redis

from .audit import REFUSALS_ENOUGH, REFUSED, Audit, hold_bound, start_attack
from .front import start_front
from .shops import NODES, PLENTY, WITHOUT_BANS, Shop, hold_spent

NEEDS = ("postgres", "redis-server", "redis-cli")
SPENT_SHARE = 0.95
FAULTS = 6
ANSWERS_BETWEEN_FAULTS = 100
REFUSALS_OF_AN_ATTACK = 1000
ATTACK_SECONDS = 6  # at least: what is held is a rate


def hold_all_bound(audit: Audit, keys: dict, share: float = 0) -> str:
    """Ends the attack when every key has all that it gets: not more than its quota, and that share of it."""
    for key in keys:
        audit.wait_until_spent(key.secret)
    audit.stop()
    told = []
    for key, quota in keys.items():
        found = audit.find(key.secret, quota)
        told.append(hold_bound(found, quota, "key"))
        hold_spent(found.most_in_a_period, quota, share, "a busy key")
    return "; ".join(told)


def hold_all_spent(audit: Audit, keys: dict) -> str:
    return hold_all_bound(audit, keys, SPENT_SHARE)


@case(
    injected="clients that ask three nodes as hard as they can, most of them one node, most of them for one key",
    must_hold="no key gets more than its quota in any period, and each gets at least 95 % of it",
    needs=NEEDS,
)
def skewed_attack(stand) -> str:
    shop = Shop(stand, Redis(stand).uri)
    keys = {shop.make_key(quota): quota for quota in (60, 300, 3000)}
    by_day = shop.make_key(PLENTY, 1000)
    keys[by_day] = 1000
    audit = Audit(stand, shop.servers)
    for place, key in enumerate(keys):
        for node in range(NODES):
            audit.attack(node, key.secret, connections=3 if node == place % NODES else 1)
    return hold_all_spent(audit, keys)


@case(
    injected="a balancer that sends each request of one client to another node than the one before",
    must_hold="the client gets at least 95 % of its quota and nothing beyond it",
    needs=(*NEEDS, "haproxy"),
)
def lone_key_that_hops(stand) -> str:
    quota = 600
    shop = Shop(stand, Redis(stand).uri)
    key = shop.make_key(quota)
    audit = Audit(stand, [start_front(stand, shop.servers)])
    audit.attack(0, key.secret)
    return hold_all_spent(audit, {key: quota})


@case(
    injected="SIGKILL of one node after the other, each started again, under attack",
    must_hold="no key gets more than its quota: what a node held is lost, never given twice",
    needs=NEEDS,
)
def killed_nodes(stand) -> str:
    shop = Shop(stand, Redis(stand).uri)
    audit, keys = start_attack(stand, shop, 600, 6000)
    dice = random.Random(5)
    for _ in range(FAULTS):
        victim = dice.randrange(NODES)
        audit.wait_for_answers(next(iter(keys)).secret, ANSWERS_BETWEEN_FAULTS, victim)
        shop.kill(victim)
        shop.start(victim)
    return hold_all_bound(audit, keys)


@case(
    injected="SCRIPT FLUSH again and again under attack: Redis has forgotten how quotas are counted",
    must_hold="no key gets more than its quota, and each gets at least 95 % of it",
    needs=NEEDS,
)
def forgotten_scripts(stand) -> str:
    redis = Redis(stand)
    shop = Shop(stand, redis.uri)
    audit, keys = start_attack(stand, shop, 3000)
    (key,) = keys
    for _ in range(2 * FAULTS):
        redis.ask("SCRIPT", "FLUSH")
        audit.wait_for_answers(key.secret, ANSWERS_BETWEEN_FAULTS)
    return hold_all_spent(audit, keys)


@case(
    injected="Redis killed and started again under attack, with every write on disk before its answer; nodes refuse "
    "meanwhile (quota-failure closed)",
    must_hold="no key gets more than its quota, and the nodes serve again by themselves",
    needs=NEEDS,
)
def restarted_redis(stand) -> str:
    redis = Redis(stand)
    shop = Shop(stand, redis.uri, flags=WITHOUT_BANS)
    audit, keys = start_attack(stand, shop, 3000)
    (key,) = keys
    for _ in range(3):
        audit.wait_for_answers(key.secret, ANSWERS_BETWEEN_FAULTS)
        redis.kill()
        for server in shop.servers:
            wait_until(lambda: server.metric("petstore_quota_redis_answers") == 0, "a node has not noticed")
        redis.start()
        back = time.monotonic()
        audit.wait_until_decided(key.secret, back, "does not count again")
    return hold_all_bound(audit, keys)


@case(
    injected="quotas in a Redis Cluster of three masters, a key's with one of them",
    must_hold="no key gets more than its quota, and each gets at least 95 % of it",
    needs=NEEDS,
)
def quotas_in_a_cluster(stand) -> str:
    cluster = Cluster(stand)
    shop = Shop(stand, cluster.uri)
    audit, keys = start_attack(stand, shop, 60, 120, 300, 600)
    told = hold_all_spent(audit, keys)
    used = sum(1 for node in cluster.nodes if node.calls() > 0)
    hold(used > 1, f"{used} of {len(cluster.nodes)} masters was asked")
    return f"{told}; {used} masters"


@case(
    injected="an attack on a key whose quota is used up",
    must_hold="the nodes refuse by themselves: Redis hears of it less than once a second from each",
    needs=NEEDS,
)
def exhausted_key(stand) -> str:
    redis = Redis(stand)
    shop = Shop(stand, redis.uri)
    audit, (key,) = start_attack(stand, shop, 60)
    audit.wait_for_refusals(key.secret, REFUSALS_ENOUGH)
    begun = time.monotonic()
    calls = [server.metric("petstore_quota_calls_total") for server in shop.servers]
    time.sleep(ATTACK_SECONDS)
    wait_until(lambda: audit.count(key.secret, REFUSED, begun) > REFUSALS_OF_AN_ATTACK, "there is no attack")
    more = [server.metric("petstore_quota_calls_total") - before for server, before in zip(shop.servers, calls)]
    seconds = time.monotonic() - begun
    refused = audit.count(key.secret, REFUSED, begun)
    audit.stop()
    for node, calls_of_node in enumerate(more):
        hold(calls_of_node < seconds, f"node {node} asked Redis {calls_of_node:.0f} times in {seconds:.1f} s")
    return f"{refused} refusals, {sum(more):.0f} calls of {NODES} nodes in {seconds:.1f} s"
