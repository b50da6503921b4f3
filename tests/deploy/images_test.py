#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The images that deploy/ does not build: tags by default, and digests when deploy/compose/pin-images has asked Docker, for
which a stand-in answers here."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tests"))

from support.processes import run  # noqa: E402

COMPOSE = (CHECKOUT / "deploy/compose/compose.yaml").read_text()
DOCKERFILE = (CHECKOUT / "deploy/docker/Dockerfile").read_text()
TAGS = dict(re.findall(r"\$\{([A-Z_]+):-([a-z/]+:[a-z0-9.-]+)\}", COMPOSE))

# Knows of each image that it has pulled a digest that is made of its name.
DOCKER = """#!/bin/sh
case $1 in
  pull) test "$3" != "$MISSING" && touch "$PULLED/$(echo "$3" | tr / _)" || { echo "no such tag" >&2; exit 1; } ;;
  image) test -e "$PULLED/$(echo "$5" | tr / _)" && echo "${5%:*}@sha256:$(printf %s "$5" | sha256sum | cut -d' ' -f1)" ;;
esac
"""


def pinned(image: str) -> str:
    return f"{image}@sha256:{hashlib.sha256(image.encode()).hexdigest()}"


class Tags(unittest.TestCase):
    def test_every_image_is_a_variable_or_built_here(self) -> None:
        for image in re.findall(r"^ +image: (.*)$", COMPOSE, re.MULTILINE):
            self.assertRegex(image, r"^(petstore:\$\{VERSION:-[0-9.]+\}|\$\{[A-Z]+_IMAGE:-[a-z/]+:[0-9.]+\})$")

    def test_bases_are_the_same_for_compose_and_without_it(self) -> None:
        defaults = dict(re.findall(r"^ARG (DEBIAN[A-Z_]*)=(.*)$", DOCKERFILE, re.MULTILINE))
        self.assertEqual(defaults, {name: tag for name, tag in TAGS.items() if name.startswith("DEBIAN")})
        self.assertEqual(re.findall(r"^FROM \$\{([A-Z_]+)\}", DOCKERFILE, re.MULTILINE), list(defaults))

    def test_there_are_as_many_as_are_known(self) -> None:
        self.assertEqual(set(TAGS), {"DEBIAN", "DEBIAN_SLIM", "POSTGRES_IMAGE", "VALKEY_IMAGE", "HAPROXY_IMAGE"})


class Pins(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        for name in ("compose.yaml", "pin-images"):
            shutil.copy(CHECKOUT / "deploy/compose" / name, self.folder)
        (self.folder / "pulled").mkdir()
        (self.folder / "docker").write_text(DOCKER)
        (self.folder / "docker").chmod(0o755)
        self.env = self.folder / ".env"

    def pin(self, *arguments: str, code: int = 0, missing: str = "") -> subprocess.CompletedProcess[str]:
        path = f"{self.folder}:{os.environ['PATH']}"
        variables = os.environ | {"PATH": path, "PULLED": str(self.folder / "pulled"), "MISSING": missing}
        return run(self.folder / "pin-images", *arguments, code=code, variables=variables)

    def test_every_image_gets_the_digest_of_its_tag(self) -> None:
        self.pin()
        lines = self.env.read_text().splitlines()
        self.assertEqual(sorted(lines), sorted(f"{name}={pinned(tag)}" for name, tag in TAGS.items()))

    def test_second_time_replaces_the_first_and_keeps_other_lines(self) -> None:
        self.env.write_text("PORT=8181\nDEBIAN=debian:12@sha256:old\n# mine\n")
        self.pin()
        self.pin()
        lines = self.env.read_text().splitlines()
        self.assertEqual(lines[:2], ["PORT=8181", "# mine"])
        self.assertEqual(len(lines), 2 + len(TAGS))
        self.assertIn(f"DEBIAN={pinned('debian:12')}", lines)

    def test_image_that_cannot_be_pulled_leaves_everything_as_it_was(self) -> None:
        self.env.write_text("PORT=8181\n")
        told = self.pin(code=1, missing="haproxy:2.8").stderr
        self.assertEqual(told, "no such tag\nDocker does not get haproxy:2.8 (see above). .env is as it was.\n")
        self.assertEqual(self.env.read_text(), "PORT=8181\n")

    def test_argument_is_refused_and_help_printed(self) -> None:
        self.assertTrue(self.pin("--force", code=2).stderr.startswith("pin-images has no argument --force.\n"))
        self.assertTrue(self.pin("--help").stdout.startswith("Usage: deploy/compose/pin-images\n"))
        self.assertFalse(self.env.exists())

    def test_bases_reach_a_build_without_compose(self) -> None:
        self.pin()
        readme = (CHECKOUT / "deploy/README.md").read_text()
        script = re.search(r"docker build \$\((sed .*?)\)", readme)[1].replace("deploy/compose/.env", str(self.env))
        words = run("sh", "-c", f"echo $({script})").stdout.split()
        self.assertEqual(
            words,
            ["--build-arg", f"DEBIAN={pinned('debian:12')}", "--build-arg", f"DEBIAN_SLIM={pinned('debian:12-slim')}"],
        )


if __name__ == "__main__":
    unittest.main()
