# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Three nodes of one shop, on one PostgreSQL and one Redis, are replaced one after the other while clients go on, behind
the balancers as deploy/ has them."""

import time
from collections.abc import Callable

from cluster.audit import Audit, Finding, hold_bound
from cluster.shops import NODES, PLENTY, WITHOUT_BANS, Shop, hold_spent
from runner.case import case
from support.checks import hold, wait_until
from support.redis import Redis

from . import fronts
from .load import CLIENTS, READ, Load

INJECTED = (
    "SIGTERM to each of three nodes in turn, and its start again, behind {}, while eight clients read, add and adopt, and"
    " an attacker uses up a quota at every node"
)
MUST_HOLD = (
    "not one request fails, of which two thirds are writes that no proxy may send twice; no animal and no adoption is"
    " there twice; as many tokens are used as requests were answered, and the attacker gets its quota and nothing beyond"
)
NEEDS = ("openssl", "postgres", "redis-server", "redis-cli")
QUOTA = 20_000
SPENT_SHARE = 0.95
LOOK_SECONDS = 1.1  # getQuota may be asked 60 times a minute


class Stage:
    """The nodes behind their balancer, those who ask there, and the attacker, who asks each node."""

    def __init__(self, stand, kind: str, drain_delay: str):
        flags = (*WITHOUT_BANS, "--trusted-proxies", "127.0.0.1", "--drain-delay", drain_delay)
        self.shop = Shop(stand, Redis(stand).uri, flags=flags)
        self._key, self._attacked = self.shop.make_key(PLENTY), self.shop.make_key(QUOTA)
        front = fronts.start(stand, kind, [server.port for server in self.shop.servers])
        self._audit = Audit(stand, self.shop.servers)
        self._audit.attack_everywhere(self._attacked.secret)
        self.load = Load(stand, front.port, self._key.secret, is_encrypted=True)

    def replace_all(self, replace: Callable[[int], None]) -> None:
        """Each when the one before it has its part of the load again."""
        for node in range(NODES):
            self._wait_for_load(node)
            replace(node)
            self._wait_for_load(node)
        self.load.stop()

    def audit(self) -> Finding:
        self._audit.wait_until_spent(self._attacked.secret)
        self._audit.stop()
        return self._audit.find(self._attacked.secret, QUOTA)

    def hold_counted(self) -> None:
        """Each answer cost a token and nothing else did. Tokens that nodes held unused are back soon."""

        def used() -> int:
            time.sleep(LOOK_SECONDS)
            return self.shop.servers[0].request("GET", "/v1/quota", self._key.secret).json()["day"]["used"]

        answers = self.load.answers
        wait_until(lambda: used() <= answers, f"{answers} requests were answered, and more tokens are used")
        hold(used() == answers, f"{answers} requests were answered, and {used()} tokens are used")

    def hold_kept(self) -> None:
        doubles = self.load.doubles([self.shop.servers[0].port])
        hold(not doubles, doubles)

    def _wait_for_load(self, node: int) -> None:
        # Adoptions come through the balancer alone.
        count = ("petstore_http_requests_total", 'operation="createOrder"')
        wait_until(lambda: self.shop.servers[node].metric(*count) > 0, f"nothing reaches node {node}")


def _restart_behind(stand, kind: str, drain_delay: str) -> str:
    stage = Stage(stand, kind, drain_delay)
    stage.replace_all(stage.shop.restart)
    hold(not stage.load.faults(), stage.load.faults())
    found = stage.audit()
    hold_spent(found.most_in_a_period, QUOTA, SPENT_SHARE, "a busy key")
    stage.hold_counted()
    stage.hold_kept()
    return f"{stage.load.answers:,} requests, 0 failed, a token each; {hold_bound(found, QUOTA, 'attacker')}"


@case(injected=INJECTED.format("HAProxy"), must_hold=MUST_HOLD, needs=("haproxy", *NEEDS))
def restarted_behind_haproxy(stand) -> str:
    # Longer than HAProxy needs to see it: one interval and a fast one.
    return _restart_behind(stand, "haproxy", "3s")


@case(injected=INJECTED.format("nginx"), must_hold=MUST_HOLD, needs=("nginx", *NEEDS))
def restarted_behind_nginx(stand) -> str:
    # nginx sees nothing of it before the node refuses connections; the delay is for those that are kept.
    return _restart_behind(stand, "nginx", "1s")


@case(
    injected="SIGKILL of each of three nodes in turn behind HAProxy, and its start again, under the same load",
    must_hold="only writes fail, and only those under way at a node that was killed; what was acknowledged is there, once;"
    " the attacker gets nothing beyond its quota",
    needs=("haproxy", *NEEDS),
)
def killed_behind_haproxy(stand) -> str:
    stage = Stage(stand, "haproxy", "0s")

    def kill(node: int) -> None:
        stage.shop.kill(node)
        stage.shop.start(node)

    stage.replace_all(kill)
    hold(not stage.load.faults(READ), stage.load.faults(READ))
    hold(stage.load.failed <= NODES * CLIENTS, f"{stage.load.failed} failed: {stage.load.faults()}")
    stage.hold_kept()
    told = hold_bound(stage.audit(), QUOTA, "attacker")
    return f"{stage.load.answers:,} requests, {stage.load.failed} writes failed; {told}"
