# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A root directory of Debian 12 with nothing but its essential packages, in which commands run. Needs root."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from engine import debian_root


def base() -> Path:
    """Debian 12 as a tar archive, made once."""
    archive = Path(__file__).resolve().parents[2] / "build/deploy/debian.tar"
    if not archive.exists():
        print("Making a root directory of Debian 12", flush=True)
        debian_root(archive)
    return archive


class BareRoot:
    """`close` removes it. There is no systemd in there."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="petstore-root-"))
        subprocess.run(["tar", "-C", self.path, "-xf", base()], check=True)
        self.path.chmod(0o755)
        shutil.copy("/etc/resolv.conf", self.path / "etc/resolv.conf")

    def close(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def run(self, *command: str, user: str = "root", network: bool = True) -> str:
        """What the command prints. Whatever it starts ends with it: it has a list of processes of its own."""
        setup = 'mount -t proc proc "$1/proc"; ' + ("" if network else "ip link set lo up; ")
        line = ["unshare", "--mount", "--pid", "--fork", "--kill-child", *([] if network else ["--net"]),
                "sh", "-euc", setup + 'root=$1; user=$2; shift 2; exec chroot --userspec="$user" "$root" "$@"',
                "sh", str(self.path), user, *command]
        done = subprocess.run(
            line,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
            | {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=600,
        )
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout
