#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""deploy/prepare.sh on systems that are made up: apt, dpkg, cmake and ninja are stand-ins, and nothing else is on the path."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PREPARE = Path(__file__).resolve().parents[2] / "deploy/prepare.sh"
TOOLS = "bash sh env sed grep cat rm ls mktemp mkdir nproc df".split()

DPKG_QUERY = """cat "$SYSTEM/installed" """
DPKG = """case $1 in
  --compare-versions) exec /usr/bin/dpkg "$@" ;;
  --audit) cat "$SYSTEM/audit" ;;
  *) echo "dpkg $*" >>"$SYSTEM/calls"; rm "$SYSTEM/audit"; touch "$SYSTEM/audit" ;;
esac"""
APT_CACHE = """shift
for name in "$@"; do
  grep -q "^$name " "$SYSTEM/candidates" || continue
  printf '%s:\\n  Installed: (none)\\n  Candidate: %s\\n' "$name" "$(sed -n "s/^$name //p" "$SYSTEM/candidates")"
done"""
SUDO = 'exec "$@" 3>&- 4>&- 5>&-'

# Does with the descriptor of its status what apt does, then lets the script of a package print more than a pipe holds.
APT_GET = """
import os, sys
system = os.environ["SYSTEM"]
words = [word for word in sys.argv[1:] if word != "-q" and word != "-y"]
verb = next(word for word in words if word in ("update", "install"))
with open(f"{system}/calls", "a") as calls:
    print("apt-get", *[word for word in words if "=" not in word and word != "-o"], file=calls)
if verb == "install":
    status = int(next(word for word in words if word.startswith("APT::Status-Fd=")).partition("=")[2])
    os.set_blocking(status, False)
    os.write(status, b"dlstatus:1:50.0:Retrieving\\n")
    for line in range(4000):
        os.write(1, b"a package says what it does, in a line of sixty-odd characters\\n")
    os.write(status, b"pmstatus:g++:50.0:Unpacking\\n")
failure = f"{system}/{verb} fails"
if os.path.exists(failure):
    sys.stderr.write(open(failure).read())
    sys.exit(0 if verb == "update" else 100)
"""


