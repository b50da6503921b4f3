#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The two files for HAProxy hold the same rules twice, as each is copied alone. What they do not share stands here."""

import unittest
from pathlib import Path

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"

# By section, without the name of it. Machines of one's own have TLS and other places; containers have a name server, and
# say 404 where the nodes would trust the only balancer that there is.
OWN = {
    "haproxy": {
        "global": ["user haproxy", "group haproxy", "chroot /var/lib/haproxy", "maxconn 8000", "hard-stop-after 40s"],
        "defaults": ["option dontlognull", "timeout check 1s"],
        "frontend": [
            "bind :80",
            "bind :443 ssl crt /etc/haproxy/petstore.pem alpn h2,http/1.1",
            "http-request redirect scheme https code 308 unless { ssl_fc }",
            "default_backend petstore",
        ],
        "backend": [
            "default-server check inter 1s fastinter 250ms downinter 500ms fall 2 rise 2",
            "default-server pool-purge-delay 30s maxconn 2000",
            "server node1 10.0.0.11:8080",
            "server node2 10.0.0.12:8080",
            "server node3 10.0.0.13:8080",
        ],
    },
    "compose": {
        "global": ["maxconn 20000", "hard-stop-after 35s"],
        "defaults": ["option abortonclose"],
        "resolvers": ["nameserver docker 127.0.0.11:53", "hold valid 1s"],
        "frontend": [
            "bind :8080",
            "http-request return status 404 if { path /livez /readyz }",
            "default_backend nodes",
        ],
        "backend": [
            "default-server check inter 1s fall 2 rise 2 pool-purge-delay 60s resolvers docker init-addr last,libc,none"
            " maxconn 5000",
            "server node1 node1:8080",
            "server node2 node2:8080",
            "server node3 node3:8080",
        ],
    },
}
# Where the order of lines means something.
ORDERED = ("frontend", "backend")


def sections(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if line[0] != " ":
            lines = found.setdefault(words[0], [])
        else:
            lines.append(" ".join(words))
    return found


def shared(kind: str) -> dict[str, list[str]]:
    """Without what is the file's own, all of which has to be there."""
    found = sections((DEPLOY / kind / "haproxy.cfg").read_text())
    for section, own in OWN[kind].items():
        for line in own:
            found[section].remove(line)
    return {name: lines if name in ORDERED else sorted(lines) for name, lines in found.items() if lines}


class Files(unittest.TestCase):
    def test_both_have_the_same_rules(self) -> None:
        self.maxDiff = None
        self.assertEqual(shared("haproxy"), shared("compose"))

    def test_rules_are_read_at_all(self) -> None:
        rules = shared("haproxy")
        self.assertIn("option forwardfor", rules["frontend"])
        self.assertIn("balance leastconn", rules["backend"])


if __name__ == "__main__":
    unittest.main()
