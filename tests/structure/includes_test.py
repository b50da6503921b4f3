#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Includes run downwards and not in circles: which folder may include which, and which library is used where."""

import graphlib
import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]

# The folders of server/src from the bottom up; the files beside them (application, service) are on top. A file includes what is
# in its own folder or in one before it.
FOLDERS = ("observe", "net", "http", "access", "api", "")
# The same for server/program, whose main.cpp is on top; the headers beside it are for all.
PROGRAM_FOLDERS = ("", "config", "log", "store", "transfer", "admin", "run", "cli", "main.cpp")

# The public headers stand in one folder; this is where each of them belongs.
PUBLIC = {
    "observe": (
        "busy_keys", "clock", "counters", "exemplars", "log", "metrics", "readiness", "trace_context", "usage_counter",
    ),
    "net": (
        "acceptors",
        "address_range",
        "connection_budget",
        "connection_limits",
        "handshake_budget",
        "listener_options",
        "tls",
    ),
    "http": ("accept", "access_log", "beast", "body_stream", "header_fields", "http_handler", "listener", "mount", "percent",
             "request", "response"),
    "access": (
        "ban_log", "in_flight", "key_check", "key_check_cache", "key_watcher", "payment", "quota_watch", "service_options",
    ),
    "api": ("conditions", "description", "query_parameters", "quota_body", "request_body", "static_site"),
    "": ("application", "service"),
}
FOLDER_OF = {name: folder for folder, names in PUBLIC.items() for name in names}

# What a part of the product does not know.
UNKNOWN = (
    ("core", r"boost/(asio|beast)/|petstore/(ports|server|storage|quota|redis)/"),
    ("server/ports", r"boost/beast/|petstore/(server|storage|quota|redis)/"),
    ("server/src", r"CLI/|toml|spdlog|fmt/|lmdb|libpq|hiredis|petstore/(storage|quota|redis)/"),
    ("server/include", r"CLI/|toml|spdlog|fmt/|petstore/(storage|quota|redis)/"),
    ("server/storage/lmdb", r"petstore/(server|quota|redis)/|petstore/storage/(postgres|memory)"),
    ("server/storage/postgres", r"petstore/(server|quota|redis)/|petstore/storage/(lmdb|memory)"),
    ("server/storage/memory", r"petstore/(server|quota|redis)/|petstore/storage/(lmdb|postgres)"),
    ("server/quota/local", r"petstore/(server|storage|redis)/|petstore/quota/redis"),
    ("server/quota/redis", r"petstore/(server|storage)/|petstore/quota/local"),
    ("server/redis", r"petstore/(server|storage|quota|ports)/"),
)

_INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)


def includes_of(file: Path) -> list[str]:
    return _INCLUDE.findall(file.read_text())


def sources_in(directory: Path) -> list[Path]:
    return sorted(f for f in directory.rglob("*") if f.suffix in (".hpp", ".cpp"))


def folder_of_include(included: str) -> str | None:
    """None: it is no file of the service's."""
    if included.startswith("petstore/server/"):
        return FOLDER_OF.get(Path(included).stem, "?")
    if included.startswith(("petstore/", "boost/")):
        return None
    first = included.split("/")[0]
    return first if first in FOLDERS else None


def upward_includes(server: Path) -> list[str]:
    public = server / "include/petstore/server"
    found = []
    for file in sources_in(server / "src") + sources_in(public):
        name = file.relative_to(server)
        if file.is_relative_to(public):
            own = FOLDER_OF.get(file.stem, "?")
        else:
            inner = file.relative_to(server / "src").parts
            own = inner[0] if len(inner) > 1 else ""
        if own not in FOLDERS:
            found.append(f"{name} is in no folder that this test knows")
            continue
        for included in includes_of(file):
            folder = folder_of_include(included)
            if folder is None:
                continue
            if folder not in FOLDERS:
                found.append(f"{name} includes {included}, which is in no folder that this test knows")
            elif FOLDERS.index(folder) > FOLDERS.index(own):
                found.append(f"{name} includes {included}, which is above it")
    return found


def upward_includes_of_program(program: Path) -> list[str]:
    def folder_of(path: str) -> str:
        first = path.split("/")[0]
        return first if "/" in path or first == "main.cpp" else ""

    return [
        f"{name} includes {included}, which is above it"
        for file in sources_in(program)
        if (name := str(file.relative_to(program)))
        for included in includes_of(file)
        if (program / included).exists()
        if PROGRAM_FOLDERS.index(folder_of(included)) > PROGRAM_FOLDERS.index(folder_of(name))
    ]


