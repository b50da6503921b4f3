# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The programs that are compared, built by the functions that ./deploy/run and ./tests/run build with."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("loopback_floor", "loopback_load")


class BuildFault(Exception):
    """Something is not built; the message says what."""


def find_built(path: Path, target: str) -> Path:
    """What a build has made there."""
    if not path.is_file():
        raise BuildFault(f"{path} is missing: build the target {target}.")
    return path.resolve()


def find_tools(given: Path | None, *more: str) -> Path:
    """The directory with the floor and the load client. It is the given one, or is built, and `more` targets with it."""
    if given is None:
        return build_tools(*more)
    for name in TOOLS:
        find_built(given / name, name)
    return given.resolve()


def find_service(given: Path | None) -> Path:
    """The given program, or this checkout's."""
    return build_service() if given is None else find_built(given, "petstore")


def find_services(given: list[Path] | None) -> dict[str, Path]:
    """The builds of the service to compare by their names. The one that the others are held against comes first."""
    first, *others = given or [None]
    return {"this": find_service(first)} | {str(other): find_service(other) for other in others}


def build_tools(*more: str) -> Path:
    """The directory with the floor and the load client; `more` targets are built along."""
    _build(ROOT, "release", ["PETSTORE_BUILD_BENCH=ON"], (*TOOLS, *more), install=True)
    return ROOT / "build/release/bench/floor"


def build_service(preset: str = "release") -> Path:
    """This checkout as it stands, changes that are not committed included."""
    _build(ROOT, preset, [], ("petstore",))
    return ROOT / "build" / preset / "petstore"


def build_revision(revision: str) -> Path:
    """Another revision, in a worktree that is kept for the next time."""
    commit = _git("rev-parse", "--verify", "--short=12", f"{revision}^{{commit}}")
    tree = ROOT / "build/against" / commit
    if not tree.exists():
        _git("worktree", "add", "--detach", str(tree), commit)
    _build(tree, "release", ["PETSTORE_BUILD_TESTS=OFF", "PETSTORE_BUILD_BENCH=OFF"], ("petstore",))
    return tree / "build/release/petstore"


def revision_of_checkout() -> str:
    return _git("describe", "--always", "--dirty", "--abbrev=12")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise BuildFault(done.stderr.strip())
    return done.stdout.strip()


def _build(tree: Path, preset: str, cache: list[str], targets: tuple[str, ...], install: bool = False) -> None:
    print(f"In {tree}:", file=sys.stderr)
    script = f'set -euo pipefail; cd "$1"; shift; source "{ROOT}/deploy/prepare.sh"\n'
    if install:
        script += "install_packages deploy/packages.txt tests/packages.txt\n"
    script += f"configure {preset} {' '.join(cache)}\nbuild {preset} {' '.join(targets)}\n"
    if subprocess.run(["bash", "-c", script, "build", str(tree)], stdout=sys.stderr).returncode != 0:
        raise BuildFault(f"{tree} could not be built.")
