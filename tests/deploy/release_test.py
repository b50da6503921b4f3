# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The files of a release, each used as somebody does who has nothing else. Needs root, and the finished release build."""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

from bare_root import BareRoot
from engine import Engine

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "tests"))

from support.checks import wait_until  # noqa: E402
from support.processes import run  # noqa: E402

EM_AARCH64 = 183  # in the head of a program

# Starts the service, asks it, and ends it.
TRY = """
set -eu
cd /petstore-*
bin/petstore serve --demo --store lmdb:/tmp/demo >/tmp/said 2>/tmp/log &
server=$!
until bin/petstore health --ready; do
  kill -0 $server || { cat /tmp/log; exit 3; }
done
bin/petstore-load --help >/dev/null
kill -TERM $server
wait $server
grep -q '^demo key ps_test_\\|^demo key ps_live_' /tmp/said
"""


def make_release(folder: Path) -> dict[str, Path]:
    run(str(CHECKOUT / "deploy/release"), "--output", str(folder), "--arm64", limits=90)
    return {path.name: path for path in folder.iterdir()}


def field_of(package: Path, name: str) -> str:
    return subprocess.run(["dpkg-deb", "--field", package, name], check=True, capture_output=True, text=True).stdout.strip()


def the_one(files: dict[str, Path], ending: str) -> Path:
    (path,) = (path for name, path in files.items() if name.endswith(ending))
    return path


class Release(unittest.TestCase):
    folder: Path
    files: dict[str, Path]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp(prefix="petstore-release-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.files = make_release(cls.folder / "first")

    def test_its_sums_are_those_of_its_files(self) -> None:
        listed = dict(reversed(line.split("  ")) for line in self.files["SHA256SUMS"].read_text().splitlines())
        for name, path in self.files.items():
            if name != "SHA256SUMS":
                self.assertEqual(listed.pop(name), hashlib.sha256(path.read_bytes()).hexdigest(), name)
        self.assertEqual(listed, {})

    def test_the_same_commit_makes_the_same_bytes_beside_those_of_another_version(self) -> None:
        earlier = self.folder / "again" / "petstore_0.9.0-1_amd64.deb"
        earlier.parent.mkdir()
        earlier.write_text("another version")
        again = make_release(self.folder / "again")
        self.assertEqual(again.pop(earlier.name).read_text(), "another version")
        self.assertEqual(again.keys(), self.files.keys())
        self.assertEqual(again["SHA256SUMS"].read_text(), self.files["SHA256SUMS"].read_text())

    def test_the_tarball_serves_on_a_bare_system(self) -> None:
        root = BareRoot()
        self.addCleanup(root.close)
        subprocess.run(["tar", "-C", root.path, "-xf", the_one(self.files, "-linux-x86_64.tar.gz")], check=True)
        root.run("sh", "-c", TRY, user="65534:65534", network=False)

    def test_the_image_serves(self) -> None:
        engine = Engine()
        self.addCleanup(engine.close)
        engine.call("load", "--input", str(the_one(self.files, "-oci.tar")))
        (image,) = engine.call("images", "--format", "{{.Id}}").split()
        container = engine.start(image, ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges"])
        healthy = lambda: engine.try_call("exec", container, "/usr/local/bin/petstore", "health", "--ready").returncode == 0
        wait_until(healthy, "the container does not become ready")
        self.assertEqual(engine.call("inspect", "--format={{.Config.User}}", container), "65532:65532")
        engine.call("stop", container)
        self.assertEqual(engine.call("inspect", "--format={{.State.ExitCode}}", container), "0")

    def test_every_library_and_its_license_are_in_the_document(self) -> None:
        document = json.loads(the_one(self.files, "-linux-x86_64.spdx.json").read_text())
        names = {package["name"] for package in document["packages"]}
        with tarfile.open(the_one(self.files, "-linux-x86_64.tar.gz")) as tarball:
            inside = [Path(*Path(name).parts[1:]) for name in tarball.getnames()]
        licensed = {path.name for path in inside if path.parent == Path("share/doc/petstore/licenses")}
        self.assertLessEqual({"libssl3", "libpq5", "libstdc++6", "liblmdb0"}, names)
        self.assertLessEqual({"swagger-ui-dist", "uplot"}, names)
        self.assertEqual(names - licensed, {"petstore"})
        for library in (path for path in inside if path.parent == Path("lib")):
            self.assertFalse(library.name.startswith(("libc.so", "libm.so", "ld-linux")), library)
        by_id = {package["SPDXID"] for package in document["packages"]}
        for relation in document["relationships"]:
            self.assertLessEqual({relation["spdxElementId"], relation["relatedSpdxElement"]}, by_id | {"SPDXRef-DOCUMENT"})

    def test_all_of_the_tarball_for_arm64_is_for_arm64(self) -> None:
        with tarfile.open(the_one(self.files, "-linux-aarch64.tar.gz")) as tarball:
            machines = {}
            for member in tarball.getmembers():
                if member.isfile() and (head := tarball.extractfile(member).read(20)).startswith(b"\x7fELF"):
                    machines[Path(member.name).name] = int.from_bytes(head[18:20], "little")
        self.assertLessEqual({"petstore", "petstore-load", "libssl.so.3", "libpq.so.5", "libstdc++.so.6"}, machines.keys())
        self.assertEqual(set(machines.values()), {EM_AARCH64})

    def test_the_two_tarballs_have_the_same_files(self) -> None:
        names = []
        for ending in ("-linux-x86_64.tar.gz", "-linux-aarch64.tar.gz"):
            with tarfile.open(the_one(self.files, ending)) as tarball:
                names.append(sorted(str(Path(*Path(name).parts[1:])) for name in tarball.getnames()))
        self.assertEqual(*names)

    def test_the_package_for_arm64_depends_on_what_that_for_x86_does(self) -> None:
        needed = []
        for architecture in ("amd64", "arm64"):
            package = next(path for name, path in self.files.items() if name.startswith("petstore_") and architecture in name)
            self.assertEqual(field_of(package, "Architecture"), architecture)
            needed.append({each.split()[0] for each in field_of(package, "Depends").split(", ")})
        self.assertEqual(*needed)

    def test_the_image_for_arm64_says_so(self) -> None:
        with tarfile.open(the_one(self.files, "-oci-arm64.tar")) as archive:
            read = lambda name: json.loads(archive.extractfile(name).read())
            blob = lambda part: read("blobs/sha256/" + part["digest"].removeprefix("sha256:"))
            manifest = blob(read("index.json")["manifests"][0])
            self.assertEqual(blob(manifest["config"])["architecture"], "arm64")

    def test_an_output_that_is_a_file_is_refused(self) -> None:
        (self.folder / "file").touch()
        done = run(str(CHECKOUT / "deploy/release"), "--output", str(self.folder / "file"), code=1)
        self.assertIn("is not a directory", done.stderr)


if __name__ == "__main__":
    unittest.main()
