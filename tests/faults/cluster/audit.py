# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""An auditor who believes nobody: its clients ask every node as hard as they can, write down each answer themselves, and
are counted against what each quota allows in the period that the answers announced."""

import re
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import takewhile

from support.checks import hold, wait_until
from support.http import Closed, Connection
from support.workers import Workers

BATCH = 16  # requests that are sent together
PAUSE_SECONDS = 0.004  # between them, so that the nodes and Redis have processors left
AWAY_SECONDS = 0.02  # before a node that is gone is asked again
SAME_PERIOD_SECONDS = 4  # ends that lie closer are one, told by clocks that differ
REFUSALS_ENOUGH = 50  # by each node: an attack
LEASE_IS_OVER_SECONDS = 1.5
ADMITTED = 200
REFUSED = 429
UNAVAILABLE = 503

# A balancer may write names in lower case.
_resource = re.compile(rb"\r\nX-RateLimit-Resource: ([a-z]+)", re.IGNORECASE)
_reset = re.compile(rb"\r\nX-RateLimit-Reset: (\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Admission:
    at: float
    node: int
    resource: bytes
    reset: int


@dataclass
class Client:
    """What one connection was told, by one node, for one key."""

    node: int
    key: str
    admissions: list[Admission] = field(default_factory=list)
    others: list[tuple[float, int]] = field(default_factory=list)  # when, and which status

    def note(self, head: bytes) -> None:
        status, now = int(head[9:12]), time.monotonic()
        if status != ADMITTED:
            self.others.append((now, status))
            return
        self.admissions.append(
            Admission(now, self.node, _resource.search(head).group(1), int(_reset.search(head).group(1)))
        )


@dataclass(frozen=True)
class Period:
    quota: int
    admitted: int
    ends: int  # Unix time, as the answers say


@dataclass
class Finding:
    """Of one key."""

    periods: list[Period]
    asked: int
    statuses: Counter
    by_node: Counter

    @property
    def admitted(self) -> int:
        return sum(self.by_node.values())

    @property
    def most_in_a_period(self) -> int:
        return max((period.admitted for period in self.periods), default=0)


class Audit:
    """Works from `start` until `stop`. `servers` is read anew for each connection: a node may come back elsewhere."""

    def __init__(self, stand, servers: list):
        self._servers = servers
        self._clients: list[Client] = []
        self._workers = Workers(stand)

    def attack(self, node: int, key: str, connections: int = 1) -> None:
        """From now on, with so many connections to that node."""
        for _ in range(connections):
            client = Client(node, key)
            self._clients.append(client)
            self._workers.start(self._work, client)

    def attack_everywhere(self, key: str) -> None:
        for node in range(len(self._servers)):
            self.attack(node, key)

    def stop(self) -> None:
        self._workers.stop()

    def wait_until_decided(self, key: str, since: float, otherwise: str) -> None:
        """By every node that is asked for it."""
        for node in range(len(self._servers)):
            wait_until(lambda: self.decided(key, node, since), f"node {node} {otherwise}")

    def count(self, key: str, status: int | None = None, since: float = 0, node: int | None = None) -> int:
        """Answers so far. From the last one back: they are many, and it is asked for often."""
        seen = 0
        for client in self._of(key, node):
            others = takewhile(lambda other: other[0] >= since, reversed(client.others))
            seen += sum(1 for _, was in others if status in (None, was))
            if status in (None, ADMITTED):
                seen += sum(1 for _ in takewhile(lambda admission: admission.at >= since, reversed(client.admissions)))
        return seen

    def decided(self, key: str, node: int, since: float) -> bool:
        """Whether that node has admitted or refused since."""
        return any(self.count(key, status, since, node) for status in (ADMITTED, REFUSED))

    def wait_for_answers(self, key: str, enough: int, node: int | None = None) -> None:
        """From now on."""
        now = time.monotonic()
        wait_until(lambda: self.count(key, None, now, node) >= enough, "the nodes do not answer")

    def wait_for_refusals(self, key: str, enough: int) -> None:
        """By every node that is asked for it, from now on."""
        now = time.monotonic()
        for node in {client.node for client in self._of(key)}:
            wait_until(
                lambda: self._workers.have_failed or self.count(key, REFUSED, now, node) >= enough,
                f"node {node} does not refuse",
            )
        self._workers.check()

    def wait_until_spent(self, key: str) -> None:
        """Every node that is asked for it refuses, and goes on doing so for longer than a lease lives: a token that one
        of them held for nothing is back by then, and used."""
        self.wait_for_refusals(key, REFUSALS_ENOUGH)
        begun = time.monotonic()

        def admits_no_more() -> bool:
            latest = max((client.admissions[-1].at for client in self._of(key) if client.admissions), default=0)
            over = max(begun, latest) + LEASE_IS_OVER_SECONDS
            # The clients may have been asleep meanwhile: so each node has to refuse once more after that.
            return all(self.count(key, REFUSED, over, client.node) > 0 for client in self._of(key))

        wait_until(lambda: self._workers.have_failed or admits_no_more(), "the nodes admit without end")
        self._workers.check()

    def find(self, key: str, quota: int) -> Finding:
        """After `stop`: what the key was granted, period by period."""
        self._workers.check()
        admissions = sorted((a for client in self._of(key) for a in client.admissions), key=lambda a: a.reset)
        periods: dict[int, list[Admission]] = defaultdict(list)
        begun = -SAME_PERIOD_SECONDS
        for admission in admissions:
            if admission.reset - begun > SAME_PERIOD_SECONDS:
                begun = admission.reset
            periods[begun].append(admission)
        statuses = Counter(status for client in self._of(key) for _, status in client.others)
        statuses[ADMITTED] = len(admissions)
        return Finding(
            [Period(quota, len(of_it), max(a.reset for a in of_it)) for of_it in periods.values()],
            sum(statuses.values()),
            statuses,
            Counter(a.node for a in admissions),
        )

    def _of(self, key: str, node: int | None = None) -> list[Client]:
        return [client for client in list(self._clients) if client.key == key and node in (None, client.node)]

    def _work(self, client: Client) -> None:
        request = f"HEAD /v1/pets?limit=1 HTTP/1.1\r\nHost: audit\r\nAuthorization: Bearer {client.key}\r\n\r\n".encode()
        while not self._workers.are_stopping:
            server = self._servers[client.node]
            try:
                with Connection(server.port, host=server.host) as connection:
                    self._ask(connection, client, request * BATCH)
            except (Closed, OSError):
                self._workers.pause(AWAY_SECONDS)  # killed, as some are

    def _ask(self, connection: Connection, client: Client, batch: bytes) -> None:
        unread = b""
        while not self._workers.are_stopping:
            connection.send(batch)
            answered = 0
            while answered < BATCH:
                data = connection.socket.recv(65536)
                if not data:
                    raise Closed("in the middle of a batch")
                *heads, unread = (unread + data).split(b"\r\n\r\n")
                for head in heads:
                    client.note(head)
                answered += len(heads)
            self._workers.pause(PAUSE_SECONDS)


def start_attack(stand, shop, *quotas: int) -> tuple[Audit, dict]:
    """On every node, with a new key for each quota; the quotas by key."""
    keys = {shop.make_key(quota): quota for quota in quotas}
    audit = Audit(stand, shop.servers)
    for key in keys:
        audit.attack_everywhere(key.secret)
    return audit, keys


def hold_bound(found: Finding, bound: int, label: str) -> str:
    """Nothing beyond the bound in any period that was announced; what to print of it."""
    for period in found.periods:
        hold(
            period.admitted <= bound,
            f"{label}: {period.admitted} were admitted on a quota of {period.quota}, of which the bound is {bound}"
            f" (by node {dict(found.by_node)}, by status {dict(found.statuses)})",
        )
    quota = found.periods[0].quota if found.periods else 0
    return f"{label} quota {quota}, admitted {found.most_in_a_period} of {found.asked}, bound {bound}"
