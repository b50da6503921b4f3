# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What the audit of petstore-load says of a service that breaks meanwhile. A request that nobody answered may have been
charged or not: the audit allows for both, and accuses nobody of what it cannot know."""

from dataclasses import dataclass

from cluster.shops import EXACT, Shop
from runner.case import case
from support.checks import hold, wait_until
from support.load_run import LoadRun
from support.redis import Redis

NEEDS = ("postgres", "redis-server", "redis-cli")
FLAGS = ("--ban-strikes", "0", *EXACT)
NODES = 2
QUOTA = 2_000  # a minute
RATE = 400
SECONDS = 10
USED_BEFORE = 300  # of the quota, when the fault comes


@dataclass(frozen=True)
class Audited:
    admissions: int
    refusals: int
    unanswered: int
    unavailable: int  # 503
    findings: list[str]

    def __str__(self) -> str:
        told = f"{self.admissions} of {QUOTA} admitted, {self.refusals} refused, {self.unanswered} not answered"
        return f"{told}, {self.unavailable} with 503"


class Load:
    """A run under audit, on all nodes in turn."""

    def __init__(self, stand, shop: Shop):
        self._shop = shop
        self._key = shop.make_key(QUOTA).secret
        first, *others = [f"http://127.0.0.1:{server.port}/v1/pets?limit=1" for server in shop.servers]
        targets = [word for url in others for word in ("--target", url)]
        flags = ("--key", "env:SHOP_KEY", "--audit", "--rate", str(RATE), "--duration", f"{SECONDS}s")
        self._run = LoadRun(stand, first, *targets, *flags, key=self._key)

    def wait_until_under_way(self) -> None:
        wait_until(lambda: self._used() >= USED_BEFORE, "nobody asked the service")

    def _used(self) -> int:
        return self._shop.servers[0].request("GET", "/v1/quota", self._key).json()["minute"]["used"]

    def audited(self) -> Audited:
        results = self._run.results(codes=(0, 1))  # 1: the audit found something
        audit = results["audit"]
        unanswered = sum(operation["counted"]["unanswered"] for operation in results["operations"])
        unavailable = results["summary"]["statuses"].get("503", 0)
        findings = [f"{finding['rule']}: {finding['text']}" for finding in audit["findings"]]
        return Audited(audit["admissions"], audit["refusals"], unanswered, unavailable, findings)


def run_and_kill_a_node(stand, *flags: str) -> Audited:
    shop = Shop(stand, Redis(stand).uri, nodes=NODES, flags=(*FLAGS, *flags))
    load = Load(stand, shop)
    load.wait_until_under_way()
    shop.kill(1)
    shop.start(1)
    found = load.audited()
    hold(found.unanswered > 0, "nobody noticed that a node was gone")
    return found


@case(
    injected="one of two nodes killed under a load that is audited, each request counted in Redis, and started again",
    must_hold="the audit finds nothing: what the node did not answer may have been charged",
    needs=NEEDS,
    alone=True,
)
def node_killed_under_audit(stand) -> str:
    found = run_and_kill_a_node(stand, "--quota-mode", "strict")
    hold(found.findings == [], f"the audit accuses: {found.findings}")
    return str(found)


@case(
    injected="one of two nodes killed under a load that is audited, while it holds tokens, and started again",
    must_hold="the audit finds no more than the tokens that the node took with it",
    needs=NEEDS,
    alone=True,
)
def node_with_tokens_killed_under_audit(stand) -> str:
    found = run_and_kill_a_node(stand, "--quota-mode", "leased")
    others = [finding for finding in found.findings if not finding.startswith("refused-early: ")]
    hold(others == [], f"the audit accuses: {others}")
    return f"{found}, {len(found.findings)} findings"


@case(
    injected="Redis killed under a load that is audited, each request counted there, and started when all nodes noticed",
    must_hold="the audit finds nothing: what was answered 503 may have been charged",
    needs=NEEDS,
    alone=True,
)
def redis_killed_under_audit(stand) -> str:
    redis = Redis(stand)
    # With the deadline that nodes have: they refuse, and do not wait until Redis is back.
    flags = ("--ban-strikes", "0", "--quota-failure", "closed", "--quota-mode", "strict")
    shop = Shop(stand, redis.uri, nodes=NODES, flags=flags)
    load = Load(stand, shop)
    load.wait_until_under_way()
    redis.kill()
    for server in shop.servers:
        wait_until(lambda: server.metric("petstore_quota_redis_answers") == 0, "a node has not noticed")
    redis.start()
    found = load.audited()
    hold(found.unavailable > 0, "nobody was answered 503")
    hold(found.findings == [], f"the audit accuses: {found.findings}")
    return str(found)
