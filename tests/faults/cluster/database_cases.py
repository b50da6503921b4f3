# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""PostgreSQL gone or standing still, and answers of its that are lost on the way."""

import statistics
import time

from runner.case import case
from support.checks import hold, wait_until
from support.http import Closed, Connection, request
from support.network import Machine
from support.postgresql import PASSWORD, ROLE, PostgreSQL
from support.redis import Redis
from support.workers import Workers

from .relay import Relay
from .shops import NODES, Shop

NEEDS = ("postgres", "redis-server", "redis-cli")
WRITERS_EACH = 3
ANSWERS_BEFORE_KILL = 100
AWAY_SECONDS = 0.02  # before a node that refuses is asked again
AT_ONCE_SECONDS = 0.15  # for what takes milliseconds, where no time-out of the service has run out
SOON_SECONDS = 1.0  # for what no time-out of the service and no pause between its attempts to connect has to end
OUTAGE_SECONDS = 12  # until the pauses between attempts to connect are as long as they get
GIVEN_UP_SECONDS = 4.5  # a little less than what a request may take
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
    injected="SIGSTOP of all processes of PostgreSQL under three nodes, for a moment, and until connections are given up",
    must_hold="once it is known that PostgreSQL says nothing, new requests are 503 at once, with Retry-After, and so is "
    "/readyz; a write on its way is answered as it went; SIGCONT serves all at once, on the same connections after a moment",
    needs=NEEDS,
)
def database_stands_still(stand) -> str:
    shop = Shop(stand, Redis(stand).uri)
    key = shop.make_key(1_000_000)
    for server in shop.servers:
        _wait_until_served(server, key)
    begun = time.monotonic()
    shop.database.stand_still()
    _wait_until_noticed(shop)
    noticed = time.monotonic() - begun
    figures = {what: _time_refusals(shop, ask) for what, ask in _requests(key).items()}
    going_on = time.monotonic()
    stood = going_on - begun
    shop.database.go_on()
    figures["served after SIGCONT"] = [_wait_until_served(server, key) - going_on for server in shop.servers]
    lost = sum(_lost_connections(server) for server in shop.servers)

    clients = Workers(stand)
    told: list[tuple[str, int]] = []
    before = [_lost_connections(server) for server in shop.servers]
    shop.database.stand_still()
    for node, server in enumerate(shop.servers):
        clients.start(_write_one, server, key, f"On its way {node}", told)
    for node, server in enumerate(shop.servers):
        wait_until(lambda: _lost_connections(server) > before[node], "a connection without an answer is kept for ever")
    going_on = time.monotonic()
    shop.database.go_on()
    figures["served after a long stop"] = [_wait_until_served(server, key) - going_on for server in shop.servers]
    clients.stop()
    clients.check()
    text = ", ".join(f"{what} {statistics.median(times):.3f} s" for what, times in figures.items())
    text = f"noticed after {noticed:.2f} s; medians of {NODES}: {text}; writes were told {[status for _, status in told]}"
    for what, times in figures.items():
        # One that takes long proves nothing: the machine may have done something else.
        limit = SOON_SECONDS if "served" in what else AT_ONCE_SECONDS
        hold(statistics.median(times) < limit, f"that takes long: {text}")
    # A machine that is slow may have left it standing until requests were given up.
    hold(lost == 0 or stood > GIVEN_UP_SECONDS, f"{lost} connections were lost within {stood:.2f} s: {text}")
    for name, status in told:
        there = int(shop.database.ask(f"SELECT count(*) FROM pets WHERE json LIKE '%{name}\"%'"))
        hold(there == 1 or (status != 201 and there == 0), f"told {status}, and the animal is there {there} times")
        hold(status != 503 or there == 0, f"told 503, and the animal is there {there} times")
    return text


@case(
    injected="the cable between a node and PostgreSQL pulled out until connections are given up, and put back",
    must_hold="once it is known that nothing comes, new requests are 503 at once, and so is /readyz; the cable put back, "
    "all goes on by itself",
    needs=(*NEEDS, "root", "ip", "unshare", "nsenter"),
)
def database_cut_off(stand) -> str:
    machine = Machine(stand)
    others, cable = machine.connect(), machine.connect()
    database = PostgreSQL(stand, addresses=f"127.0.0.1,{cable.here}")
    shop = Shop(stand, Redis(stand, addresses=f"127.0.0.1 {others.here}").uri, nodes=0, database=database)
    flags = [flag.replace("127.0.0.1", others.here) for flag in shop.flags]
    uri = database.uri.replace("127.0.0.1", cable.here)
    server = stand.serve(uri, *flags, under=machine.under, host=others.there)
    shop.servers.append(server)
    key = shop.make_key(1_000_000)
    _wait_until_served(server, key)
    begun = time.monotonic()
    cable.cut()
    _wait_until_noticed(shop)
    noticed = time.monotonic() - begun
    figures = {what: _time_refusals(shop, ask)[0] for what, ask in _requests(key).items()}
    text = ", ".join(f"{what} {took:.3f} s" for what, took in figures.items())
    text = f"noticed after {noticed:.2f} s; {text}"
    hold(statistics.median(figures.values()) < AT_ONCE_SECONDS, f"that takes long: {text}")
    wait_until(lambda: _lost_connections(server) > 0, "a connection without an answer is kept for ever")
    mended = time.monotonic()
    cable.mend()
    return f"{text}; served {_wait_until_served(server, key) - mended:.2f} s after it was put back"


