# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The Debian packages, installed, used, removed and purged in a root directory of Debian's own. Needs root.

PACKAGES names the folder with them. There is no systemd in there: what maintainer scripts do where one runs is not tried."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from bare_root import BareRoot

CHECKOUT = Path(__file__).resolve().parents[2]
# Whoever publishes packages says who they are: PETSTORE_PACKAGE_MAINTAINER.
NOT_OURS = "bogus-mail-host,bogus-mail-host-in-debian-changelog"
SETTINGS = Path("etc/petstore/petstore.toml")
SERVE = """
set -eu
petstore serve --config /etc/petstore/petstore.toml >/tmp/log 2>&1 &
server=$!
for try in $(seq 200); do
  if petstore health --ready; then break; fi
  kill -0 $server || { cat /tmp/log; exit 3; }
  sleep 0.1
done
petstore health --ready
kill -TERM $server
wait $server
"""


class Packages(unittest.TestCase):
    system: BareRoot
    root: Path
    packages: dict[str, Path]

    @classmethod
    def setUpClass(cls) -> None:
        cls.packages = {path.name.split("_")[0]: path for path in Path(os.environ["PACKAGES"]).glob("*.deb")}
        cls.system = BareRoot()
        cls.addClassCleanup(cls.system.close)
        cls.root = cls.system.path
        for path in cls.packages.values():
            shutil.copy(path, cls.root / "root")
        # Nothing but packages is here, so nothing starts.
        (cls.root / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (cls.root / "usr/sbin/policy-rc.d").chmod(0o755)
        cls.inside("apt-get", "-q", "update")

    @classmethod
    def inside(cls, *command: str, user: str = "root", network: bool = True) -> str:
        return cls.system.run(*command, user=user, network=network)

    def files(self) -> set[str]:
        """What there is but for dpkg's and apt's own books, and what libraries leave."""
        own = ("var/lib/dpkg", "var/cache", "var/log/apt", "var/log/dpkg", "var/lib/apt", "proc", "root", "tmp", "dev")
        found: set[str] = set()
        for folder, _, names in os.walk(self.root):
            below = os.path.relpath(folder, self.root)
            if not below.startswith(own):
                found.update(os.path.join(below, name) for name in names)
        return found

    def test_lintian_has_nothing_serious_to_say(self) -> None:
        done = subprocess.run(
            ["lintian", "--fail-on", "error", "--allow-root", "--suppress-tags", NOT_OURS, *map(str, self.packages.values())],
            capture_output=True,
            text=True,
        )
        print(done.stdout, flush=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_programs_are_hardened(self) -> None:
        for package, program in (("petstore", "petstore"), ("petstore-bench", "petstore-load")):
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run(["dpkg-deb", "--extract", self.packages[package], folder], check=True)
                # Without the mark for control flow: Debian's own start files have none, so the linker leaves it out.
                command = ["hardening-check", "--nocfprotection", f"{folder}/usr/bin/{program}"]
                done = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_there_are_three(self) -> None:
        self.assertEqual(sorted(self.packages), ["libpetstore-dev", "petstore", "petstore-bench"])

    def test_the_service_installs_runs_goes_and_leaves_nothing(self) -> None:
        self.inside("apt-get", "-q", "-y", "--no-install-recommends", "install", "adduser")
        package = f"/root/{self.packages['petstore'].name}"
        self.inside("apt-get", "-q", "-y", "--no-install-recommends", "install", package)
        self.assertIn("petstore:", (self.root / "etc/passwd").read_text())
        self.assertEqual((self.root / "var/lib/petstore").stat().st_mode & 0o777, 0o700)
        unit = (self.root / "lib/systemd/system/petstore.service").read_text()
        self.assertIn("ExecStart=/usr/bin/petstore serve --config /etc/petstore/petstore.toml\n", unit)

        for printed in ("usr/share/man/man1/petstore.1.gz", "usr/share/bash-completion/completions/petstore",
                        "usr/share/zsh/vendor-completions/_petstore", "usr/share/fish/vendor_completions.d/petstore.fish"):
            self.assertGreater((self.root / printed).stat().st_size, 1000, printed)

        for watched in ("alerts.yml", "dashboard.json", "prometheus.yml"):
            shipped = (self.root / "usr/share/petstore/prometheus" / watched).read_text()
            self.assertEqual(shipped, (CHECKOUT / "deploy/prometheus" / watched).read_text())

        # As its user, with no network but its own loopback.
        self.inside("petstore", "config", "check", "--config", f"/{SETTINGS}", user="petstore:petstore")
        self.inside("sh", "-c", SERVE, user="petstore:petstore", network=False)
        self.inside("petstore", "keys", "create", "--store", "lmdb:/var/lib/petstore", "--plan", "free", "--name", "x",
                    user="petstore:petstore")

        # The administrator's changes and the shop stay through an upgrade and a removal.
        with (self.root / SETTINGS).open("a") as settings:
            settings.write("threads = 1\n")
        (self.root / "var/log/petstore").chmod(0o755)
        link = self.root / "etc/systemd/system/sockets.target.wants/petstore.socket"
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to("/lib/systemd/system/petstore.socket")
        self.inside("apt-get", "-q", "-y", "--reinstall", "install", package)
        self.assertIn("threads = 1\n", (self.root / SETTINGS).read_text())
        self.assertEqual((self.root / "var/log/petstore").stat().st_mode & 0o777, 0o755)
        self.inside("apt-get", "-q", "-y", "remove", "petstore")
        self.assertFalse((self.root / "usr/bin/petstore").exists())
        self.assertTrue((self.root / SETTINGS).exists())
        self.assertTrue(any((self.root / "var/lib/petstore").iterdir()))

        # The shop may be on a disk of its own: a purge empties that, and leaves it where it is.
        data = str(self.root / "var/lib/petstore")
        subprocess.run(["mount", "--bind", data, data], check=True)
        try:
            self.inside("apt-get", "-q", "-y", "purge", "petstore")
        finally:
            subprocess.run(["umount", data], check=True)
        self.assertEqual(os.listdir(data), [])
        os.rmdir(data)
        self.assertEqual({name for name in self.files() if "petstore" in name}, set())

    def test_the_load_test_installs_and_goes(self) -> None:
        self.inside("apt-get", "-q", "-y", "--no-install-recommends", "install",
                    f"/root/{self.packages['petstore-bench'].name}")
        self.assertIn("petstore-load", self.inside("petstore-load", "--help"))
        self.assertTrue(any((self.root / "usr/share/petstore/scenarios").glob("*.toml")))
        self.inside("apt-get", "-q", "-y", "purge", "petstore-bench")
        self.assertEqual({name for name in self.files() if "petstore-load" in name or "scenarios" in name}, set())

    def test_a_host_finds_the_libraries_where_the_package_puts_them(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            subprocess.run(["dpkg-deb", "-x", self.packages["libpetstore-dev"], folder / "root"], check=True)
            for host in ("limits", "core"):
                build = folder / host
                for step in (
                    ["cmake", "-S", CHECKOUT / f"tests/embedding/installed/{host}", "-B", build, "-G", "Ninja",
                     f"-DCMAKE_PREFIX_PATH={folder}/root/usr"],
                    ["cmake", "--build", build],
                    ["ctest", "--test-dir", build, "--output-on-failure"],
                ):
                    done = subprocess.run(step, capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
