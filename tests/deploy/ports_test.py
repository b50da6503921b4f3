#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""deploy/ports.sh, and what ./deploy/run and deploy/cluster say of --ports before they do anything."""

import os
import signal
import socket
import sys
import unittest
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tests"))

from support.checks import wait_until  # noqa: E402
from support.ports import free_port, free_ports  # noqa: E402
from support.processes import Child, run  # noqa: E402

SCRIPT = f'set -euo pipefail; source "{CHECKOUT}/deploy/prepare.sh"; source "{CHECKOUT}/deploy/ports.sh"; '
STARTS = ([CHECKOUT / "deploy/run", "--cluster"], [CHECKOUT / "deploy/cluster"])
PORTS = 9


class Bases(unittest.TestCase):
    def test_base_that_is_no_port_is_refused(self) -> None:
        for start in STARTS:
            for base in ("", "x", "9100x", "-1", "0", "80", "1023", "09100", "65528", "100000", "1e4", "--", "--listen"):
                with self.subTest(start=start, base=base):
                    done = run(*start, "--ports", base, code=1)
                    self.assertEqual(done.stdout, "")
                    self.assertRegex(done.stderr, rf"\A--ports '{base}': BASE is a number from 1024 to 65527, .*\n\Z")

    def test_base_that_is_missing_is_refused(self) -> None:
        for start in STARTS:
            with self.subTest(start=start):
                self.assertIn("--ports '': BASE is a number", run(*start, "--ports", code=1).stderr)

    def test_base_is_for_a_cluster_alone(self) -> None:
        told = run(CHECKOUT / "deploy/run", "--ports", "9100", code=1).stderr
        self.assertEqual(told, "--ports names the ports of a cluster: it goes with --cluster.\n")

    def test_first_and_last_base_are_taken(self) -> None:
        for base in ("1024", "65527"):
            run("bash", "-c", f"{SCRIPT} check_base {base}")

    def test_port_in_use_is_named(self) -> None:
        for place, user in ((0, "HAProxy"), (2, "node-2"), (7, "PostgreSQL"), (PORTS - 1, "Redis")):
            base = free_ports(PORTS)
            with socket.create_server(("127.0.0.1", base + place)):
                done = run("bash", "-c", f"{SCRIPT} check_ports {base}", code=1)
            wanted = f"Port {base + place} is in use, which --ports {base} gives to {user}. Choose another BASE.\n"
            self.assertEqual(done.stderr, wanted)

    def test_port_of_haproxy_may_be_in_use_when_it_listens_elsewhere(self) -> None:
        base = free_ports(PORTS)
        with socket.create_server(("127.0.0.1", base)):
            run("bash", "-c", f"{SCRIPT} check_ports {base} 1")


class Reservations(unittest.TestCase):
    def setUp(self) -> None:
        self.port = free_port()
        self.addCleanup(run, "bash", "-c", f"{SCRIPT} reserve {self.port}; remove_reservations")

    def reserve(self, then: str, first: str = "") -> Child:
        child = Child(["bash", "-c", f"{SCRIPT} {first} reserve {self.port} && {then}"], CHECKOUT, dict(os.environ))
        self.addCleanup(child.close)
        return child

    def is_reserved(self) -> bool:
        return run("bash", "-c", f"{SCRIPT} reserve {self.port}", code=None).returncode != 0

    def files(self) -> list[Path]:
        return [path for path in map(Path, ("/run/lock", "/tmp")) if (path / f"petstore-port-{self.port}").exists()]

    def test_port_is_reserved_once(self) -> None:
        holder = self.reserve("echo reserved && exec tail -f /dev/null")
        holder.wait_for_line("reserved")
        self.assertTrue(self.is_reserved())
        holder.stop()
        self.assertFalse(self.is_reserved())

    def test_port_is_reserved_as_long_as_what_was_started_runs(self) -> None:
        holder = self.reserve("{ tail -f /dev/null & echo $!; kill -KILL $$; }")
        child = int(holder.wait_for_line(""))
        holder.wait()
        self.assertTrue(self.is_reserved())
        os.kill(child, signal.SIGTERM)
        wait_until(lambda: not self.is_reserved(), "the port stays reserved")

    def test_reservation_leaves_nothing_behind(self) -> None:
        run("bash", "-c", f"{SCRIPT} reserve {self.port}; remove_reservations")
        self.assertEqual(self.files(), [])

    def test_file_that_was_removed_before_it_was_locked_reserves_nothing(self) -> None:
        # As when the one who had the port ends between the opening and the locking.
        race = 'flock() { if [[ -z ${removed-} ]]; then removed=yes; rm "$file"; fi; command flock "$@"; };'
        holder = self.reserve("echo reserved && exec tail -f /dev/null", first=race)
        holder.wait_for_line("reserved")
        self.assertTrue(self.is_reserved())


if __name__ == "__main__":
    unittest.main()
