# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""petstore-load against the real service: scenarios that ship, and the quota audit over one node and over two.

PETSTORE and PETSTORE_LOAD name the programs."""

import http.server
import json
import os
import sys
import threading
import time
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(SOURCE / "tests"), str(SOURCE / "tests/clients")]

from support.checks import Missing, find_program, wait_until  # noqa: E402
from support.http import Connection  # noqa: E402
from support.postgresql import PostgreSQL  # noqa: E402
from support.processes import environment, run  # noqa: E402
from support.redis import Redis  # noqa: E402
from support.stand import Stand  # noqa: E402

import patient_client  # noqa: E402

SCENARIOS = SOURCE / "bench/load/scenarios"
KEPT, BROKEN = 0, 1  # exit codes


class WithStand(unittest.TestCase):
    def setUp(self) -> None:
        self.stand = Stand(Path(os.environ["PETSTORE"]).resolve())
        self.addCleanup(self.stand.__exit__)
        self.store = f"lmdb:{self.stand.directory / 'shop'}"

    def serve(self, *flags: str):
        return self.stand.serve(self.store, "--threads", "1", "--access-log", "off", *flags)

    def make_key(self, server, *arguments: str) -> str:
        """The server knows it when this returns."""
        key = self.stand.make_key(self.store, *arguments)
        wait_until(lambda: server.knows(key), "the server does not know a new key")
        return key

    def base(self, server) -> str:
        return f"http://127.0.0.1:{server.port}/v1"

    def load(self, *arguments: str, key: str = "", code: int = KEPT) -> dict:
        """The results of a run."""
        file = self.stand.directory / "results.json"
        command = (Path(os.environ["PETSTORE_LOAD"]).resolve(), *arguments, "--json", file)
        done = run(*command, code=code, cwd=self.stand.directory, variables=environment({"SHOP_KEY": key}))
        if key:
            self.assertNotIn(key, done.stdout + done.stderr + file.read_text())
        return json.loads(file.read_text())

    def assert_kept(self, results: dict) -> None:
        self.assertEqual(results["audit"]["findings"], [])
        self.assertGreater(len(results["audit"]["checked"]), 0)


class Scenarios(WithStand):
    """Of a shop whose quotas are never exhausted."""

    def run_shipped(self, name: str, *more: str) -> dict:
        server = self.serve()
        key = self.make_key(server)
        server.request("POST", "/v1/pets", key, {"name": "Rex", "categoryId": 1, "status": "available"})
        return self.load(
            self.base(server), "--scenario", str(SCENARIOS / f"{name}.toml"), "--key", "env:SHOP_KEY", "--duration", "3s",
            "--warm-up", "0", "--fail-if", "errors>0", *more, key=key,
        )  # fmt: skip

    def test_browse_finds_everything_it_asks_for(self) -> None:
        results = self.run_shipped("browse")
        answered = {each["name"]: each["counted"]["answers"] for each in results["operations"]}
        self.assertEqual(set(answered), {"list", "filter", "look/list", "look/pet", "look/again"})
        self.assertTrue(all(answered.values()), answered)

    def test_adopt_brings_every_adoption_to_its_end(self) -> None:
        results = self.run_shipped("adopt", "--rate", "40")
        answered = {each["name"]: each["counted"]["answers"] for each in results["operations"]}
        for last in ("adopt/deliver", "cancel/remove"):
            self.assertGreater(answered[last], 0, answered)


class OneNode(WithStand):
    def test_audit_of_one_node_finds_nothing(self) -> None:
        server = self.serve("--ban-strikes", "0")
        key = self.make_key(server, "--plan", "free")
        results = self.load(
            f"{self.base(server)}/pets?limit=1", "--key", "env:SHOP_KEY,plan=free", "--audit", "--rate", "300",
            "--duration", "3s", key=key,
        )  # fmt: skip
        self.assert_kept(results)
        self.assertGreater(results["audit"]["refusals"], 0)

    def test_audit_of_a_continuous_refill_finds_nothing(self) -> None:
        config = self.stand.directory / "petstore.toml"
        config.write_text('[plans.smooth]\nper_minute = 120\nper_day = 0\nrefill = "continuous"\n')
        server = self.serve("--ban-strikes", "0", "--config", str(config))
        key = self.make_key(server, "--plan", "smooth", "--config", str(config))
        scenario = self.stand.directory / "smooth.toml"
        scenario.write_text(
            "[audit]\n[plans.smooth]\n"
            'minute = { limit = 120, refill = "continuous" }\n[[keys]]\nkey = "env:SHOP_KEY"\nplan = "smooth"\n'
            '[[operations]]\nname = "list"\npath = "/pets"\nexpect = ["2xx", 429]\n'
        )
        results = self.load(
            self.base(server), "--scenario", str(scenario), "--rate", "100", "--duration", "4s", key=key
        )
        self.assert_kept(results)
        self.assertGreater(results["audit"]["refusals"], 0)

    def test_abuse_earns_a_ban_that_the_audit_understands(self) -> None:
        server = self.serve("--ban-strikes", "20")
        key = self.make_key(server, "--plan", "free")
        results = self.load(
            self.base(server), "--scenario", str(SCENARIOS / "abuse.toml"), "--key", "env:SHOP_KEY,plan=free",
            "--duration", "4s", key=key,
        )  # fmt: skip
        self.assert_kept(results)
        self.assertEqual(server.request("GET", "/v1/pets", key).json()["code"], "banned")

    def test_quota_that_was_used_before_is_no_finding(self) -> None:
        server = self.serve("--ban-strikes", "0")
        key = self.make_key(server, "--plan", "free")
        with Connection(server.port) as connection:
            for _ in range(25):
                connection.request("GET", "/v1/pets", key)
        results = self.load(
            f"{self.base(server)}/pets", "--key", "env:SHOP_KEY,plan=free", "--audit", "--rate", "50", "--duration",
            "3s", key=key,
        )  # fmt: skip
        self.assert_kept(results)


class Liar(http.server.BaseHTTPRequestHandler):
    """Admits one more than the five that it announces."""

    protocol_version = "HTTP/1.1"
    limit, admitted, lock, end = 5, 0, threading.Lock(), 0

    def do_GET(self) -> None:
        with self.lock:
            type(self).end = self.end or int(time.time()) + 60
            admits = self.admitted <= self.limit
            type(self).admitted += admits
            left = max(0, self.limit - self.admitted)
        self.send_response(200 if admits else 429)
        self.send_header("X-RateLimit-Limit", str(self.limit))
        self.send_header("X-RateLimit-Remaining", str(left))
        self.send_header("X-RateLimit-Reset", str(self.end))
        if not admits:
            self.send_header("Retry-After", str(self.end - int(time.time())))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_) -> None:
        pass


class OtherServices(WithStand):
    def test_audit_of_a_service_that_admits_one_too_many_fails_the_run(self) -> None:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Liar)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        results = self.load(
            f"http://127.0.0.1:{server.server_port}/", "--audit", "--rate", "20", "--duration", "1s", code=BROKEN
        )
        self.assertEqual([finding["rule"] for finding in results["audit"]["findings"]], ["over-admission"])


class Nodes(WithStand):
    def test_audit_of_two_nodes_finds_nothing(self) -> None:
        try:
            for program in ("postgres", "redis-server", "redis-cli"):
                find_program(program)
        except Missing as missing:
            self.skipTest(str(missing))
        redis = Redis(self.stand)
        self.store = PostgreSQL(self.stand).uri
        # Without an answer nobody is admitted, and there is time for one, on any machine.
        exact = ("--quota", redis.uri, "--quota-failure", "closed", "--quota-deadline", "5s", "--ban-strikes", "0")
        servers = [self.serve(*exact), self.serve(*exact)]
        key = self.make_key(servers[0], "--plan", "pro")
        wait_until(lambda: servers[1].knows(key), "the other node does not know a new key")
        results = self.load(
            f"{self.base(servers[0])}/pets", "--target", f"{self.base(servers[1])}/pets", "--key",
            "env:SHOP_KEY,plan=pro", "--audit", "--rate", "200", "--duration", "8s", key=key,
        )  # fmt: skip
        self.assert_kept(results)
        self.assertGreater(results["audit"]["refusals"], 0)


class ApiUsers(WithStand):
    def test_patient_client_waits_as_it_is_told_and_is_served(self) -> None:
        config = self.stand.directory / "petstore.toml"
        config.write_text('[plans.drip]\nper_minute = 60\nper_day = 0\nrefill = "continuous"\n')
        server = self.serve("--config", str(config))
        key = self.make_key(server, "--plan", "drip", "--config", str(config))
        with Connection(server.port) as connection:
            while connection.request("GET", "/v1/pets", key).status != 429:
                pass
        begun = time.monotonic()
        self.assertEqual(patient_client.fetch(f"{self.base(server)}/pets", key), [])
        self.assertGreater(time.monotonic() - begun, 0.9)  # a token comes back each second


if __name__ == "__main__":
    unittest.main(warnings="ignore")  # the stand leaves files of ended processes to the end of this one
