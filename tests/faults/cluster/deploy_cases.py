# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What ./deploy/run --cluster starts: three nodes, PostgreSQL, Redis and HAProxy, each of which is started again."""

import os
import re
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

from runner.case import case
from support.checks import hold, wait_until
from support.http import Closed, Connection, request
from support.ports import free_ports
from support.processes import Child
from support.workers import Workers

CHECKOUT = Path(__file__).resolve().parents[3]
NEEDS = ("postgres", "redis-server", "redis-cli", "haproxy", "setpriv", "curl")
NODES = 3
ANSWERS_BEFORE_STOP = 50
START_LIMITS = 3  # PostgreSQL is made, and then everything starts, one after the other
PROGRAM = "petstore"
OWNER, OTHER = "nobody", "daemon"
ANY_PORT = ("--listen", "127.0.0.1:0")


@dataclass
class Started:
    child: Child
    key: str
    port: int
    node_ports: list[int]
    directory: Path

    def processes(self, command: str) -> list[int]:
        return _find_processes(self.directory, command)


def start(stand, checkout: Path, *options: str, account: str | None = None) -> Started:
    return await_ready(begin(stand, checkout, *options, account=account), checkout)


def begin(stand, checkout: Path, *options: str, account: str | None = None) -> Child:
    """`options` are those of deploy/cluster, with --listen or --ports among them."""
    # Where every account can reach it.
    program = stand.directory / PROGRAM
    if not program.exists():
        shutil.copy(stand.program, program)
    return stand.start(
        [str(checkout / "deploy/cluster"), *(options or ANY_PORT)],
        variables={"PETSTORE_PROGRAM": str(program)},
        account=account,
        stop_signal=signal.SIGINT,
    )


def await_ready(child: Child, checkout: Path) -> Started:
    key = child.wait_for_line("Ready. The demo key is ", limits=START_LIMITS).split()[0]
    address = child.wait_for_line("One address, 3 nodes: HAProxy listens on ")
    nodes = child.wait_for_line("  Nodes: ").partition("Health")[0]
    child.wait_for_line("Everything is kept in ")
    return Started(child, key, _port_of(address.rstrip(".")), [_port_of(node) for node in nodes.split()], checkout)


def stop(cluster: Started, code: int = 0) -> None:
    ended = cluster.child.stop()
    hold(ended == code, f"the cluster ended with {ended}:\n{cluster.child.errors()[-2000:]}")


def _port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


@case(
    injected="Ctrl-C while a client adds animals to the cluster; a second start",
    must_hold="nothing that was answered is lost, everything ends, and the second start has every animal",
    needs=NEEDS,
    alone=True,
)
def stopped_and_started_again(stand) -> str:
    shutil.copytree(CHECKOUT / "deploy", stand.directory / "deploy")
    first = start(stand, stand.directory)
    added: list[str] = []
    failures: list[str] = []
    client = Workers(stand)

    def add() -> None:
        try:
            with Connection(first.port) as connection:
                while True:
                    animal = {"name": "Rosa", "categoryId": 1}
                    answer = connection.request("POST", "/v1/pets", first.key, animal)
                    if answer.status == 201:
                        added.append(answer.fields["location"])
                    elif not client.are_stopping:
                        failures.append(f"{answer.status} {answer.body!r}")
        except (Closed, OSError) as ended:
            if not client.are_stopping:
                failures.append(str(ended))

    client.start(add)
    wait_until(lambda: len(added) >= ANSWERS_BEFORE_STOP or failures, "the client gets no answers")
    with Connection(first.port):  # says nothing, and is not waited for
        client.announce_stop()
        stop(first)
    client.join()
    hold(not failures, f"before anybody stopped it: {failures[:3]}")
    left = _processes_of(stand.directory)
    hold(not left, f"left behind: {left}")

    second = start(stand, stand.directory)
    with Connection(second.port) as connection:
        for location in added:
            status = connection.request("GET", location, second.key).status
            hold(status == 200, f"{location} is {status} after the second start")
    stop(second)
    return f"{len(added)} animals"


@case(
    injected="Ctrl-C while one of the nodes hangs",
    must_hold="that node is named and made to end, everything else ends as always, and the command says that it failed",
    needs=NEEDS,
    alone=True,
)
def stopped_while_a_node_hangs(stand) -> None:
    shutil.copytree(CHECKOUT / "deploy", stand.directory / "deploy")
    cluster = start(stand, stand.directory, *ANY_PORT, "--", "--drain-timeout", "1s")
    nodes = cluster.processes(f"{PROGRAM} serve")
    hold(len(nodes) == NODES, f"{len(nodes)} nodes")
    os.kill(nodes[1], signal.SIGSTOP)
    stop(cluster, code=1)
    told = re.findall(r"^(\S+) has not ended", cluster.child.errors(), re.MULTILINE)
    hold(len(told) == 1 and told[0].startswith("node-"), f"said to hang: {told}")
    left = _processes_of(stand.directory)
    hold(not left, f"left behind: {left}")


