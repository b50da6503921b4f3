#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The libraries of the web pages, in builds with and without an npm, which is a stand-in."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "server/pages"

# Only what embeds the files, so that nothing is compiled.
PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(pages LANGUAGES NONE)
function(petstore_library)
  list(GET ARGN -1 embedded)
  add_custom_target(petstore_pages ALL DEPENDS ${embedded})
endfunction()
function(target_include_directories)
endfunction()
function(target_link_libraries)
endfunction()
add_subdirectory("%s" pages)
"""

NPM = """#!/bin/sh
echo called >>"$CALLS"
for file in uplot/dist/uPlot.iife.min.js uplot/dist/uPlot.min.css uplot/LICENSE swagger-ui-dist/swagger-ui-bundle.js \
  swagger-ui-dist/swagger-ui.css swagger-ui-dist/LICENSE swagger-ui-dist/NOTICE swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt
do
  mkdir -p "node_modules/${file%/*}" && echo "from npm" >"node_modules/$file"
done
"""
NPM_WITHOUT_NETWORK = """#!/bin/sh
echo called >>"$CALLS"
mkdir -p node_modules/uplot
echo 'the network is unreachable' >&2
exit 1
"""


class Fetch(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="petstore-fetch-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.bin, self.build, self.calls = (self.folder / name for name in ("bin", "build", "calls"))
        self.bin.mkdir()
        # Nothing else is on the path.
        for name in ("cmake", "ninja", "gzip", "sh", "mkdir"):
            (self.bin / name).symlink_to(str(shutil.which(name)))
        self.calls.touch()
        (self.folder / "CMakeLists.txt").write_text(PROJECT % PAGES)

    def run_tool(self, *command: str) -> str:
        done = subprocess.run(command, env={"PATH": str(self.bin), "CALLS": str(self.calls)}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def configure(self, *options: str) -> None:
        self.run_tool("cmake", "-G", "Ninja", *options, "-S", str(self.folder), "-B", str(self.build))

    def make(self) -> str:
        return self.run_tool("ninja", "-C", str(self.build))

    def install_npm(self, script: str = NPM) -> None:
        npm = self.bin / "npm"
        npm.write_text(script)
        npm.chmod(0o755)

    def embedded(self) -> str:
        return (self.build / "pages/files.cpp").read_text()

    def has_libraries(self) -> bool:
        found = [f'"{name}"' in self.embedded() for name in ("docs/swagger-ui.js", "docs/swagger-ui.css", "console/uplot.js")]
        self.assertIn(sum(found), (0, len(found)))
        return all(found)

    def test_a_build_without_npm_says_what_is_missing(self) -> None:
        self.configure()
        said = self.make()
        self.assertIn("/docs only links the OpenAPI document, and the console has no charts: there is no npm", said)
        self.assertFalse(self.has_libraries())

    def test_the_next_build_finds_an_npm_that_was_installed_meanwhile(self) -> None:
        self.configure()
        self.make()
        self.install_npm()
        self.assertNotIn("petstore:", self.make())
        self.assertTrue(self.has_libraries())

    def test_the_next_build_tries_again_after_npm_had_no_network(self) -> None:
        self.install_npm(NPM_WITHOUT_NETWORK)
        self.configure()
        self.assertIn("the network is unreachable", self.make())
        self.assertFalse(self.has_libraries())
        self.install_npm()
        self.make()
        self.assertTrue(self.has_libraries())

    def test_what_is_there_is_not_fetched_again(self) -> None:
        self.install_npm()
        self.configure()
        self.make()
        (self.bin / "npm").unlink()
        self.assertIn("no work to do", self.make())
        self.assertTrue(self.has_libraries())
        self.assertEqual(self.calls.read_text(), "called\n")

    def test_looking_again_in_vain_embeds_nothing_anew(self) -> None:
        self.configure()
        self.make()
        before = os.stat(self.build / "pages/files.cpp").st_mtime_ns
        self.make()
        self.assertEqual(os.stat(self.build / "pages/files.cpp").st_mtime_ns, before)

    def test_a_build_that_is_to_do_without_npm_does_not_look(self) -> None:
        self.install_npm()
        self.configure("-DPETSTORE_NPM=OFF")
        self.assertNotIn("petstore:", self.make())
        self.assertFalse(self.has_libraries())
        self.assertEqual(self.calls.read_text(), "")


if __name__ == "__main__":
    unittest.main()
