# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Redis servers of the case's own: one, one with a replica and Sentinels, a Cluster."""

import subprocess

from .checks import Broken, find_program, wait_until
from .ports import free_port
from .processes import run

PASSWORD = "deaf-as-a-post"
USER = "quotas"
SLOTS = 16384
SENTINELS = 3
SILENCE_MILLISECONDS = 1000  # after which a Sentinel takes a server for gone


class Redis:
    """Listens on a port of its own, the same one after every start. Every write is on disk before it is answered."""

    def __init__(
        self, stand, *options: str, addresses: str = "127.0.0.1", variables: dict[str, str] | None = None
    ):
        self.port = free_port()
        self._stand = stand
        self._variables = variables
        self._directory = stand.directory / f"redis-{self.port}"
        self._directory.mkdir()
        self._command = [find_program("redis-server"), "--port", str(self.port), "--dir", str(self._directory)]
        self._command += ["--save", "", "--appendonly", "yes", "--appendfsync", "always"]
        self._command += ["--maxmemory-policy", "noeviction", "--repl-diskless-sync-delay", "0", "--bind", *addresses.split()]
        self._command += ["--requirepass", PASSWORD, "--masterauth", PASSWORD, "--protected-mode", "no", *options]
        self._child = None
        self.start()

    @property
    def uri(self) -> str:
        return f"redis://:{PASSWORD}@127.0.0.1:{self.port}"

    def make_user(self, *rights: str) -> str:
        """The address for a user who has them, and those that it had before."""
        self.ask("ACL", "SETUSER", USER, *rights, "on", f">{PASSWORD}")
        return f"redis://{USER}:{PASSWORD}@127.0.0.1:{self.port}"

    @property
    def child(self):
        return self._child

    def start(self) -> None:
        self._child = self._stand.start(self._command, self._variables)
        wait_until(self._answers, "Redis did not start", self._child)

    def kill(self) -> None:
        self._child.kill()

    def stop(self) -> None:
        self._child.stop()

    def ask(self, *command: str) -> str:
        """What redis-cli prints: a line for each element."""
        done = _cli(self.port, *command)
        if done.returncode != 0 or done.stdout.startswith(("ERR", "NOAUTH", "LOADING", "READONLY")):
            raise Broken(f"redis-cli {' '.join(command)}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def calls(self, command: str = "evalsha") -> int:
        """How often it was given that command."""
        for line in self.ask("INFO", "commandstats").splitlines():
            if line.startswith(f"cmdstat_{command}:calls="):
                return int(line.split("=")[1].split(",")[0])
        return 0

    def _answers(self) -> bool:
        return _cli(self.port, "PING").stdout.strip() == "PONG"


class Watched:
    """A master, its replica, and Sentinels that agree on which of them is the master."""

    NAME = "quotas"

    def __init__(self, stand):
        self.master = Redis(stand)
        self.replica = Redis(stand, "--replicaof", "127.0.0.1", str(self.master.port))
        self._sentinels = [self._start_sentinel(stand) for _ in range(SENTINELS)]
        wait_until(lambda: "master_link_status:up" in self.replica.ask("INFO", "replication"), "no replica followed")
        for port in self._sentinels:
            wait_until(lambda: self._is_informed(port), "a Sentinel does not know the others")

    @property
    def uri(self) -> str:
        hosts = ",".join(f"127.0.0.1:{port}" for port in self._sentinels)
        return f"redis+sentinel://:{PASSWORD}@{hosts}/{self.NAME}"

    def master_port(self) -> int:
        """Where the Sentinels say that the master is."""
        told = _cli(self._sentinels[0], "SENTINEL", "GET-MASTER-ADDR-BY-NAME", self.NAME, password=None).stdout
        return int(told.split()[1])

    def _start_sentinel(self, stand) -> int:
        port = free_port()
        file = stand.directory / f"sentinel-{port}.conf"
        file.write_text(
            f"port {port}\nbind 127.0.0.1\ndir {stand.directory}\nprotected-mode no\n"
            f"sentinel monitor {self.NAME} 127.0.0.1 {self.master.port} {SENTINELS // 2 + 1}\n"
            f"sentinel auth-pass {self.NAME} {PASSWORD}\n"
            f"sentinel down-after-milliseconds {self.NAME} {SILENCE_MILLISECONDS}\n"
            f"sentinel failover-timeout {self.NAME} {10 * SILENCE_MILLISECONDS}\n"
        )
        child = stand.start([find_program("redis-server"), str(file), "--sentinel"])
        wait_until(lambda: _cli(port, "PING", password=None).stdout.strip() == "PONG", "no Sentinel started", child)
        return port

    def _is_informed(self, port: int) -> bool:
        told = _cli(port, "SENTINEL", "MASTER", self.NAME, password=None).stdout.split()
        facts = dict(zip(told[::2], told[1::2]))
        return facts.get("num-slaves") == "1" and facts.get("num-other-sentinels") == str(SENTINELS - 1)


class Cluster:
    """Masters that have a part of the slots each."""

    def __init__(self, stand, masters: int = 3):
        self.nodes = [
            Redis(stand, "--cluster-enabled", "yes", "--cluster-port", str(free_port())) for _ in range(masters)
        ]
        for number, node in enumerate(self.nodes):
            first, beyond = SLOTS * number // masters, SLOTS * (number + 1) // masters
            node.ask("CLUSTER", "ADDSLOTSRANGE", str(first), str(beyond - 1))
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", str(number + 1))
        for node in self.nodes[1:]:
            bus = _option(node, "cluster-port")
            self.nodes[0].ask("CLUSTER", "MEET", "127.0.0.1", str(node.port), bus)
        for node in self.nodes:
            wait_until(lambda: self._is_whole(node), "the Cluster did not form")

    @property
    def uri(self) -> str:
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"redis+cluster://:{PASSWORD}@{hosts}"

    def _is_whole(self, node: Redis) -> bool:
        told = node.ask("CLUSTER", "INFO")
        return "cluster_state:ok" in told and f"cluster_known_nodes:{len(self.nodes)}" in told


def _option(node: Redis, name: str) -> str:
    return node.ask("CONFIG", "GET", name).splitlines()[1]


def _cli(port: int, *command: str, password: str | None = PASSWORD) -> subprocess.CompletedProcess[str]:
    words = [find_program("redis-cli"), "-p", str(port), "--raw"]
    if password is not None:
        words += ["-a", password, "--no-auth-warning"]
    return run(*words, *command, code=None)
