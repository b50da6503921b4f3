# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Redis that evicts what quotas are counted in, because another program fills it."""

from runner.case import case
from support.checks import hold, wait_until
from support.redis import Redis

from .audit import ADMITTED, REFUSED, REFUSALS_ENOUGH, Audit, hold_bound
from .policies import hold_told
from .shops import NODES, PLENTY, Shop

NEEDS = ("postgres", "redis-server", "redis-cli")
QUOTA = 300  # a day: the same period for every node, whatever Redis forgets
SPACE_BYTES = 2 * 1024 * 1024
# Values that live longer than any quota: volatile-ttl evicts quotas first.
FILL = """
for i = 1, 2000 do redis.call('SET', 'other:' .. ARGV[1] .. ':' .. i, string.rep('x', 1000), 'EX', 1000000) end
"""
# Since when a value counts, as acquire.lua packs it.
NEVER = "0"
BORN = "return tostring(struct.unpack('<I7', redis.call('GETRANGE', KEYS[1], 23, 29) .. string.rep('\\0', 7)))"


class Evictor:
    """Another program with the same Redis, which has little memory left."""

    def __init__(self, redis: Redis, policy: str):
        self._redis = redis
        self._filled = 0
        used = next(line for line in redis.ask("INFO", "memory").splitlines() if line.startswith("used_memory:"))
        redis.ask("CONFIG", "SET", "maxmemory", str(int(used.split(":")[1]) + SPACE_BYTES))
        redis.ask("CONFIG", "SET", "maxmemory-policy", policy)

    def evict(self, name: str) -> None:
        """Fills the memory until the key of this name is gone, or there again: then it counts since another time."""
        before = self._born(name)
        if before == NEVER:  # it is gone already
            return
        wait_until(lambda: self._fill() or self._born(name) != before, f"{name} is not evicted")

    def _fill(self) -> None:
        self._filled += 1
        self._redis.ask("EVAL", FILL, "0", str(self._filled))

    def _born(self, name: str) -> str:
        return self._redis.ask("EVAL", BORN, "1", name)


@case(
    injected="Redis evicts a used-up quota (allkeys-lru, volatile-ttl) each time before another of three nodes is asked, "
    "and again and again while all are asked",
    must_hold="each node grants the quota once at most, so all together at most once for each node; each log names the setting "
    "when the node starts, and the evictions",
    needs=NEEDS,
)
def evicting_redis(stand) -> str:
    told = []
    for policy in ("allkeys-lru", "volatile-ttl"):
        redis = Redis(stand, "--maxmemory-policy", policy)
        shop = Shop(stand, redis.uri)
        hold_told(shop, "quota_redis_evicts", policy, "set noeviction", most=1)
        evictor = Evictor(redis, policy)
        key = shop.make_key(PLENTY, QUOTA)
        name = f"{{production:i:{key.id.removeprefix('k')}}}2"
        audit = Audit(stand, shop.servers)
        for node in range(NODES):
            audit.attack(node, key.secret)
            wait_until(lambda: audit.count(key.secret, REFUSED, node=node) > REFUSALS_ENOUGH, f"node {node} does not refuse")
            evictor.evict(name)
        audit.wait_for_refusals(key.secret, REFUSALS_ENOUGH)
        audit.stop()
        found = audit.find(key.secret, QUOTA)
        for node, admitted in found.by_node.items():
            hold(admitted <= QUOTA, f"node {node} admitted {admitted} of {QUOTA}")
        told.append(f"{policy}: {hold_bound(found, NODES * QUOTA, 'key')}")
        hold_told(shop, "quota_redis_evicted", "more memory", "noeviction", kinds=2)
        if policy == "volatile-ttl":  # which evicts also what is in use
            told.append(_hold_under_load(stand, shop, evictor))
        for server in shop.servers:
            server.stop()
        redis.stop()
    return "; ".join(told)


def _hold_under_load(stand, shop: Shop, evictor: Evictor) -> str:
    """All nodes are asked for one key while it is evicted again and again: who calls claims what it took."""
    quota = 20 * QUOTA
    key = shop.make_key(PLENTY, quota)
    name = f"{{production:i:{key.id.removeprefix('k')}}}2"
    audit = Audit(stand, shop.servers)
    audit.attack_everywhere(key.secret)
    wait_until(lambda: audit.count(key.secret, ADMITTED) > QUOTA, "nothing is admitted")
    evictions = 0
    while not audit.count(key.secret, REFUSED):
        evictor.evict(name)
        evictions += 1
    audit.wait_for_refusals(key.secret, REFUSALS_ENOUGH)
    audit.stop()
    return hold_bound(audit.find(key.secret, quota), NODES * quota, f"evicted {evictions} times,")
