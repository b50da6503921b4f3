# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""One shop on several nodes: a PostgreSQL server and Redis behind them, keys whose quotas are worth an audit."""

import json
import time
from dataclasses import dataclass

from support.checks import hold, wait_until
from support.ports import free_port
from support.postgresql import PostgreSQL

NODES = 3
PLENTY = 16_000_000  # a quota that no case exhausts

# Without an answer nobody is admitted, and there is time for one: what is audited is the counting, on any machine.
EXACT = ("--quota-failure", "closed", "--quota-deadline", "5s")
WITHOUT_BANS = ("--ban-strikes", "0", *EXACT)


@dataclass(frozen=True)
class Key:
    secret: str
    id: str


class Shop:
    """`servers` are its nodes, each on an address that it keeps. Bans are off unless the flags ask for them: the auditor
    does what clients should not."""

    def __init__(
        self,
        stand,
        quota: str,
        nodes: int = NODES,
        flags: tuple[str, ...] = WITHOUT_BANS,
        database: PostgreSQL | None = None,
    ):
        self.database = database or PostgreSQL(stand)
        self.store = self.database.uri
        self.flags = ("--quota", quota, "--threads", "1", "--access-log", "off", *flags)
        self.begun = time.monotonic()
        self._stand = stand
        self._ports = [free_port() for _ in range(nodes)]
        self.servers = [self._serve(node) for node in range(nodes)]

    def make_key(self, per_minute: int, per_day: int = PLENTY) -> Key:
        """All nodes know it when this returns."""
        numbers = ("--per-minute", str(per_minute), "--per-day", str(per_day))
        made = json.loads(
            self._stand.run("keys", "create", "--store", self.store, "--json", "--plan", "enterprise", *numbers)
        )
        key = Key(made["key"], made["id"])
        for server in self.servers:
            wait_until(lambda: server.knows(key.secret), "a node does not know a new key")
        return key

    def kill(self, node: int) -> None:
        self.servers[node].child.kill()

    def start(self, node: int) -> None:
        self.servers[node] = self._serve(node)

    def restart(self, node: int) -> None:
        code = self.servers[node].stop()
        hold(code == 0, f"node {node} ended with {code}:\n{self.servers[node].child.errors()[-2000:]}")
        self.start(node)

    def _serve(self, node: int):
        return self._stand.serve(self.store, *self.flags, port=self._ports[node])


def hold_spent(admitted: int, quota: int, share: float, label: str) -> None:
    hold(admitted >= share * quota, f"{label}: only {admitted} of {quota} were admitted, less than {share:.0%}")