@case(
    injected="a start by a user who is not root and owns the checkout; then one by another user",
    must_hold="the first serves and ends as root's does; the second is told whose it is",
    needs=(*NEEDS, "root"),
    alone=True,
)
def started_by_an_ordinary_user(stand) -> str:
    checkout = stand.directory / "checkout"
    shutil.copytree(CHECKOUT / "deploy", checkout / "deploy")
    for path in (stand.directory, checkout):
        path.chmod(0o755)
    shutil.chown(checkout, OWNER)
    cluster = start(stand, checkout, account=OWNER)
    status = request(cluster.port, "GET", "/v1/pets", cluster.key).status
    hold(status == 200, f"answered {status}")
    owners = {path.owner() for path in (checkout / ".petstore").rglob("*")}
    hold(owners == {OWNER}, f"what it made is owned by {owners}")
    stop(cluster)
    other = begin(stand, checkout, account=OTHER)
    hold(other.wait() == 1 and f"belongs to {OWNER}" in other.errors(), f"another user is told: {other.errors()}")
    return f"as {OWNER}"


@case(
    injected="nothing: a cluster is asked at the moment at which it says Ready",
    must_hold="every node knows the demo key",
    needs=NEEDS,
    alone=True,
)
def ready_when_every_node_knows_the_key(stand) -> None:
    shutil.copytree(CHECKOUT / "deploy", stand.directory / "deploy")
    cluster = start(stand, stand.directory)
    statuses = [request(port, "GET", "/v1/quota", cluster.key).status for port in cluster.node_ports]
    hold(statuses == NODES * [200], f"the nodes say {statuses}")
    stop(cluster)


@case(
    injected="SIGKILL of a node, of HAProxy, of Redis and of PostgreSQL, one after the other",
    must_hold="each is named with the signal and started again, and then the shop goes on with every animal that it had",
    needs=NEEDS,
    alone=True,
)
def killed_and_started_again(stand) -> str:
    shutil.copytree(CHECKOUT / "deploy", stand.directory / "deploy")
    cluster = start(stand, stand.directory)
    animals: list[str] = []
    for name, command in (
        ("node-2", f"127.0.0.1:{cluster.node_ports[1]} "),
        ("haproxy", "haproxy"),
        ("redis", "redis-server"),
        ("postgresql", "bin/postgres -D "),
    ):
        animals.append(_add_animal(cluster))
        killed = cluster.processes(command)
        hold(len(killed) == 1, f"{name} is {killed}")
        os.kill(killed[0], signal.SIGKILL)
        if name.startswith("node-"):  # the others are there
            read = [request(cluster.port, "GET", animals[0], cluster.key).status for _ in range(2 * NODES)]
            hold(set(read) == {200}, f"after {name} was killed, reading is answered {read}")
        cluster.child.wait_for_line(f"{name} was ended by SIGKILL. Starting it again.")
        cluster.child.wait_for_line(f"{name} is back.", limits=START_LIMITS)
        left = cluster.processes(command)
        hold(len(left) == 1 and left != killed, f"{name} was {killed} and is {left}")
    wait_until(lambda: _serves(cluster), "the shop does not go on", cluster.child)
    animals.append(_add_animal(cluster))
    for animal in animals:
        for port in cluster.node_ports:
            status = request(port, "GET", animal, cluster.key).status
            hold(status == 200, f"{animal} is {status} at the node of port {port}")
    stop(cluster)
    return f"{len(animals)} animals at {NODES} nodes"


def _add_animal(cluster: Started) -> str:
    """Its path."""
    answer = request(cluster.port, "POST", "/v1/pets", cluster.key, {"name": "Rosa", "categoryId": 1})
    hold(answer.status == 201, f"an animal is {answer.status}: {answer.body!r}")
    return answer.fields["location"]


def _serves(cluster: Started) -> bool:
    """Nodes that have lost PostgreSQL are without traffic until HAProxy has seen them ready twice."""
    ready = [request(port, "GET", "/readyz").status == 200 for port in (*cluster.node_ports, cluster.port)]
    return all(ready) and request(cluster.port, "GET", "/v1/pets", cluster.key).status == 200


