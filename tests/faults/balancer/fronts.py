# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The balancers of deploy/, as their files have them: only addresses and the place of the certificate are others,
and what only root can do is left out."""

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from runner.case import case
from support import balancers
from support.checks import Broken
from support.certificates import make_self_signed
from support.http import Connection, trusting_anybody
from support.ports import free_port
from support.processes import Child, run

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"


@dataclass(frozen=True)
class Front:
    """Where it serves, and where it only says that it does so with TLS (the same, when it does so without)."""

    port: int
    plain_port: int
    child: Child | None = None  # prints the log, once it is started

    def connect(self, source: str | None = None, protocol: str = "http/1.1") -> Connection:
        """To where it serves. `protocol` as TLS names it; without TLS, what is sent first says it."""
        encryption = None if self.port == self.plain_port else trusting_anybody()
        if encryption is not None:
            encryption.set_alpn_protocols([protocol])
        return Connection(self.port, source=source, encryption=encryption)


def haproxy(stand, nodes: list[int]) -> tuple[Front, list[str]]:
    """Its ports, and the command that runs it."""
    front = Front(free_port(), free_port())
    text = _with_nodes((DEPLOY / "haproxy/haproxy.cfg").read_text(), nodes)
    for line in ("user haproxy", "group haproxy", "chroot /var/lib/haproxy"):  # only root can change its user
        text = _replace(text, f"    {line}\n", "")
    text = _replace(text, "bind :443", f"bind 127.0.0.1:{front.port}")
    text = _replace(text, "bind :80", f"bind 127.0.0.1:{front.plain_port}")
    text = _replace(text, "/etc/haproxy/petstore.pem", _certificate(stand))
    return front, balancers.haproxy(stand, text)


def nginx(stand, nodes: list[int], beside: str = "") -> tuple[Front, list[str]]:
    """`beside` is a server of the case, after those of the file."""
    front = Front(free_port(), free_port())
    text = _with_nodes((DEPLOY / "nginx/petstore.conf").read_text(), nodes)
    text = _replace(text, "listen 443", f"listen 127.0.0.1:{front.port}")
    text = _replace(text, "listen 80", f"listen 127.0.0.1:{front.plain_port}")
    text = text.replace("/etc/nginx/petstore.pem", _certificate(stand))
    text = text.replace("/var/log/nginx/petstore.log", "/dev/stdout")
    return front, balancers.nginx(stand, text + beside)


def compose(stand, nodes: list[int]) -> tuple[Front, list[str]]:
    """HAProxy among containers, where TLS ends before it. A machine that allows fewer files than a container has fewer
    places."""
    port = free_port()
    text = (DEPLOY / "compose/haproxy.cfg").read_text()
    for number, node in enumerate(nodes, 1):
        text = _replace(text, f"node{number}:8080", f"127.0.0.1:{node}")
    text = _replace(text, "maxconn 20000", "maxconn 8000")
    text = _replace(text, "bind :8080", f"bind 127.0.0.1:{port}")
    return Front(port, port), balancers.haproxy(stand, text)


FRONTS = {"haproxy": haproxy, "nginx": nginx, "compose": compose}
CHECKS = {"haproxy": "-c", "nginx": "-t", "compose": "-c"}
PROGRAMS = {"haproxy": "haproxy", "compose": "haproxy", "nginx": "nginx"}


def through_each_balancer(injected: str, must_hold: str, alone: bool = False):
    """Makes a case for each of a function that takes the stand and the kind."""

    def register(act: Callable) -> Callable:
        for kind, program in PROGRAMS.items():

            def run(stand, kind=kind) -> str:
                return act(stand, kind)

            run.__name__, run.__module__ = f"{act.__name__}_at_{kind}", act.__module__
            case(injected=f"{injected}, through {kind}", must_hold=must_hold, needs=(program, "openssl"), alone=alone)(run)
        return act

    return register


def start(stand, kind: str, nodes: list[int]) -> Front:
    front, command = FRONTS[kind](stand, nodes)
    return dataclasses.replace(front, child=balancers.start(stand, command, front.port))


def check(stand, kind: str) -> str:
    """What the balancer itself says of the file."""
    _, command = FRONTS[kind](stand, [1, 2, 3])
    done = run(*command, CHECKS[kind])
    return done.stdout + done.stderr


def _with_nodes(text: str, nodes: list[int]) -> str:
    found = re.findall(r"10\.0\.0\.1\d:8080", text)
    if len(found) != len(nodes):
        raise Broken(f"the file has {len(found)} nodes")
    for address, port in zip(found, nodes):
        text = _replace(text, address, f"127.0.0.1:{port}")
    return text


def _replace(text: str, old: str, new: str) -> str:
    if text.count(old) != 1:
        raise Broken(f"the file has {text.count(old)} times `{old}`")
    return text.replace(old, new)


def _certificate(stand) -> str:
    """Its own, with the key in the same file."""
    certificate, key = make_self_signed(stand.directory)
    file = stand.directory / "petstore.pem"
    file.write_text(certificate.read_text() + key.read_text())
    return str(file)
