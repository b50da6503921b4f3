# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Redis gone, for all nodes or for one: what each policy grants, and that counting goes on afterwards. Redis that has lost
everything."""

import statistics
import time
from collections import Counter

from runner.case import case
from support.checks import hold, wait_until
from support.http import Connection
from support.network import Machine
from support.postgresql import PostgreSQL
from support.redis import PASSWORD, Redis, Watched

from .audit import ADMITTED, REFUSALS_ENOUGH, REFUSED, UNAVAILABLE, Audit, hold_bound, start_attack
from .shops import NODES, PLENTY, Shop

NEEDS = ("postgres", "redis-server", "redis-cli")
AT_ONCE_SECONDS = 0.1


def ask(server, key, times: int = 1) -> Counter:
    """How often which status."""
    with Connection(server.port, host=server.host) as connection:
        return Counter(connection.request("HEAD", "/v1/pets?limit=1", key.secret).status for _ in range(times))


def answers_without_redis(server) -> bool:
    """Whether the node has noticed."""
    return server.metric("petstore_quota_redis_answers") == 0


def counts_again(server, key) -> bool:
    return ask(server, key)[ADMITTED] == 1 and server.metric("petstore_quota_redis_answers") == 1


def shop_without_redis(stand, policy: str):
    """A shop whose Redis has just gone, and a key of which half of 600 tokens were used."""
    redis = Redis(stand)
    shop = Shop(stand, redis.uri, flags=("--ban-strikes", "0", "--quota-failure", policy))
    key = shop.make_key(600)
    # On a slow machine Redis does not answer each of them in time.
    answers: Counter[int] = Counter()
    wait_until(lambda: answers.update(ask(shop.servers[0], key, 50)) or answers[ADMITTED] >= 300, "too few are admitted")
    for server in shop.servers:
        wait_until(lambda: server.metric("petstore_quota_nodes") == NODES, "a node does not know the others")
    redis.kill()
    return redis, shop, key


@case(
    injected="Redis gone, quota-failure closed",
    must_hold="requests are answered 503 with Retry-After, the nodes are not ready, and both ends when Redis is back",
    needs=NEEDS,
)
def closed_without_redis(stand) -> str:
    redis, shop, key = shop_without_redis(stand, "closed")
    for server in shop.servers:
        wait_until(lambda: ask(server, key)[UNAVAILABLE] == 1, "a node goes on admitting")
        wait_until(lambda: not server.is_ready(), "a node that refuses everything is ready")
        answers, times = Counter(), []
        for _ in range(50):
            begun = time.monotonic()
            answers += ask(server, key)
            times.append(time.monotonic() - begun)
        hold(answers == {UNAVAILABLE: 50}, f"answers {dict(answers)}")
        # One that takes long proves nothing: the machine may have done something else.
        hold(statistics.median(times) < AT_ONCE_SECONDS, "503 took long: requests wait for Redis")
    redis.start()
    for server in shop.servers:
        wait_until(lambda: counts_again(server, key), "a node does not count again")
        wait_until(lambda: server.is_ready(), "a node is not ready again")
    return f"{NODES} nodes"


@case(
    injected="Redis gone, quota-failure open",
    must_hold="every request is admitted, the nodes are ready, and quotas hold again when Redis is back",
    needs=NEEDS,
)
def open_without_redis(stand) -> str:
    redis, shop, key = shop_without_redis(stand, "open")
    for server in shop.servers:
        wait_until(lambda: ask(server, key, 20) and answers_without_redis(server), "a node has not noticed")
        answers = ask(server, key, 700)
        hold(answers == {ADMITTED: 700}, f"answers {dict(answers)}")
        hold(server.is_ready(), "a node is not ready")
    redis.start()
    for server in shop.servers:
        wait_until(lambda: server.metric("petstore_quota_redis_answers") == 1, "a node does not ask again")
        wait_until(lambda: ask(server, key)[REFUSED] == 1, "a node admits without end")
    return f"{NODES} nodes admitted 700 requests each on a quota of 600"


@case(
    injected="Redis gone, quota-failure degraded, and an attack on every node",
    must_hold="the nodes together grant no more than the quota once more, each its share, and are ready; afterwards it is "
    "counted",
    needs=NEEDS,
)
def degraded_without_redis(stand) -> str:
    redis, shop, key = shop_without_redis(stand, "degraded")
    audit = Audit(stand, shop.servers)
    audit.attack_everywhere(key.secret)
    audit.wait_for_refusals(key.secret, 50)
    audit.stop()
    for server in shop.servers:
        hold(server.is_ready(), "a node that has its share is not ready")
    found = audit.find(key.secret, 600)
    for node in range(NODES):
        hold(found.by_node[node] > 0, f"node {node} granted nothing")
    # A share each, and what was left of the tokens that they had taken ahead.
    told = hold_bound(found, 600 + 600 // NODES, "shares of a key with")
    redis.start()
    for server in shop.servers:
        wait_until(lambda: server.metric("petstore_quota_redis_answers") == 1, "a node does not ask again")
        wait_until(lambda: ask(server, key)[REFUSED] == 1, "what was granted without Redis is not counted")
    return told


@case(
    injected="the cable between one of three nodes and Redis pulled out under attack, and put back",
    must_hold="no key gets more than its quota; the node answers 503 meanwhile (closed), the others go on, and it counts "
    "again afterwards",
    needs=(*NEEDS, "root", "ip", "unshare", "nsenter"),
)
def partitioned_node(stand) -> str:
    machine = Machine(stand)
    clients, quotas = machine.connect(), machine.connect()
    redis = Redis(stand, addresses=f"127.0.0.1 {quotas.here}")
    database = PostgreSQL(stand, addresses=f"127.0.0.1,{clients.here}")
    # The others have time for Redis, on any machine: each 503 of theirs is one too many.
    shop = Shop(stand, redis.uri, nodes=NODES - 1, database=database)
    remote = stand.serve(
        database.uri.replace("127.0.0.1", clients.here),
        *("--quota", f"redis://:{PASSWORD}@{quotas.here}:{redis.port}"),
        *("--ban-strikes", "0", "--quota-failure", "closed"),
        under=machine.under,
        host=clients.there,
    )
    shop.servers.append(remote)
    quota, lonely = 20_000, NODES - 1
    audit, (key,) = start_attack(stand, shop, quota)
    wait_until(lambda: audit.count(key.secret, ADMITTED, node=lonely) > 100, "the remote node admits nothing")
    quotas.cut()
    cut = time.monotonic()
    wait_until(lambda: audit.count(key.secret, UNAVAILABLE, cut, lonely) > 0, "the node alone does not notice")
    noticed = time.monotonic()
    wait_until(lambda: audit.count(key.secret, UNAVAILABLE, noticed, lonely) > 100, "the node alone does not answer")
    for node in range(lonely):
        wait_until(lambda: audit.decided(key.secret, node, noticed), f"node {node} does not go on")
        hold(audit.count(key.secret, UNAVAILABLE, cut, node) == 0, f"node {node} suffers with it")
    quotas.mend()
    mended = time.monotonic()
    wait_until(lambda: audit.decided(key.secret, lonely, mended), "the node does not count again")
    audit.wait_for_refusals(key.secret, 50)
    audit.stop()
    return hold_bound(audit.find(key.secret, quota), quota, "key")


@case(
    injected="SIGKILL of the Redis master under attack; three Sentinels make its replica the master",
    must_hold="the nodes follow by themselves, and no key gets more than its quota and what had not been replicated",
    needs=NEEDS,
)
def failover(stand) -> str:
    watched = Watched(stand)
    shop = Shop(stand, watched.uri, flags=("--ban-strikes", "0", "--quota-failure", "closed"))
    quota = 20_000
    audit, (key,) = start_attack(stand, shop, quota)
    wait_until(lambda: audit.count(key.secret, ADMITTED) > 1000, "nothing is admitted")
    watched.master.kill()
    wait_until(lambda: watched.master_port() == watched.replica.port, "the Sentinels choose no other master")
    chosen = time.monotonic()
    audit.wait_until_decided(key.secret, chosen, "does not follow")
    followed = time.monotonic() - chosen
    audit.wait_for_refusals(key.secret, 50)
    audit.stop()
    found = audit.find(key.secret, quota)
    # What the master had answered and not yet sent to its replica: one lease of each node is more than enough.
    unreplicated = quota // 20
    return hold_bound(found, quota + unreplicated, "key") + f", followed after {followed:.1f} s"


@case(
    injected="FLUSHALL while two nodes refuse a key by themselves; then Redis killed, which keeps nothing, and started",
    must_hold="both nodes tell Redis again what they took, without a request that makes them, and nobody is admitted again",
    needs=NEEDS,
)
def forgetful_redis(stand) -> str:
    redis = Redis(stand, "--appendonly", "no")
    shop = Shop(stand, redis.uri)
    quota, fresh = 300, NODES - 1
    key = shop.make_key(PLENTY, quota)
    audit = Audit(stand, shop.servers)
    for node in range(fresh):
        audit.attack(node, key.secret)
    audit.wait_for_refusals(key.secret, REFUSALS_ENOUGH)
    (name,) = redis.ask("KEYS", "*:i:*}2").splitlines()

    def is_told() -> bool:
        # The head of the value, as acquire.lua packs it: the sixth number is the day's count.
        read = "return {struct.unpack('<BBI7I5I3I6', redis.call('GET', KEYS[1]) or string.rep('\\0', 30))}"
        return redis.ask("EVAL", read, "1", name).splitlines()[5:6] == [str(quota)]

    wait_until(is_told, "not the whole quota is used")
    audit.wait_until_spent(key.secret)
    lost = time.monotonic()
    took = []
    for forget in (lambda: redis.ask("FLUSHALL"), lambda: (redis.kill(), redis.start())):
        audit.wait_until_spent(key.secret)
        forget()
        begun = time.monotonic()
        wait_until(is_told, "Redis is not told what was used")
        took.append(time.monotonic() - begun)
        answers = ask(shop.servers[fresh], key, 20)
        hold(answers == {REFUSED: 20}, f"a node that had not been asked answers {dict(answers)}")
    audit.stop()
    hold(audit.count(key.secret, ADMITTED, lost) == 0, "the other nodes admit more")
    return "told after " + " and ".join(f"{seconds:.1f} s" for seconds in took)