class System:
    """A system with its packages, and a checkout with a preset `release` in it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.bin, self.checkout = folder, folder / "bin", folder / "checkout"
        self.bin.mkdir()
        self.checkout.mkdir()
        for name in TOOLS:
            (self.bin / name).symlink_to(str(shutil.which(name)))
        for name in ("installed", "candidates", "audit", "calls"):
            (folder / name).touch()
        (folder / "updates").mkdir()
        for name, script in (("dpkg-query", DPKG_QUERY), ("dpkg", DPKG), ("apt-cache", APT_CACHE), ("sudo", SUDO)):
            self.program(name, script)
        (self.bin / "apt-get").write_text(f"#!{sys.executable} -S\n{APT_GET}")
        (self.bin / "apt-get").chmod(0o755)

    def program(self, name: str, script: str) -> None:
        (self.bin / name).write_text(f"#!/bin/sh\n{script}\n")
        (self.bin / name).chmod(0o755)

    def remove(self, *names: str) -> None:
        for name in names:
            (self.bin / name).unlink()

    def installed(self, *names: str) -> None:
        (self.folder / "installed").write_text("".join(f"{name} ii \n" for name in names))

    def candidates(self, **versions: str) -> None:
        (self.folder / "candidates").write_text("".join(f"{n.replace('_', '-')} {v}\n" for n, v in versions.items()))

    def candidate(self, name: str, version: str) -> None:
        with open(self.folder / "candidates", "a") as known:
            print(name, version, file=known)

    def fails(self, verb: str, message: str) -> None:
        (self.folder / f"{verb} fails").write_text(message + "\n")

    def calls(self) -> list[str]:
        return (self.folder / "calls").read_text().splitlines()

    def run(self, script: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            ["bash", "-c", f'set -euo pipefail; source "{PREPARE}"; {script}'],
            cwd=self.checkout,
            env={"PATH": str(self.bin), "SYSTEM": str(self.folder), "DPKG_ADMINDIR": str(self.folder), "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def install(self, *lines: str) -> subprocess.CompletedProcess:
        (self.checkout / "packages.txt").write_text("# What is needed.\n\n" + "".join(f"{line}\n" for line in lines))
        return self.run("install_packages packages.txt")


class Case(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.system = System(Path(place.name))

    def assert_told(self, done: subprocess.CompletedProcess, sentence: str) -> None:
        """It ends with 1, and the sentence is the last line."""
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(sentence, done.stderr.splitlines()[-1])


class Packages(Case):
    def test_nothing_is_run_when_all_is_installed(self) -> None:
        self.system.installed("cmake", "g++")
        self.assertEqual(self.system.install("cmake", "g++").returncode, 0)
        self.assertEqual(self.system.calls(), [])

    def test_what_is_missing_is_installed(self) -> None:
        self.system.installed("cmake")
        self.system.candidates(cmake="3.25.1-1", curl="7.88.1")
        self.system.candidate("g++", "4:12.2.0-3")
        done = self.system.install("cmake", "curl", "g++")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.system.calls(), ["apt-get update", "apt-get install --no-install-recommends curl g++"])
        self.assertIn("Installing packages: done in", done.stdout)

    def test_an_npm_from_elsewhere_takes_the_place_of_the_package(self) -> None:
        lists = 'packages_to_build; echo "${package_lists[@]}"'
        self.assertEqual(self.system.run(lists).stdout.split(), ["deploy/packages.txt", "deploy/pages_packages.txt"])
        self.system.program("npm", "exit 0")
        self.assertEqual(self.system.run(lists).stdout.split(), ["deploy/packages.txt"])

    def test_progress_is_that_of_apt(self) -> None:
        self.system.candidates(curl="7.88.1")
        told = self.system.install("curl").stdout
        self.assertIn("Installing packages: 25 %", told)
        self.assertIn("Installing packages: 75 %", told)

    def test_the_default_boost_is_taken_where_it_is_new_enough(self) -> None:
        self.system.candidates(libboost_dev="1.83.0.2+b2", libboost_json_dev="1.83.0.2+b2")
        self.assertEqual(self.system.install("libboost{boost}-dev", "libboost-json{boost}-dev").stderr, "")
        self.assertIn("apt-get install --no-install-recommends libboost-dev libboost-json-dev", self.system.calls())

    def test_a_versioned_boost_is_taken_where_the_default_is_too_old(self) -> None:
        self.system.candidates(libboost_dev="1.74.0.3", libboost_json_dev="1.74.0.3")
        self.system.candidate("libboost1.81-dev", "1.81.0-5")
        self.system.candidate("libboost-json1.81-dev", "1.81.0-5")
        self.system.install("libboost{boost}-dev", "libboost-json{boost}-dev")
        self.assertIn("apt-get install --no-install-recommends libboost1.81-dev libboost-json1.81-dev", self.system.calls())

    def test_the_boost_that_is_installed_stays(self) -> None:
        self.system.installed("libboost1.88-dev")
        self.system.candidates(libboost_dev="1.83.0.2+b2", libboost_json_dev="1.83.0.2+b2")
        self.system.candidate("libboost-json1.88-dev", "1.88.0-1")
        self.system.install("libboost{boost}-dev", "libboost-json{boost}-dev")
        self.assertIn("apt-get install --no-install-recommends libboost-json1.88-dev", self.system.calls())

    def test_an_installed_boost_that_is_too_old_does_not_count(self) -> None:
        self.system.installed("libboost-dev", "libboost1.74-dev")
        self.system.candidates(libboost_dev="1.74.0.3")
        self.system.candidate("libboost1.81-dev", "1.81.0-5")
        self.system.install("libboost{boost}-dev")
        self.assertIn("apt-get install --no-install-recommends libboost1.81-dev", self.system.calls())

    def test_one_of_several_names_is_enough(self) -> None:
        self.system.installed("clang-19")
        self.assertEqual(self.system.install("clang-14 | clang-19").returncode, 0)
        self.assertEqual(self.system.calls(), [])

    def test_the_first_name_that_exists_is_installed(self) -> None:
        self.system.candidate("clang-19", "1:19.1.7-3")
        self.system.candidate("clang-20", "1:20.1.2-1")
        self.system.install("clang-14 | clang-19 | clang-20")
        self.assertIn("apt-get install --no-install-recommends clang-19", self.system.calls())


    def test_of_a_set_every_package_is_needed(self) -> None:
        self.system.installed("clang-19")
        for name in ("clang-14", "libclang-rt-14-dev", "clang-19"):
            self.system.candidate(name, "1:1")
        self.system.install("clang-14 libclang-rt-14-dev | clang-19 libclang-rt-19-dev")
        self.assertIn("apt-get install --no-install-recommends clang-14 libclang-rt-14-dev", self.system.calls())
        self.system.installed("clang-19", "libclang-rt-19-dev")
        self.assertEqual(self.system.install("clang-14 libclang-rt-14-dev | clang-19 libclang-rt-19-dev").stdout, "")

    def test_a_set_of_which_one_package_is_unknown_is_passed_over(self) -> None:
        for name in ("clang-14", "clang-19", "libclang-rt-19-dev"):
            self.system.candidate(name, "1:1")
        self.system.install("clang-14 libclang-rt-14-dev | clang-19 libclang-rt-19-dev")
        self.assertIn("apt-get install --no-install-recommends clang-19 libclang-rt-19-dev", self.system.calls())


class Installing(Case):
    def test_a_package_that_no_source_has_is_named(self) -> None:
        self.system.candidates(curl="7.74.0")
        done = self.system.install("curl", "libcli11-dev", "libboost{boost}-dev")
        self.assert_told(done, "No package source of this system has libcli11-dev libboost1.81-dev.")
        self.assertEqual(self.system.calls(), ["apt-get update"])

    def test_a_network_that_is_missing_is_told(self) -> None:
        self.system.fails("update", "W: Failed to fetch InRelease  Temporary failure resolving 'deb.example.org'")
        self.assert_told(self.system.install("curl"), "The package source cannot be reached")

    def test_a_download_that_breaks_is_told(self) -> None:
        self.system.candidates(curl="7.88.1")
        self.system.fails("install", "E: Failed to fetch curl.deb  Could not connect to deb.example.org:80")
        self.assert_told(self.system.install("curl"), "The package source cannot be reached")

    def test_a_full_disk_is_told(self) -> None:
        self.system.candidates(curl="7.88.1")
        self.system.fails("install", "dpkg: error: failed to write: No space left on device")
        self.assert_told(self.system.install("curl"), "The disk is full")

    def test_another_failure_is_shown_with_the_output_of_apt(self) -> None:
        self.system.candidates(curl="7.88.1")
        self.system.fails("install", "E: Sub-process /usr/bin/dpkg received a segmentation fault.")
        done = self.system.install("curl")
        self.assert_told(done, "apt-get install failed (its output is above)")
        self.assertIn("received a segmentation fault", done.stderr)

    def test_an_interrupted_installation_is_finished_first(self) -> None:
        self.system.candidates(curl="7.88.1")
        (self.system.folder / "audit").write_text("The following packages are only half configured:\n curl\n")
        done = self.system.install("curl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("An earlier installation was interrupted", done.stdout)
        self.assertEqual(
            self.system.calls(),
            [
                "dpkg --force-confold --configure -a",
                "apt-get --fix-broken --no-remove install",
                "apt-get update",
                "apt-get install --no-install-recommends curl",
            ],
        )

    def test_a_system_without_apt_is_told_what_to_install(self) -> None:
        self.system.remove("apt-get", "dpkg", "dpkg-query", "apt-cache")
        done = self.system.install("curl")
        self.assert_told(done, "This system has no apt-get. Install a C++20 compiler, CMake 3.23, Ninja, Boost 1.81")

    def test_a_system_without_apt_goes_on_with_what_is_there(self) -> None:
        self.system.remove("apt-get", "dpkg", "dpkg-query", "apt-cache")
        self.system.program("ninja", "exit 0")
        self.system.program("cmake", "echo 'Could not find CLI11'; exit 1")
        self.assertEqual(self.system.install("curl").returncode, 0)
        self.assert_told(self.system.run("configure release"), "The project needs a C++20 compiler")


class Building(Case):
    """The stand-in for cmake makes a cache as cmake does; the one for ninja reads nothing, unless it is asked for its rules."""

    def setUp(self) -> None:
        super().setUp()
        self.system.program("c++", "exit 0")
        self.system.program("cmake", f"""echo "cmake $*" >>"$SYSTEM/calls"
