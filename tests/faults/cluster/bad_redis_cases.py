# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Redis that answers, but does not count: full, a replica, with another program's values, or for a user without rights."""

from runner.case import case
from support.checks import hold, wait_until
from support.postgresql import PostgreSQL
from support.redis import Redis

from .audit import UNAVAILABLE, hold_bound, start_attack
from .policies import (
    PAIR,
    POLICIES,
    RIGHTS,
    SHARED,
    close,
    hold_counts_again,
    hold_exact_through,
    hold_policy,
    hold_told,
    shop_under,
)
from .shops import Key, Shop, hold_spent

NEEDS = ("postgres", "redis-server", "redis-cli")
UNREPLICATED = 1000  # a lease of each node is more than enough
OF_LATER_VERSION = "\x04 the value of a later version"
TEXT = '{"of": "another program"}'


@case(
    injected="Redis reaches maxmemory, which evicts nothing, while clients ask two nodes; and gets more memory",
    must_hold="quota-failure decides (closed, degraded, open), nothing is admitted beyond its bound, each log names the cause "
    "and the remedy once in ten seconds, and Redis counts again afterwards",
    needs=NEEDS,
)
def full_redis(stand) -> str:
    redis, database = Redis(stand), PostgreSQL(stand)

    def set_limit(size: str) -> None:
        redis.ask("CONFIG", "SET", "maxmemory", size)

    told = []
    for policy in POLICIES:
        shop = shop_under(stand, redis.uri, policy, database)
        key = shop.make_key(SHARED)
        set_limit("1")
        told.append(hold_policy(stand, shop, policy, key))
        hold_told(shop, "quota_redis_error", "OOM", "more memory", "noeviction")
        hold_told(shop, "quota_redis_does_not_answer", "OOM", "more memory", most=1)
        set_limit("0")
        hold_counts_again(stand, shop)
        if policy == "closed":
            told.append(hold_exact_through(stand, shop, lambda: set_limit("1"), lambda: set_limit("0")))
        close(shop)
    return "; ".join(told)


@case(
    injected="the master becomes a replica of another server while clients ask two nodes, and a master again",
    must_hold="quota-failure decides (closed, degraded, open), nothing is admitted beyond its bound, each log says once that "
    "it is a replica and what to name instead, and Redis counts again afterwards",
    needs=NEEDS,
)
def master_that_becomes_a_replica(stand) -> str:
    redis, other, database = Redis(stand), Redis(stand), PostgreSQL(stand)

    def demote() -> None:
        redis.ask("REPLICAOF", "127.0.0.1", str(other.port))

    def promote() -> None:
        redis.ask("REPLICAOF", "NO", "ONE")

    told = []
    for policy in POLICIES:
        shop = shop_under(stand, redis.uri, policy, database)
        key = shop.make_key(SHARED)
        demote()
        for server in shop.servers:
            wait_until(lambda: server.logged("quota_redis_lost") > 0, "a node has not noticed")
        told.append(hold_policy(stand, shop, policy, key))
        hold_told(shop, "quota_redis_lost", "READONLY")
        hold_told(shop, "quota_redis_does_not_answer", f"127.0.0.1:{redis.port} is a replica", "Name its master", most=1)
        promote()
        hold_counts_again(stand, shop)
        if policy == "closed":
            told.append(hold_exact_through(stand, shop, demote, promote, UNREPLICATED))
        close(shop)
    return "; ".join(told)


@case(
    injected="a replica is given to two nodes as their Redis; later it is made a master",
    must_hold="quota-failure decides (closed, degraded, open), nothing is admitted beyond its bound, each log says once that "
    "it is a replica and what to name instead, and the nodes use the master by themselves",
    needs=NEEDS,
)
def replica_as_redis(stand) -> str:
    master, database = Redis(stand), PostgreSQL(stand)
    told = []
    for policy in POLICIES:
        replica = Redis(stand, "--replicaof", "127.0.0.1", str(master.port))
        shop = shop_under(stand, replica.uri, policy, database)
        key = shop.make_key(SHARED)
        told.append(hold_policy(stand, shop, policy, key))
        hold_told(shop, "quota_redis_does_not_answer", f"127.0.0.1:{replica.port} is a replica", "Name its master", most=1)
        for server in shop.servers:
            wait_until(lambda: server.is_ready() == (policy != "closed"), f"{policy}: /readyz says otherwise")
        replica.ask("REPLICAOF", "NO", "ONE")
        hold_counts_again(stand, shop)
        close(shop)
        replica.stop()
    return "; ".join(told)


