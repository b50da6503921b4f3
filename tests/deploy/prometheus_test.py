# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What deploy/prometheus asks, held against real runs: nodes on LMDB and on PostgreSQL and Redis, one that speaks TLS, and
Debian's Prometheus that scrapes them.

PETSTORE names the program. Everything is on loopback and ends with the test."""

import json
import os
import re
import sys
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tests"))

from support import processes  # noqa: E402
from support.certificates import make_self_signed  # noqa: E402
from support.checks import TIME_LIMIT_SECONDS, wait_until  # noqa: E402
from support.http import Connection, request, trusting_anybody  # noqa: E402
from support.ports import free_port  # noqa: E402
from support.postgresql import PostgreSQL  # noqa: E402
from support.redis import Redis  # noqa: E402
from support.stand import Server, Stand  # noqa: E402

SHIPPED = CHECKOUT / "deploy/prometheus"
NAME = re.compile(r"(?<![:\w])(?:petstore|process)_[a-z_]+")  # of a metric; behind a colon it is a recording rule's


def promtool(*words: str | Path, given: str | None = None) -> str:
    """What it complains of."""
    return processes.run("promtool", *words, given=given, cwd=Path(__file__).parent).stderr


def use(server: Server, key: str) -> None:
    """Reads, a write, and what is refused."""
    for method, path, body in (
        ("POST", "/v1/pets", {"name": "Rosa", "categoryId": 1}),
        ("GET", "/v1/pets", None),
        ("GET", "/v1/pets/4711", None),
        ("GET", "/v1/quota", None),
    ):
        server.request(method, path, key, body)
    server.request("GET", "/v1/pets", "nobody")


class Dashboard:
    """The questions in the file, as Grafana would ask them."""

    def __init__(self):
        self.text = (SHIPPED / "dashboard.json").read_text()
        self.board = json.loads(self.text)
        self.panels = self.board["panels"]
        written = [target["expr"] for panel in self.panels for target in panel.get("targets", [])]
        written += [note["expr"] for note in self.board["annotations"]["list"]]
        self.questions = [self._filled_in(expr) for expr in written]

    @staticmethod
    def _filled_in(expr: str) -> str:
        return expr.replace("$__rate_interval", "5s").replace("$job", "petstore").replace("$instance", ".*")


class Shipped(unittest.TestCase):
    def test_the_rules_are_rules(self) -> None:
        promtool("check", "rules", SHIPPED / "alerts.yml")

    def test_every_alert_fires_when_it_should_and_not_otherwise(self) -> None:
        promtool("test", "rules", "alerts_test.yml")

    def test_every_alert_has_a_test_and_says_what_to_do(self) -> None:
        tested = (Path(__file__).parent / "alerts_test.yml").read_text()
        alerts = re.split(r"^ +- alert: ", (SHIPPED / "alerts.yml").read_text(), flags=re.MULTILINE)[1:]
        self.assertGreater(len(alerts), 15)
        for alert in alerts:
            name = alert.split("\n", 1)[0]
            with self.subTest(name):
                self.assertIn(f'alertname="{name}"', tested)
                for needed in ("severity: ", "summary: ", "runbook: "):
                    self.assertIn(needed, alert)

    def test_the_configuration_is_one(self) -> None:
        promtool("check", "config", SHIPPED / "prometheus.yml")

    def test_the_dashboard_is_what_its_source_says(self) -> None:
        printed = processes.run(sys.executable, SHIPPED / "dashboard.py")
        self.assertEqual(printed.stdout, Dashboard().text, "run deploy/prometheus/dashboard.py > dashboard.json there")

    def test_no_panel_of_the_dashboard_covers_another(self) -> None:
        taken: set[tuple[int, int]] = set()
        numbers: set[int] = set()
        for panel in Dashboard().panels:
            at = panel["gridPos"]
            here = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
            self.assertFalse(here & taken, panel["title"])
            self.assertLessEqual(at["x"] + at["w"], 24)
            self.assertNotIn(panel["id"], numbers)
            taken |= here
            numbers.add(panel["id"])


class Scraped(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        stand = Stand(Path(os.environ["PETSTORE"]).resolve())
        cls.addClassCleanup(stand.__exit__)
        database = PostgreSQL(stand).uri
        redis = Redis(stand).uri
        cls.servers = [
            stand.serve("lmdb:shop", "--threads", "1", "--access-log", "off"),
            stand.serve(database, "--quota", redis, "--threads", "1", "--access-log", "off"),
        ]
        for server, store in zip(cls.servers, ("lmdb:shop", database)):
            key = stand.make_key(store, "--plan", "free")
            wait_until(lambda: server.knows(key), "a node does not know its key")
            use(server, key)
        cls.servers.append(cls.serve_encrypted(stand))
        cls.pages = [request(server.admin_port, "GET", "/metrics").body.decode() for server in cls.servers]

        targets = ", ".join(f"'127.0.0.1:{server.admin_port}'" for server in cls.servers)
        settings = (SHIPPED / "prometheus.yml").read_text()
        settings = settings.replace("'127.0.0.1:9090'", targets).replace("15s", "1s")
        (stand.directory / "prometheus.yml").write_text(settings)
        (stand.directory / "alerts.yml").write_text((SHIPPED / "alerts.yml").read_text())
        cls.port = free_port()
        prometheus = stand.start(
            [
                "prometheus",
                f"--config.file={stand.directory}/prometheus.yml",
                f"--storage.tsdb.path={stand.directory}/prometheus",
                f"--web.listen-address=127.0.0.1:{cls.port}",
            ]
        )
        wait_until(cls.has_scraped_twice, "Prometheus did not scrape every node", prometheus)

    @staticmethod
    def serve_encrypted(stand: Stand) -> Server:
        """Also with a webhook, whose events nobody waits for."""
        certificate, private_key = make_self_signed(stand.directory)
        secret = stand.directory / "webhook-secret"
        secret.touch(0o600)
        secret.write_text("a-secret-of-the-webhook-of-this-very-test")
        server = stand.serve(
            *("memory:", "--tls-cert", str(certificate), "--tls-key", str(private_key), "--threads", "1"),
            *("--webhook", "http://127.0.0.1:9/", "--webhook-secret-file", str(secret)),
        )
        with Connection(server.port, encryption=trusting_anybody()) as connection:
            connection.request("GET", "/v1/pets")
        return server

    @classmethod
    def ask(cls, path: str, **query: str):
        url = f"http://127.0.0.1:{cls.port}/api/v1/{path}?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(url, timeout=TIME_LIMIT_SECONDS) as answer:
            return json.load(answer)["data"]

    @classmethod
    def has_scraped_twice(cls) -> bool:
        try:
            counts = cls.ask("query", query='count_over_time(up{job="petstore"}[1m])')["result"]
            return len(counts) == len(cls.servers) and all(float(c["value"][1]) >= 3 for c in counts)
        except OSError:
            return False

    def test_the_pages_have_nothing_that_promtool_finds_fault_with(self) -> None:
        for page in self.pages:
            self.assertEqual(promtool("check", "metrics", given=page), "")

    def test_no_label_holds_more_than_a_few_dozen_values(self) -> None:
        for page in self.pages:
            series: dict[str, int] = {}
            for line in page.splitlines():
                name = re.split(r"[{ ]", line)[0]
                if not line.startswith("#") and not name.endswith("_bucket"):
                    series[name] = series.get(name, 0) + 1
            self.assertLess(max(series.values()), 100, series)

    def test_every_name_in_dashboard_and_alerts_is_scraped(self) -> None:
        scraped = set(self.ask("label/__name__/values"))
        alerts = (SHIPPED / "alerts.yml").read_text()
        for text in (*Dashboard().questions, *alerts.split("- alert: ")):
            for name in NAME.findall(text):
                # These appear with the first of their kind.
                if name != "petstore_http_protocol_refusals_total":
                    self.assertIn(name, scraped, text)

    def test_every_question_of_the_dashboard_can_be_asked_and_nearly_all_have_an_answer(self) -> None:
        questions = Dashboard().questions
        answered = [q for q in questions if self.ask("query", query=q)["result"]]
        self.assertGreater(len(answered), 0.8 * len(questions), set(questions) - set(answered))

    def test_every_node_is_well_and_no_rule_fails(self) -> None:
        up = self.ask("query", query='up{job="petstore"}')["result"]
        self.assertEqual([one["value"][1] for one in up], ["1"] * len(self.servers))
        rules = [rule for group in self.ask("rules")["groups"] for rule in group["rules"]]
        self.assertGreater(len(rules), 15)
        self.assertEqual([rule["name"] for rule in rules if rule["health"] == "err"], [])


if __name__ == "__main__":
    unittest.main()
