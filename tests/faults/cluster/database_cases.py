# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""PostgreSQL gone, and answers of its that are lost on the way."""

import statistics
import time

from runner.case import case
from support.checks import hold, wait_until
from support.http import Closed, Connection
from support.postgresql import PASSWORD, ROLE
from support.redis import Redis
from support.workers import Workers

from .relay import Relay
from .shops import NODES, Shop

NEEDS = ("postgres", "redis-server", "redis-cli")
WRITERS_EACH = 3
ANSWERS_BEFORE_KILL = 100
AWAY_SECONDS = 0.02  # before a node that refuses is asked again
AT_ONCE_SECONDS = 0.15  # for what takes milliseconds, where no time-out of the service has run out
LOST_COMMITS = 4


class Writers:
    """Clients that add animals on every node until they are stopped."""

    def __init__(self, stand, shop: Shop, key):
        self.acknowledged: dict[str, str] = {}  # Location and name
        self.refused = 0
        self.other: list[int] = []
        self._shop = shop
        self._key = key
        self._workers = Workers(stand)
        for node in range(NODES):
            for number in range(WRITERS_EACH):
                self._workers.start(self._write, node, number)

    def stop(self) -> None:
        self._workers.stop()
        self._workers.check()

    def _write(self, node: int, number: int) -> None:
        sent = 0
        while not self._workers.are_stopping:
            try:
                with Connection(self._shop.servers[node].port) as connection:
                    while not self._workers.are_stopping:
                        sent += 1
                        name = f"Animal {node}-{number}-{sent}"
                        self._note(connection.request("POST", "/v1/pets", self._key.secret, _animal(name)), name)
            except (Closed, OSError):
                self._workers.pause(AWAY_SECONDS)

    def _note(self, answer, name: str) -> None:
        if answer.status == 201:
            self.acknowledged[answer.fields["location"]] = name
        elif answer.status == 503:
            self.refused += 1
            self._workers.pause(AWAY_SECONDS)
        else:
            self.other.append(answer.status)


@case(
    injected="SIGKILL of PostgreSQL while clients add animals on three nodes; started again",
    must_hold="503 at once and not ready meanwhile, then all goes on by itself, and every animal that was answered 201 is "
    "there",
    needs=NEEDS,
)
def database_killed(stand) -> str:
    shop = Shop(stand, Redis(stand).uri)
    key = shop.make_key(1_000_000)
    writers = Writers(stand, shop, key)
    wait_until(lambda: len(writers.acknowledged) > ANSWERS_BEFORE_KILL, "the writers get no answers")
    shop.database.kill()
    for server in shop.servers:
        wait_until(lambda: not server.is_ready(), "a node without a store is ready")
        with Connection(server.port) as connection:
            wait_until(lambda: _status(connection, key) == 503, "a node without a store does not say 503")
            times = []
            for _ in range(20):
                begun = time.monotonic()
                hold(_status(connection, key) == 503, "a node without a store says something else")
                times.append(time.monotonic() - begun)
            # One that takes long proves nothing: the machine may have done something else.
            took = statistics.median(times)
            hold(took < AT_ONCE_SECONDS, f"half of the answers of 503 took {took:.2f} s: they are not given at once")
    before = len(writers.acknowledged)
    shop.database.start()
    for server in shop.servers:
        wait_until(lambda: server.is_ready(), "a node is not ready again")
    wait_until(lambda: len(writers.acknowledged) > before + ANSWERS_BEFORE_KILL, "the writers get no more answers")
    writers.stop()
    with Connection(shop.servers[0].port) as connection:
        for location, name in writers.acknowledged.items():
            answer = connection.request("GET", location, key.secret)
            hold(answer.status == 200 and answer.json()["name"] == name, f"{location} is {answer.status}, not {name}")
    unknown = writers.other.count(500)
    hold(unknown == len(writers.other), f"answers {set(writers.other)}")
    return f"{len(writers.acknowledged)} animals, {writers.refused} answers of 503, {unknown} of unknown outcome"


@case(
    injected="the connection to PostgreSQL cut when it has committed a write, before its answer is there",
    must_hold="the client is told the truth: 201 and the animal is there once, or 500 and it is there at most once",
    needs=NEEDS,
)
def lost_commit(stand) -> str:
    marker = b"Lost on the way"
    shop = Shop(stand, Redis(stand).uri, nodes=0)
    relay = Relay(stand, shop.database.port, marker)
    uri = f"postgres://{ROLE}:{PASSWORD}@127.0.0.1:{relay.port}/postgres"
    shop.servers.append(stand.serve(uri, *shop.flags))
    key = shop.make_key(1_000_000)
    told = []
    for number in range(LOST_COMMITS):
        name = f"{marker.decode()} {number}"
        wait_until(lambda: shop.servers[0].is_ready(), "the node is not ready again")
        before = relay.broken
        status = shop.servers[0].request("POST", "/v1/pets", key.secret, _animal(name)).status
        hold(relay.broken > before, "no answer was lost: this shows nothing")
        there = int(shop.database.ask(f"SELECT count(*) FROM pets WHERE json LIKE '%{name}\"%'"))
        hold(status in (201, 500), f"the client was told {status}")
        hold(there == 1 or (status == 500 and there == 0), f"told {status}, and the animal is there {there} times")
        told.append(status)
    return f"{len(told)} answers lost, clients were told {told}"


def _animal(name: str) -> dict:
    return {"name": name, "categoryId": 1, "status": "available"}


def _status(connection: Connection, key) -> int:
    return connection.request("GET", "/v1/pets?limit=1", key.secret).status