@case(
    injected="a user of Redis who may not touch the keys of this environment; later it may",
    must_hold="quota-failure decides (closed, degraded, open), nothing is admitted beyond its bound, each log says that a right "
    "is missing, and Redis counts as soon as it is granted",
    needs=NEEDS,
)
def user_without_the_keys(stand) -> str:
    redis, database = Redis(stand), PostgreSQL(stand)
    told = []
    for policy in POLICIES:
        uri = redis.make_user("reset", *RIGHTS, "&{production}:recalls", "~{staging*")
        shop = shop_under(stand, uri, policy, database)
        key = shop.make_key(SHARED)
        told.append(hold_policy(stand, shop, policy, key))
        hold_told(shop, "quota_redis_error", "NOPERM", "lacks a right")
        hold_told(shop, "quota_redis_does_not_answer", "NOPERM", "lacks a right", most=1)
        redis.make_user("~{production*")
        hold_counts_again(stand, shop)
        close(shop)
    return "; ".join(told)


@case(
    injected="a user of Redis that has no channels, as ACL SETUSER makes it, and an attack on two nodes",
    must_hold="no key gets more than its quota, and each gets at least 95 % of it; each log says once what the user lacks",
    needs=NEEDS,
)
def user_without_the_channel(stand) -> str:
    redis = Redis(stand)
    shop = Shop(stand, redis.make_user(*RIGHTS, "~{production*"), nodes=PAIR)
    audit, (key,) = start_attack(stand, shop, SHARED)
    audit.wait_until_spent(key.secret)
    audit.stop()
    hold_told(shop, "quota_redis_recalls_refused", "NOPERM", "{production}:recalls", most=1)
    found = audit.find(key.secret, SHARED)
    hold_spent(found.most_in_a_period, SHARED, 0.95, "a busy key")
    return hold_bound(found, SHARED, "key")


@case(
    injected="values of another program and of a later version in the place of three keys' quotas, under attack on two nodes",
    must_hold="quota-failure decides for these keys alone (closed, degraded, open), nothing is admitted beyond its bound; "
    "another key gets its quota exactly; the values stay, each log names a key and the remedy",
    needs=NEEDS,
)
def values_of_others(stand) -> str:
    redis, database = Redis(stand), PostgreSQL(stand)
    told = []
    for policy in POLICIES:
        flags = ("--ban-strikes", "0", "--quota-deadline", "5s", "--quota-failure", policy)
        shop = Shop(stand, redis.uri, nodes=PAIR, flags=flags, database=database)
        for server in shop.servers:
            wait_until(lambda: server.metric("petstore_quota_nodes") == PAIR, "a node does not know the other")
        spoiled = [shop.make_key(SHARED) for _ in range(3)]
        a_list, a_text, of_later = (_name(key) for key in spoiled)
        redis.ask("EVAL", "redis.call('DEL', KEYS[1]) return redis.call('RPUSH', KEYS[1], 'a list')", "1", a_list)
        redis.ask("SET", a_text, TEXT)
        redis.ask("SET", of_later, OF_LATER_VERSION)

        beside, (good,) = start_attack(stand, shop, SHARED)
        told += [hold_policy(stand, shop, policy, key) for key in spoiled]
        beside.wait_until_spent(good.secret)
        beside.stop()
        found = beside.find(good.secret, SHARED)
        hold(found.statuses[UNAVAILABLE] == 0, f"another key is answered {dict(found.statuses)}")
        told.append(hold_bound(found, SHARED, "another key"))
        hold_spent(found.most_in_a_period, SHARED, 0.95, "another key")

        hold_told(shop, "quota_redis_error", a_list, "WRONGTYPE", "a database of their own", kinds=2)
        hold_told(shop, "quota_redis_error", "PETSTORE", "a database of their own", kinds=2)
        for server in shop.servers:
            hold(server.metric("petstore_quota_breaker_openings_total") == 0, "a node has given Redis up")
            hold(server.is_ready(), "a node is not ready")
        hold(redis.ask("LRANGE", a_list, "0", "-1") == "a list", "the list was changed")
        hold(redis.ask("GET", a_text) == TEXT, "the text was changed")
        hold(redis.ask("GET", of_later) == OF_LATER_VERSION, "the value of a later version was changed")
        close(shop)
    return "; ".join(told)


def _name(key: Key) -> str:
    """Of what nodes keep in Redis about it."""
    return f"{{production:i:{key.id.removeprefix('k')}}}2"