def unknown_includes(root: Path) -> list[str]:
    return [
        f"{file.relative_to(root)} includes {included}"
        for part, pattern in UNKNOWN
        for file in sources_in(root / part)
        for included in includes_of(file)
        if re.match(pattern, included)
    ]


def circle_of_units(root: Path) -> list[str]:
    """One circle of includes, in which each unit is included by the next one; empty if there is none. A header and the source
    file beside it are a unit. A public header is one by itself: what implements it has files that use its types."""
    files = [file for part in ("core", "server") for file in sources_in(root / part)]
    known = set(files)
    bases = sorted({folder for file in files for folder in file.parents if folder.name in ("include", "program", "src")})
    units: graphlib.TopologicalSorter[Path] = graphlib.TopologicalSorter()
    for file in files:
        for included in includes_of(file):
            found = next((base / included for base in (file.parent, *bases) if base / included in known), file)
            if found.with_suffix("") != file.with_suffix(""):
                units.add(file.with_suffix(""), found.with_suffix(""))
    try:
        units.prepare()
    except graphlib.CycleError as circle:
        return [str(unit.relative_to(root)) for unit in circle.args[1]]
    return []


class Includes(unittest.TestCase):
    def test_run_downwards_through_the_folders_of_the_server(self) -> None:
        self.assertEqual(upward_includes(ROOT / "server"), [])

    def test_run_downwards_through_the_folders_of_the_program(self) -> None:
        self.assertEqual(upward_includes_of_program(ROOT / "server/program"), [])

    def test_name_no_library_that_a_part_does_not_know(self) -> None:
        self.assertEqual(unknown_includes(ROOT), [])

    def test_run_in_no_circle(self) -> None:
        self.assertEqual(circle_of_units(ROOT), [])

    def test_that_run_in_a_circle_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "core/include/petstore").mkdir(parents=True)
            (root / "server/program/config").mkdir(parents=True)
            (root / "core/include/petstore/pet.hpp").write_text("#include <map>\n")
            (root / "server/program/config/costs.hpp").write_text('#include "config/load.hpp"\n')
            (root / "server/program/config/load.hpp").write_text('#include "petstore/pet.hpp"\n')
            (root / "server/program/config/load.cpp").write_text('#include "config/load.hpp"\n')
            self.assertEqual(circle_of_units(root), [])
            with (root / "server/program/config/load.cpp").open("a") as load:
                load.write('#include "config/costs.hpp"\n')
            load_unit, costs_unit = "server/program/config/load", "server/program/config/costs"
            self.assertIn(
                circle_of_units(root), ([load_unit, costs_unit, load_unit], [costs_unit, load_unit, costs_unit])
            )

    def test_that_run_upwards_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            server = Path(name)
            (server / "include/petstore/server").mkdir(parents=True)
            (server / "include/petstore/server/log.hpp").write_text('#include "petstore/server/request.hpp"\n')
            (server / "include/petstore/server/strange.hpp").write_text("")
            for folder in ("net", "http", "elsewhere"):
                (server / "src" / folder).mkdir(parents=True)
            (server / "src/net/socket.cpp").write_text('#include "http/head.hpp"\n#include "net/stream.hpp"\n')
            (server / "src/http/head.cpp").write_text('#include <map>\n#include "net/stream.hpp"\n')
            (server / "src/elsewhere/any.cpp").write_text("")
            self.assertEqual(
                sorted(upward_includes(server)),
                [
                    "include/petstore/server/log.hpp includes petstore/server/request.hpp, which is above it",
                    "include/petstore/server/strange.hpp is in no folder that this test knows",
                    "src/elsewhere/any.cpp is in no folder that this test knows",
                    "src/net/socket.cpp includes http/head.hpp, which is above it",
                ],
            )

    def test_that_run_upwards_in_the_program_are_found(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            program = Path(name)
            (program / "config").mkdir()
            (program / "cli").mkdir()
            (program / "cli/flags.hpp").write_text('#include "config/load.hpp"\n')
            (program / "config/load.hpp").write_text('#include "cli/flags.hpp"\n')
            (program / "outcome.hpp").write_text('#include "config/load.hpp"\n')
            (program / "main.cpp").write_text('#include "cli/flags.hpp"\n')
            self.assertEqual(
                upward_includes_of_program(program),
                [
                    "config/load.hpp includes cli/flags.hpp, which is above it",
                    "outcome.hpp includes config/load.hpp, which is above it",
                ],
            )


if __name__ == "__main__":
    unittest.main()