mkdir -p build/release
cat >build/release/CMakeCache.txt <<EOF
CMAKE_CACHEFILE_DIR:INTERNAL=$PWD/build/release
CMAKE_CXX_COMPILER:FILEPATH=c++
CMAKE_GENERATOR:INTERNAL=Ninja
CMAKE_HOME_DIRECTORY:INTERNAL=$PWD
PETSTORE_BUILD_TESTS:BOOL=OFF
EOF
echo complete >build/release/build.ninja""")
        self.system.program("ninja", '[ "$3" = -t ] || exit 0; exec grep -qx complete "$2/build.ninja"')
        self.system.run("configure release PETSTORE_BUILD_TESTS=OFF")
        self.folder = self.system.checkout / "build/release"
        (self.folder / "object").touch()

    def configure(self, *entries: str) -> str:
        done = self.system.run("configure release " + " ".join(entries))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def change_cache(self, entry: str, value: str) -> None:
        cache = self.folder / "CMakeCache.txt"
        lines = cache.read_text().splitlines()
        cache.write_text("".join((f"{line.split('=')[0]}={value}" if line.startswith(entry + ":") else line) + "\n"
                                 for line in lines))

    def assert_made_anew(self, told: str, why: str) -> None:
        self.assertEqual(told.splitlines(), [f"build/release {why}: making it anew", "Configuring build/release"])
        self.assertFalse((self.folder / "object").exists())

    def test_a_directory_that_fits_is_taken(self) -> None:
        self.assertEqual(self.configure("PETSTORE_BUILD_TESTS=OFF"), "")
        self.assertTrue((self.folder / "object").exists())

    def test_other_entries_are_set_in_the_same_directory(self) -> None:
        self.assertEqual(self.configure("PETSTORE_BUILD_TESTS=ON"), "Configuring build/release\n")
        self.assertTrue((self.folder / "object").exists())
        self.assertEqual(self.system.calls()[-1], "cmake --preset release -DPETSTORE_BUILD_TESTS=ON")

    def test_a_directory_of_another_checkout_is_made_anew(self) -> None:
        other = self.system.folder / "other"
        other.mkdir()
        self.change_cache("CMAKE_HOME_DIRECTORY", str(other))
        self.assert_made_anew(self.configure(), f"belongs to the source directory {other}")

    def test_a_directory_of_a_checkout_that_is_gone_is_made_anew(self) -> None:
        self.change_cache("CMAKE_HOME_DIRECTORY", "/gone")
        self.assert_made_anew(self.configure(), "belongs to the source directory /gone")

    def test_a_directory_that_was_moved_is_made_anew(self) -> None:
        self.change_cache("CMAKE_CACHEFILE_DIR", "/gone")
        self.assert_made_anew(self.configure(), "was made at another place")

    def test_a_directory_for_another_generator_is_made_anew(self) -> None:
        self.change_cache("CMAKE_GENERATOR", "Unix Makefiles")
        self.assert_made_anew(self.configure(), "is for Unix Makefiles, not for Ninja")

    def test_a_directory_for_a_compiler_that_is_gone_is_made_anew(self) -> None:
        self.change_cache("CMAKE_CXX_COMPILER", "/usr/bin/g++-11")
        self.assert_made_anew(self.configure(), "is for the compiler /usr/bin/g++-11, which is gone")

    def test_a_directory_that_is_half_configured_is_made_anew(self) -> None:
        (self.folder / "build.ninja").write_text("compl")
        self.assert_made_anew(self.configure(), "was not configured to its end")

    def test_a_link_to_the_checkout_is_the_checkout(self) -> None:
        link = self.system.folder / "link"
        link.symlink_to(self.system.checkout)
        self.system.checkout = link
        self.assertEqual(self.configure(), "")

    def test_a_full_disk_while_building_is_told(self) -> None:
        self.system.program("ninja", "echo '@1/2 one'; echo 'fatal error: error writing: No space left on device'; exit 1")
        self.assert_told(self.system.run("build release"), "The disk is full")

    def test_a_full_disk_while_configuring_is_told(self) -> None:
        self.folder.joinpath("CMakeCache.txt").unlink()
        self.system.program("cmake", "echo 'CMake Error: write failed: No space left on device'; exit 1")
        self.assert_told(self.system.run("configure release"), "The disk is full")

    def test_a_full_disk_of_which_cmake_says_nothing_is_told(self) -> None:
        (self.folder / "build.ninja").unlink()
        self.system.program("cmake", "exit 0")
        self.system.remove("df")
        self.system.program("df", "printf 'Avail\n184\n'")
        self.assert_told(self.system.run("configure release"), "The disk is full")

    def test_an_error_of_the_compiler_is_shown(self) -> None:
        self.system.program("ninja", "echo '@1/2 one'; echo 'main.cpp:1: error: expected'; exit 1")
        done = self.system.run("build release")
        self.assert_told(done, "The build failed (the compiler's output is above).")
        self.assertIn("main.cpp:1: error: expected", done.stdout)


if __name__ == "__main__":
    unittest.main()