@case(
    injected="PostgreSQL killed, and started again when nodes have tried for long to reach it",
    must_hold="all connections of a node come back when the first one does",
    needs=NEEDS,
)
def database_back_after_long(stand) -> str:
    shop = Shop(stand, Redis(stand).uri)
    for server in shop.servers:
        wait_until(lambda: _connections(server, "missing") == 0, "a node has not all of its connections")
    shop.database.kill()
    time.sleep(OUTAGE_SECONDS)
    shop.database.start()
    begun = time.monotonic()
    first: dict[int, float] = {}
    last: dict[int, float] = {}

    def are_back() -> bool:
        for node, server in enumerate(shop.servers):
            if _connections(server, "open") > 0:
                first.setdefault(node, time.monotonic() - begun)
            if _connections(server, "missing") == 0:
                last.setdefault(node, time.monotonic() - begun)
        return len(last) == NODES

    wait_until(are_back, "connections do not come back")
    tails = [last[node] - first[node] for node in range(NODES)]
    text = ", ".join(f"{first[node]:.2f} s and {last[node]:.2f} s" for node in range(NODES))
    text = f"the first and the last connection of each node came back after {text}"
    hold(statistics.median(tails) < SOON_SECONDS, text)
    return text


@case(
    injected="the connection to PostgreSQL cut when it has committed a write, before its answer is there",
    must_hold="the client is told the truth: 201 and the animal is there once, 500 and it is there at most once, or 503 and it is"
    " not there",
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
        # Where its answer is cut before the commit, the server may notice and not commit.
        truths = {201: (1,), 500: (0, 1), 503: (0,)}
        hold(status in truths, f"the client was told {status}")
        hold(there in truths[status], f"told {status}, and the animal is there {there} times")
        told.append(status)
    return f"{len(told)} answers lost, clients were told {told}"


def _animal(name: str) -> dict:
    return {"name": name, "categoryId": 1, "status": "available"}


def _status(connection: Connection, key) -> int:
    return connection.request("GET", "/v1/pets?limit=1", key.secret).status


def _requests(key) -> dict:
    """What clients and operators ask, by what it is called."""
    return {
        "read": lambda server: server.request("GET", "/v1/pets?limit=1", key.secret),
        "write": lambda server: server.request("POST", "/v1/pets", key.secret, _animal("Refused")),
        "/readyz": lambda server: request(server.admin_port, "GET", "/readyz", host=server.host),
    }


def _time_refusals(shop: Shop, ask) -> list[float]:
    """Seconds that the first request of each node takes, which has to be refused."""
    times = []
    for server in shop.servers:
        begun = time.monotonic()
        answer = ask(server)
        times.append(time.monotonic() - begun)
        hold(answer.status in (500, 503), f"a node without a store says {answer.status}")
        hold(answer.status != 503 or "retry-after" in answer.fields, "503 without Retry-After")
    return times


def _wait_until_noticed(shop: Shop) -> None:
    for server in shop.servers:
        wait_until(lambda: not server.is_ready(), "a node whose store says nothing is ready")


def _wait_until_served(server, key) -> float:
    """Reads and writes; returns when."""
    with Connection(server.port, host=server.host) as connection:
        wait_until(lambda: _status(connection, key) == 200, "a node does not read")
        wait_until(
            lambda: connection.request("POST", "/v1/pets", key.secret, _animal("Served")).status == 201, "nor write"
        )
    return time.monotonic()


def _write_one(server, key, name: str, told: list) -> None:
    told.append((name, server.request("POST", "/v1/pets", key.secret, _animal(name)).status))


def _connections(server, state: str) -> float:
    return server.metric("petstore_store_connections", f'state="{state}"')


def _lost_connections(server) -> float:
    return server.metric("petstore_store_connection_events_total", 'event="lost"')
