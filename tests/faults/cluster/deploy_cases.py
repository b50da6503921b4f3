# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What ./deploy/run --cluster starts: three nodes, PostgreSQL, Redis and HAProxy. It takes the first ports
that are free, and two that start at once would take the same."""

import os
import re
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

from runner.case import case
from support.checks import hold, wait_until
from support.http import Closed, Connection, request
from support.processes import Child
from support.workers import Workers

CHECKOUT = Path(__file__).resolve().parents[3]
NEEDS = ("postgres", "redis-server", "redis-cli", "haproxy", "setpriv", "curl")
NODES = 3
ANSWERS_BEFORE_STOP = 50
START_LIMITS = 3  # PostgreSQL is made, and then everything starts, one after the other
PROGRAM = "petstore"
OWNER, OTHER = "nobody", "daemon"


@dataclass
class Started:
    child: Child
    key: str
    port: int


def start(stand, checkout: Path, *options: str, account: str | None = None) -> Started:
    child = _begin(stand, checkout, *options, account=account)
    key = child.wait_for_line("Ready. The demo key is ", limits=START_LIMITS).split()[0]
    address = child.wait_for_line("One address, 3 nodes: HAProxy listens on ")
    child.wait_for_line("Everything is kept in ")
    port = int(address.rstrip(".").rpartition(":")[2])
    # One node made the key, and the others hear of it a moment later.
    wait_until(lambda: _is_known_everywhere(port, key), "a node does not know the demo key", child)
    return Started(child, key, port)


def _is_known_everywhere(port: int, key: str) -> bool:
    """HAProxy gives each connection to another node than the one before."""
    return all(request(port, "GET", "/v1/quota", key).status in (200, 429) for _ in range(2 * NODES))  # 429: often asked


def stop(cluster: Started, code: int = 0) -> None:
    ended = cluster.child.stop()
    hold(ended == code, f"the cluster ended with {ended}:\n{cluster.child.errors()[-2000:]}")


def _begin(stand, checkout: Path, *options: str, account: str | None) -> Child:
    # Where every account can reach it.
    shutil.copy(stand.program, stand.directory / PROGRAM)
    return stand.start(
        [str(checkout / "deploy/cluster"), "127.0.0.1:0", *options],
        variables={"PETSTORE_PROGRAM": str(stand.directory / PROGRAM)},
        account=account,
        stop_signal=signal.SIGINT,
    )


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
    cluster = start(stand, stand.directory, "--drain-timeout", "1s")
    nodes = [pid for pid, command in _processes_of(stand.directory).items() if f"{PROGRAM} serve" in command]
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
    other = _begin(stand, checkout, account=OTHER)
    hold(other.wait() == 1 and f"belongs to {OWNER}" in other.errors(), f"another user is told: {other.errors()}")
    return f"as {OWNER}"


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
