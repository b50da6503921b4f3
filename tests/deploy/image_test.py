# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The image of deploy/docker, run by a real engine under every fetter that deploy/ asks for. Needs root."""

import json
import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from built_image import CHECKOUT, IMAGE, engine_with_image
from engine import Engine

sys.path.insert(0, str(CHECKOUT / "tests"))

from support.checks import Broken, wait_until  # noqa: E402
from support.processes import run  # noqa: E402

# Debian itself has 75 to 120 MB, depending on who made the base.
MEGABYTES_ABOVE_BASE_MAX = 40
FETTERS = ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--memory=256m", "--pids-limit=64"]


class Image(unittest.TestCase):
    engine: Engine
    facts: dict

    @classmethod
    def setUpClass(cls) -> None:
        cls.engine = engine_with_image()
        cls.facts = json.loads(cls.engine.call("image", "inspect", IMAGE))[0]

    def container(self, *options: str, command: tuple[str, ...] = ()) -> str:
        container = self.engine.start(IMAGE, [*FETTERS, *options], command)
        self.addCleanup(self.engine.try_call, "rm", "--force", "--time=0", "--volumes", container)
        return container

    def healthy(self, container: str) -> bool:
        return self.engine.try_call("healthcheck", "run", container).returncode == 0

    def wait_until_healthy(self, container: str) -> None:
        try:
            wait_until(lambda: self.healthy(container), "the container does not become healthy")
        except Broken as broken:
            raise AssertionError(f"{broken}:\n{self.logs(container)}") from None

    def logs(self, container: str) -> str:
        done = self.engine.try_call("logs", container)
        return done.stdout + done.stderr

    def inside(self, container: str, *line: str, fails: bool = False) -> str:
        done = self.engine.try_call("exec", container, *line)
        self.assertEqual(done.returncode != 0, fails, f"{line}: {done.stdout}{done.stderr}{self.logs(container)}")
        return done.stdout.strip()

    def as_root(self, program: str, *arguments: str) -> str:
        container = self.engine.start(IMAGE, ["--user=0", f"--entrypoint={program}"], arguments)
        self.addCleanup(self.engine.try_call, "rm", "--force", container)
        self.assertEqual(self.engine.call("wait", container), "0", self.logs(container))
        return self.logs(container)

    def ask(self, container: str, path: str, *options: str) -> str:
        """From this machine, in the container's network: status and body."""
        process = self.engine.call("inspect", "--format={{.State.Pid}}", container)
        asked = ["curl", "-s", "-w", "\n%{http_code}", *options, f"http://127.0.0.1:8080{path}"]
        return run("nsenter", f"--target={process}", "--net", *asked, code=None).stdout

    def test_states_what_orchestrators_ask_of_it(self) -> None:
        config = self.facts["Config"]
        self.assertEqual(config["User"], "65532:65532")
        self.assertEqual(set(config["ExposedPorts"]), {"8080/tcp", "9090/tcp"})
        self.assertEqual(config["Entrypoint"], ["/usr/local/bin/petstore"])
        self.assertEqual(config["Cmd"], ["serve"])
        self.assertEqual(config["StopSignal"], "SIGTERM")
        self.assertEqual(set(config["Volumes"]), {"/var/lib/petstore"})
        self.assertEqual(self.facts["HealthCheck" if "HealthCheck" in self.facts else "Healthcheck"]["Test"][0], "CMD")
        self.assertEqual(config["Labels"]["org.opencontainers.image.licenses"], "BSL-1.0")

    def test_adds_little_to_debian(self) -> None:
        base = json.loads(self.engine.call("image", "inspect", "debian:12-slim"))[0]
        added = (self.facts["Size"] - base["Size"]) / 1e6
        print(f"The image adds {added:.1f} MB to its base", flush=True)
        self.assertLess(added, MEGABYTES_ABOVE_BASE_MAX)

    def test_has_the_libraries_that_the_program_needs_and_no_more(self) -> None:
        listed = {
            line
            for line in (CHECKOUT / "deploy/docker/packages.txt").read_text().splitlines()
            if line and not line.startswith("#")
        }
        libraries = "ldd /usr/local/bin/petstore | sed -n 's/.*=> \\([^ ]*\\).*/\\1/p'"
        script = f"{libraries} | xargs -n1 basename | xargs dpkg -S"
        linked = set(re.findall(r"^([a-z0-9.+-]+)[:,]", self.as_root("/bin/sh", "-c", script), re.MULTILINE))
        # What a listed package or Debian's base brings along need not be listed; certificates are no library.
        self.assertEqual(listed - linked, {"ca-certificates"}, "packages that the program does not use")

    def test_has_no_file_that_gives_rights(self) -> None:
        self.assertEqual(self.as_root("/usr/bin/find", "/", "-xdev", "-perm", "/6000", "-type", "f"), "")

    def test_serves_as_nobody_in_particular_on_a_root_that_cannot_be_written(self) -> None:
        container = self.container()
        self.wait_until_healthy(container)
        key = self.inside(container, "/usr/local/bin/petstore", "keys", "create", "--plan", "free")
        bearer = ("-H", f"Authorization: Bearer {key}")
        wait_until(lambda: self.ask(container, "/v1/pets", *bearer).endswith("200"), "the key does not work")
        animal = '{"name": "Rosa", "categoryId": 1}'
        made = self.ask(container, "/v1/pets", *bearer, "-H", "Content-Type: application/json", "-d", animal)
        self.assertTrue(made.endswith("201"), made)
        self.assertEqual(self.inside(container, "/usr/local/bin/petstore", "health", "--ready"), '{"status":"ready"}')

        process = self.engine.call("inspect", "--format={{.State.Pid}}", container)
        status = Path(f"/proc/{process}/status").read_text()
        self.assertRegex(status, r"(?m)^Uid:\s+65532\s+65532\s+65532\s+65532$")
        self.assertRegex(status, r"(?m)^CapEff:\s+0000000000000000$")
        self.assertRegex(status, r"(?m)^NoNewPrivs:\s+1$")
        self.inside(container, "/usr/bin/touch", "/etc/petstore/written", fails=True)

        # What is in flight is finished, and the data outlast the process.
        self.engine.call("stop", "--time=10", container)
        ended = self.engine.call("inspect", "--format={{.State.ExitCode}}", container)
        self.assertEqual(ended, "0", self.logs(container))
        self.engine.call("start", container)
        self.wait_until_healthy(container)
        self.assertIn("Rosa", self.ask(container, "/v1/pets", *bearer))

    def test_has_the_documentation_page_with_what_it_needs(self) -> None:
        container = self.container()
        self.wait_until_healthy(container)
        page = self.ask(container, "/docs")
        self.assertIn("swagger-ui.js", page)
        for path in sorted(set(re.findall(r'(?:src|href)="(/docs/[^"]+)"', page))):
            self.assertTrue(self.ask(container, path, "-o", "/dev/null").endswith("200"), path)

    def test_needs_neither_shell_nor_any_other_program(self) -> None:
        container = self.container("--tmpfs=/usr/bin:notmpcopyup", "--tmpfs=/usr/sbin:notmpcopyup")
        self.wait_until_healthy(container)
        self.inside(container, "/bin/sh", "-c", "true", fails=True)

    def test_takes_secrets_from_files(self) -> None:
        directory = Path(tempfile.mkdtemp(prefix="petstore-secret-"))
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        directory.chmod(0o711)
        (directory / "store").write_text("memory:\n")
        secret = "--env=PETSTORE_STORE_FILE=/run/secrets/store"
        container = self.container(f"--volume={directory}:/run/secrets:ro", secret)
        self.wait_until_healthy(container)
        shown = self.inside(container, "/usr/local/bin/petstore", "config", "show")
        self.assertRegex(shown, r"(?m)^store +memory: +PETSTORE_STORE_FILE$")

    def test_server_that_hangs_is_unhealthy(self) -> None:
        container = self.container()
        self.wait_until_healthy(container)
        self.engine.call("kill", "--signal=STOP", container)
        self.assertFalse(self.healthy(container))
        self.engine.call("kill", "--signal=CONT", container)
        self.wait_until_healthy(container)

    def test_wrong_setting_is_named_and_ends_it(self) -> None:
        container = self.container(command=("serve", "--threads", "many"))
        self.assertEqual(self.engine.call("wait", container), "2")
        self.assertIn("threads: `many`", self.logs(container))
