# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A machine for one case: systemd itself as the first process of its own namespaces, and the service as its unit says.
So what the unit forbids is forbidden by the kernel, in the way and order in which systemd does it."""

import os
import shutil
import signal
from pathlib import Path

from support.checks import Broken, Missing, hold, wait_until
from support.processes import run

DEPLOYED = Path(__file__).resolve().parents[3] / "deploy" / "systemd"
SERVICE = "petstore.service"
SOCKET = "petstore.socket"
COMMAND = "petstore-command.service"
CONTROL_LIMITS = 4  # a command of systemctl waits for what it asks for
# What other machines have, and the unit is ordered by.
TARGETS = ("sysinit", "basic", "shutdown", "network-online", "multi-user")
NEEDS = ("root", "unshare", "nsenter", "pivot_root", "systemd-sysusers", "/usr/lib/systemd/systemd")


class Machine:
    """`configuration` is the service's file, `drop_in` what is changed of the unit. With a `socket_port`, systemd holds
    the public socket, on that port."""

    def __init__(self, stand, configuration: str, drop_in: str = "", socket_port: int | None = None):
        self._root = stand.directory / "machine"
        self._files = stand.directory / "machine.files"
        self._root.mkdir()
        self._install(configuration, drop_in)
        if socket_port is not None:
            self._install_socket(socket_port)
        cgroup = _make_cgroup(stand.directory.name)
        stand.at_end(_remove_cgroup, cgroup)
        namespaces = ["--mount", "--pid", "--ipc", "--uts", "--cgroup", "--propagation", "private"]
        boot = [str(Path(__file__).with_name("boot")), str(self._root), str(stand.program)]
        enter = ["sh", "-c", f'echo $$ >{cgroup}/cgroup.procs && exec "$@"', "sh"]
        self._child = stand.start([*enter, "unshare", *namespaces, "--fork", "--kill-child", *boot])
        stand.at_end(self._child.kill)  # systemd does not end by SIGTERM, and everything in the machine ends with it
        self._pid = self._first_process()
        wait_until(self.path("/run/systemd/private").exists, "systemd takes no orders")

    def _install(self, configuration: str, drop_in: str) -> None:
        units = self._files / "etc/systemd/system"
        (units / f"{SERVICE}.d").mkdir(parents=True)
        shutil.copy(DEPLOYED / SERVICE, units)
        output = "[Service]\nStandardOutput=append:/run/output\nStandardError=append:/run/errors\n"
        (units / f"{SERVICE}.d/test.conf").write_text(output + drop_in)
        for name in TARGETS:
            (units / f"{name}.target").write_text("[Unit]\nDefaultDependencies=no\n")
        (units / "default.target").write_text(f"[Unit]\nDefaultDependencies=no\nWants={SERVICE}\n")
        (self._files / "etc/petstore").mkdir()
        (self._files / "etc/petstore/petstore.toml").write_text(configuration)
        (self._files / "etc/sysusers.d").mkdir()
        shutil.copy(DEPLOYED / "petstore.sysusers", self._files / "etc/sysusers.d/petstore.conf")

    def _install_socket(self, port: int) -> None:
        units = self._files / "etc/systemd/system"
        unit = (DEPLOYED / SOCKET).read_text()
        hold("127.0.0.1:8080" in unit, "the socket unit has another address")
        (units / SOCKET).write_text(unit.replace("127.0.0.1:8080", f"127.0.0.1:{port}"))
        (units / "sockets.target").write_text("[Unit]\nDefaultDependencies=no\n")
        with open(units / "default.target", "a") as target:
            target.write(f"Wants={SOCKET}\n")

    def _first_process(self) -> int:
        """systemd, by its number outside."""
        children = Path(f"/proc/{self._child.pid}/task/{self._child.pid}/children")

        def is_there() -> bool:
            hold(self._child.is_running, f"the machine does not start:\n{self._child.errors()}")
            pids = children.read_text().split()
            return bool(pids) and Path(f"/proc/{pids[0]}/comm").read_text() == "systemd\n"

        wait_until(is_there, "systemd does not start")
        return int(children.read_text().split()[0])

    def path(self, inside: str) -> Path:
        return Path(f"/proc/{self._pid}/root{inside}")

    def control(self, *arguments: str) -> str:
        """systemctl, inside."""
        command = ["nsenter", "--target", str(self._pid), "--mount", "--pid", "--ipc", "--uts", "--cgroup", "--"]
        done = run(
            *(*command, "systemctl", *arguments),
            code=None,
            limits=CONTROL_LIMITS,
            variables={"PATH": "/usr/bin:/usr/sbin"},
        )
        if done.returncode != 0:
            raise Broken(f"systemctl {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr}{self.told()}")
        return done.stdout

    def told(self) -> str:
        """What there is to explain a failure."""
        files = ("/run/output", "/run/errors", "/dev/kmsg")
        return "".join(self.path(file).read_text()[-3000:] for file in files if self.path(file).exists())

    def state(self, unit: str = SERVICE) -> dict[str, str]:
        names = "ActiveState,Result,MainPID,NRestarts,ExecMainCode,ExecMainStatus"
        return dict(line.split("=", 1) for line in self.control("show", "-p", names, unit).splitlines())

    def wait_until_active(self) -> None:
        """The unit is of Type=notify: so the program has said that it accepts connections."""

        def is_active() -> bool:
            state = self.state()
            hold(state["ActiveState"] != "failed", f"the unit has failed: {state}\n{self.told()}")
            return state["ActiveState"] == "active"

        wait_until(is_active, "the unit does not become active")

    def main_pid(self) -> int:
        """The service's process, by its number outside."""
        inside = self.state()["MainPID"]
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
                numbers = lines["NSpid"].split()
                same = os.readlink(f"{status.parent}/ns/cgroup") == os.readlink(f"/proc/{self._pid}/ns/cgroup")
            except (OSError, KeyError):
                continue  # ended meanwhile
            if same and len(numbers) > 1 and numbers[-1] == inside:
                return int(numbers[0])
        raise Broken(f"the service's process {inside} is not there")

    def ports(self) -> tuple[int, int]:
        """The public one and the admin listener's, of the last start."""
        lines = self.path("/run/output").read_text().splitlines()
        urls = [line.split("//")[1] for line in lines if " on http" in line][-2:]
        return tuple(int(url.split("/")[0].rsplit(":", 1)[1]) for url in urls)

    def run(self, arguments: str) -> str:
        """A command of the program, as the service's user and locked down as the service is; what it prints."""
        unit = (DEPLOYED / SERVICE).read_text().splitlines()
        left_out = ("Type=", "ExecStart=", "ExecReload=", "WatchdogSec=", "Restart")
        kept = [line for line in unit if not line.startswith(left_out)]
        service = kept.index("[Service]") + 1
        kept[service:service] = [
            "Type=oneshot",
            f"ExecStart=/usr/local/bin/petstore {arguments}",
            "StandardOutput=truncate:/run/command",
            "StandardError=append:/run/errors",
        ]
        self.path(f"/etc/systemd/system/{COMMAND}").write_text("\n".join(kept) + "\n")
        self.control("daemon-reload")
        self.control("start", COMMAND)  # which ends when the command does
        return self.path("/run/command").read_text()

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.main_pid(), number)


def _make_cgroup(name: str) -> Path:
    """Of its own, so that nothing that systemd makes below is left over."""
    for line in Path("/proc/mounts").read_text().splitlines():
        _, where, kind, *_ = line.split()
        if kind == "cgroup2":
            made = Path(where) / name
            try:
                made.mkdir()
            except OSError as refused:
                raise Missing(f"needs a cgroup of its own: {refused.strerror}") from None
            return made
    raise Missing("needs cgroups of version 2")


def _remove_cgroup(cgroup: Path) -> None:
    wait_until(lambda: "populated 0" in (cgroup / "cgroup.events").read_text(), "the machine does not end")
    for directory, _, _ in os.walk(cgroup, topdown=False):
        os.rmdir(directory)
