# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Redis that pauses for a moment, as a fork, a slow command or a busy machine makes it do: no reason to give it up."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor

from runner.case import case
from support.checks import hold, wait_until
from support.load_run import LoadRun
from support.postgresql import PostgreSQL
from support.redis import Redis

from .shops import PLENTY, Shop

NEEDS = ("postgres", "redis-server", "redis-cli")
KEYS = 1_000
QUOTA = 10  # a minute
RATE = 2_000
SECONDS = 10  # within one minute of each key: twice its quota
STALLS, STALL_SECONDS = 5, 0.04
CALLS_BETWEEN = 100  # that Redis has answered, before it stands still again
CALLS = "petstore_quota_calls_total"
KEPT_IN = "lmdb:made"


def make_keys(stand) -> list[str]:
    """In a store that needs no connection, from which they are copied."""
    numbers = ("--plan", "enterprise", "--per-minute", str(QUOTA), "--per-day", str(PLENTY))
    with ThreadPoolExecutor() as pool:
        made = pool.map(lambda _: stand.run("keys", "create", "--store", KEPT_IN, *numbers).strip(), range(KEYS))
        return list(made)


@case(
    injected=f"Redis stopped for {STALL_SECONDS * 1000:.0f} ms, {STALLS} times, while clients ask three nodes for {KEYS} "
    "keys at twice their quotas",
    must_hold="requests wait and are decided by Redis: no node gives it up, nobody is answered 503 (quota-failure closed), "
    "and no key gets more than its quota",
    needs=NEEDS,
    alone=True,
)
def stalled_redis(stand) -> str:
    keys = make_keys(stand)
    database = PostgreSQL(stand)
    stand.run("copy", "--from", KEPT_IN, "--to", database.uri)
    redis = Redis(stand)
    # With the deadline that nodes have.
    shop = Shop(stand, redis.uri, flags=("--ban-strikes", "0", "--quota-failure", "closed"), database=database)
    file = stand.directory / "keys"
    file.write_text("\n".join(keys))
    first, *others = [f"http://127.0.0.1:{server.port}/v1/pets?limit=1" for server in shop.servers]
    targets = [word for url in others for word in ("--target", url)]
    flags = ("--key", f"file:{file}", "--audit", "--rate", str(RATE), "--duration", f"{SECONDS}s")
    run = LoadRun(stand, first, *targets, *flags, key="")
    wait_until(lambda: _total(shop, CALLS) > KEYS, "nobody asks the nodes")
    for _ in range(STALLS):
        redis.child.send_signal(signal.SIGSTOP)
        time.sleep(STALL_SECONDS)
        redis.child.send_signal(signal.SIGCONT)
        seen = _total(shop, CALLS)
        wait_until(lambda seen=seen: _total(shop, CALLS) > seen + CALLS_BETWEEN, "Redis is not asked any more")
    results = run.results(codes=(0, 1))  # 1: the audit found something
    statuses = results["summary"]["statuses"]
    openings = _total(shop, "petstore_quota_breaker_openings_total")
    alone = _total(shop, "petstore_quota_policy_decisions_total")
    others = [finding["text"] for finding in results["audit"]["findings"] if finding["rule"] != "refused-early"]
    told = f"{statuses}, {openings:.0f} times given up, {alone:.0f} decided without Redis, {len(others)} findings"
    hold(set(statuses) == {"200", "429"} and openings == 0 and alone == 0, told)
    hold(statuses["200"] <= KEYS * QUOTA, f"{statuses['200']} were admitted on {KEYS} quotas of {QUOTA}")
    hold(others == [], f"the audit accuses: {others[:3]}")
    return told


def _total(shop: Shop, metric: str) -> float:
    return sum(server.metric(metric) for server in shop.servers)