@case(
    injected="SIGKILL of the first node, which makes the demo key, while the second one starts",
    must_hold="it is named and started again, and the cluster becomes ready with a key that every node knows",
    needs=NEEDS,
    alone=True,
)
def killed_while_another_starts(stand) -> None:
    shutil.copytree(CHECKOUT / "deploy", stand.directory / "deploy")
    base = free_ports(9)
    nodes = [f"serve --listen 127.0.0.1:{base + number} " for number in (1, 2)]
    child = begin(stand, stand.directory, "--ports", str(base))
    child.wait_for_line("Starting PostgreSQL, Redis, ", limits=START_LIMITS)
    wait_until(lambda: _find_processes(stand.directory, nodes[1]), "the second node is not started", child)
    (first,) = _find_processes(stand.directory, nodes[0])
    os.kill(first, signal.SIGKILL)
    child.wait_for_line("node-1 was ended by SIGKILL. Starting it again.")
    cluster = await_ready(child, stand.directory)
    statuses = [request(port, "GET", "/v1/quota", cluster.key).status for port in cluster.node_ports]
    hold(statuses == NODES * [200], f"the nodes say {statuses}")
    stop(cluster)


@case(
    injected="two starts at the same moment, and a third one beside them in the checkout of the first, with --ports",
    must_hold="no two have a port in common, the third has those from its base on, and all three serve; a fourth with the"
    " same base is told which port is in use",
    needs=NEEDS,
    alone=True,
)
def beside_each_other(stand) -> str:
    checkouts = [stand.directory / name for name in ("one", "two")]
    for checkout in checkouts:
        shutil.copytree(CHECKOUT / "deploy", checkout / "deploy")
    base = free_ports(9)
    begun = [begin(stand, checkout) for checkout in checkouts]
    begun.append(begin(stand, checkouts[0], "--ports", str(base)))
    clusters = [await_ready(child, checkout) for child, checkout in zip(begun, (*checkouts, checkouts[0]))]
    ports = [port for cluster in clusters for port in (cluster.port, *cluster.node_ports)]
    hold(len(set(ports)) == len(ports), f"they listen on {ports}")
    hold(ports[-4:] == list(range(base, base + 4)), f"--ports {base} gives {ports[-4:]}")
    for cluster in clusters:
        status = request(cluster.port, "GET", "/v1/pets", cluster.key).status
        hold(status == 200, f"answered {status}")
    fourth = begin(stand, checkouts[1], "--ports", str(base))
    hold(fourth.wait() == 1, "a fourth one runs")
    told = f"Port {base} is in use, which --ports {base} gives to HAProxy. Choose another BASE.\n"
    hold(fourth.errors() == told, f"a fourth one is told: {fourth.errors()}")
    for cluster in clusters:
        stop(cluster)
    return f"ports {ports}"




@case(
    injected="SIGTERM while the database is made, and while the nodes start",
    must_hold="everything ends without a complaint, and the next start serves",
    needs=NEEDS,
    alone=True,
)
def stopped_while_it_starts(stand) -> None:
    shutil.copytree(CHECKOUT / "deploy", stand.directory / "deploy")
    for line in ("Making a database in ", "Starting PostgreSQL, Redis, "):
        child = begin(stand, stand.directory)
        child.wait_for_line(line, limits=START_LIMITS)
        child.send_signal(signal.SIGTERM)
        hold(child.wait() == 0 and not child.errors(), f"after `{line}…`: {child.errors()}")
        left = _processes_of(stand.directory)
        hold(not left, f"after `{line}…` it left behind: {left}")
    stop(start(stand, stand.directory))


@case(
    injected="a start in a checkout that the user may not write into",
    must_hold="the user is told so",
    needs=(*NEEDS, "root"),
    alone=True,
)
def started_where_nothing_can_be_written(stand) -> None:
    shutil.copytree(CHECKOUT / "deploy", stand.directory / "deploy")
    stand.directory.chmod(0o755)
    child = begin(stand, stand.directory, account=OWNER)
    hold(child.wait() == 1, "it starts")
    hold(".petstore/cluster cannot be written" in child.errors().splitlines()[-1], f"the user is told: {child.errors()}")


def _find_processes(directory: Path, command: str) -> list[int]:
    """Those of a cluster whose command line has this in it, the ones that PostgreSQL itself has made left out."""
    found = _processes_of(directory)
    return [pid for pid, line in found.items() if command in line and not line.startswith("postgres:")]


def _processes_of(directory: Path) -> dict[int, str]:
    """Those that work in it, but for us: their command lines."""
    found = {}
    for name in os.listdir("/proc"):
        try:
            works_there = name.isdigit() and os.readlink(f"/proc/{name}/cwd").startswith(str(directory))
            if works_there:
                found[int(name)] = Path(f"/proc/{name}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            pass  # it ended meanwhile
    return found
