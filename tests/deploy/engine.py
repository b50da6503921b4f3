# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Debian's podman, with images and containers in a directory of the test's own that goes with it."""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path


sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.processes import run  # noqa: E402

# For one command of podman's, moments on a machine that has nothing else to do; for a build.
CALL_LIMITS, BUILD_LIMITS = 5, 60


class Engine:
    """podman on its own storage. `close` ends every container and removes all that was stored."""

    def __init__(self):
        # Not below a long path: sockets of containers lie there, whose names may have 107 characters.
        self.directory = Path(tempfile.mkdtemp(prefix="petstore-engine-"))
        # The engine by itself would raise limits above what a machine in a sandbox may give.
        limits = f'"nofile={_at_most(65536, resource.RLIMIT_NOFILE)}", "nproc={_at_most(4096, resource.RLIMIT_NPROC)}"'
        settings = self.directory / "containers.conf"
        settings.write_text(f"[containers]\ndefault_ulimits = [{limits}]\n")
        self._environment = os.environ | {"CONTAINERS_CONF": str(settings)}
        self._global = [
            "podman",
            f"--root={self.directory}/storage",
            f"--runroot={self.directory}/run",
            f"--tmpdir={self.directory}/tmp",
            "--runtime=runc",
            "--cgroup-manager=cgroupfs",
            "--events-backend=none",
        ]

    def close(self) -> None:
        self.try_call("rm", "--all", "--force", "--time=0", "--volumes")
        # Its layers lie below a mount of the directory onto itself, which it leaves behind.
        run("umount", "--quiet", "--lazy", f"{self.directory}/storage/overlay", code=None)
        shutil.rmtree(self.directory, ignore_errors=True)

    def try_call(self, *arguments: str, **how) -> subprocess.CompletedProcess[str]:
        how = {"code": None, "limits": CALL_LIMITS} | how
        return run(*self._global, *arguments, variables=self._environment, **how)

    def call(self, *arguments: str, **how) -> str:
        return self.try_call(*arguments, code=0, **how).stdout.strip()

    def import_root(self, archive: Path, names: Sequence[str]) -> None:
        self.call("import", str(archive), names[0])
        for name in names[1:]:
            self.call("tag", names[0], name)

    def build(self, dockerfile: Path, context: Path, name: str) -> str:
        """What the builder printed. HEALTHCHECK is in Docker's format of images alone."""
        return self.call(
            "build",
            "--pull=never",
            "--format=docker",
            "--isolation=chroot",  # what RUN does needs the network, and no more of a container than a root directory
            "--network=host",
            f"--file={dockerfile}",
            f"--tag={name}",
            str(context),
            limits=BUILD_LIMITS,
        )

    def start(self, name: str, options: Sequence[str], command: Sequence[str] = ()) -> str:
        """A container in the background, with a network that has loopback alone; its id."""
        return self.call("run", "--detach", "--pull=never", "--network=none", *options, name, *command)


def _at_most(wanted: int, kind: int) -> str:
    hard = resource.getrlimit(kind)[1]
    given = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
    return f"{given}:{given}"


def debian_root(archive: Path) -> None:
    """Debian 12 as a tar archive, from the mirrors that apt has on this machine. Takes half a minute."""
    sources = _sources()
    directory = Path(tempfile.mkdtemp(prefix="petstore-debian-"))
    try:
        subprocess.run(
            ["debootstrap", "--variant=minbase", "bookworm", str(directory), sources[0].split()[1]],
            check=True,
            stdout=subprocess.DEVNULL,
            timeout=900,
        )
        (directory / "etc/apt/sources.list").write_text("\n".join(sources) + "\n")
        for own in directory.glob("var/cache/apt/archives/*.deb"):
            own.unlink()
        archive.parent.mkdir(parents=True, exist_ok=True)
        unfinished = archive.with_suffix(".part")
        subprocess.run(["tar", "-C", str(directory), "--one-file-system", "-cf", str(unfinished), "."], check=True)
        os.replace(unfinished, archive)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _sources() -> list[str]:
    """Lines of sources.list with Debian's own suites as apt knows them here, the release first."""
    form = "deb $(REPO_URI) $(RELEASE) $(COMPONENT)"
    told = subprocess.run(
        ["apt-get", "indextargets", "--format", form, "Created-By: Packages", "Origin: Debian", "Component: main"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    lines = sorted(set(told.splitlines()), key=lambda line: (line.split()[2] != "bookworm", line))
    if not lines or lines[0].split()[2] != "bookworm":
        raise AssertionError(f"apt knows no mirror of Debian 12: {lines}")
    return lines
