# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The unit in deploy/systemd: how much it leaves open, and that the service works with what is left."""

import json
import re
import resource
import signal
import socket

from runner.case import case
from support.checks import hold, wait_until
from support.http import Connection, request
from support.processes import run

from .machine import DEPLOYED, NEEDS, SERVICE, Machine

EXPOSURE_MAX = 1.5
OPEN_FILES = 65536  # LimitNOFILE of the unit
CONFIGURATION = """\
listen = "127.0.0.1:0"
admin_listen = "127.0.0.1:0"
store = "lmdb:/var/lib/petstore"
access_log = "/var/log/petstore/access.log"
drain_timeout = "30s"
"""
MANY_REQUESTS = "--plan enterprise --per-minute 1000000 --per-day 1000000"


@case(
    injected="nothing: systemd judges the unit by itself",
    must_hold="its exposure is at most 1.5, and it is a unit without fault",
    needs=("systemd-analyze",),
)
def exposure(stand) -> str:
    def analyze(*arguments: str) -> str:
        done = run("systemd-analyze", *arguments, code=None)
        hold(done.returncode == 0 and not done.stderr, f"systemd-analyze {arguments[0]}: {done.stderr or done.stdout}")
        return done.stdout

    judged = analyze("security", "--offline=true", "--no-pager", str(DEPLOYED / SERVICE))
    found = re.search(r"exposure level for petstore.service: ([0-9.]+)", judged)
    left_open = "\n".join(line for line in judged.splitlines() if not line.startswith("✓"))
    hold(found is not None and float(found[1]) <= EXPOSURE_MAX, f"too much is left open:\n{left_open}")
    unit = (DEPLOYED / SERVICE).read_text().replace("/usr/local/bin/petstore", str(stand.program))
    (stand.directory / SERVICE).write_text(unit)
    analyze("verify", "--man=no", str(stand.directory / SERVICE))
    return found[1]


@case(
    injected="everything that the unit forbids, by systemd itself in namespaces of its own: system calls, "
    "capabilities, writing outside the service's directories, other programs, namespaces, users",
    must_hold="keys, reads, writes, reload, a renamed log, export, import, check, backup, a drain on stop and a second "
    "start work, and the kernel shows the fetters on",
    needs=NEEDS,
)
def locked_down(stand) -> str:
    machine = Machine(stand, CONFIGURATION)
    machine.wait_until_active()
    _check_fetters(machine)
    key = json.loads(machine.run(f"keys create --store lmdb:/var/lib/petstore --json {MANY_REQUESTS}"))["key"]
    port, admin_port = machine.ports()
    wait_until(lambda: request(port, "GET", "/v1/quota", key).status == 200, "the key does not work")
    _use(port, key)
    hold(request(admin_port, "GET", "/readyz").status == 200, "the service is not ready")
    hold(b"petstore_" in request(admin_port, "GET", "/metrics").body, "there is no page of metrics")

    plans = CONFIGURATION + "[plans.free]\nper_minute = 7\nper_day = 70\n"
    machine.path("/etc/petstore/petstore.toml").write_text(plans)
    free = json.loads(machine.run("keys create --store lmdb:/var/lib/petstore --json --plan free"))["key"]
    log = machine.path("/var/log/petstore/access.log")
    log.rename(log.with_suffix(".1"))
    machine.control("reload", SERVICE)
    wait_until(
        lambda: request(port, "GET", "/v1/quota", free).fields["x-ratelimit-limit"] == "7", "the plans are not reloaded"
    )
    wait_until(lambda: log.exists() and log.stat().st_size > 0, "the access log is not opened anew")
    machine.run("export --store lmdb:/var/lib/petstore --output /var/lib/petstore/shop.jsonl")
    machine.run("import --store lmdb:/var/lib/petstore/copy /var/lib/petstore/shop.jsonl")
    machine.run("check --store lmdb:/var/lib/petstore")
    machine.run("backup --store lmdb:/var/lib/petstore --output /var/lib/petstore/backup")
    _stop_with_a_request_in_flight(machine, port, key)

    machine.control("start", SERVICE)
    port, _ = machine.ports()
    hold(len(request(port, "GET", "/v1/pets?limit=100", key).json()) == 51, "not every animal is there again")
    state = machine.state()
    hold(state["NRestarts"] == "0" and state["Result"] == "success", f"it has fallen meanwhile: {state}")
    return f"process {state['MainPID']} of the machine"


def _check_fetters(machine) -> None:
    pid = machine.main_pid()
    with open(f"/proc/{pid}/status") as file:
        status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    hold(status["NoNewPrivs"] == "1" and status["Seccomp"] == "2", f"no filter of system calls: {status}")
    for capabilities in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        hold(int(status[capabilities], 16) == 0, f"{capabilities} is {status[capabilities]}")
    hold("0" not in status["Uid"].split(), "it is root")
    with open(f"/proc/{pid}/mountinfo") as file:
        mounts = {line.split()[4]: line.split()[5].split(",") for line in file}
    writable = {path for path, flags in mounts.items() if "rw" in flags}
    own = {"/var/lib/petstore", "/var/log/petstore", "/tmp", "/var/tmp"}
    hold(own <= writable, f"it cannot write in {own - writable}")
    others = {path for path in writable - own if not path.startswith(("/dev/", "/proc"))}
    hold(not others, f"it can write in {others}")
    runnable = {path for path in writable - {"/dev/pts"} if "noexec" not in mounts[path]}
    hold(not runnable, f"what it writes can be run in {runnable}")
    with open(f"/proc/{pid}/limits") as file:
        limits = {line[:25].strip(): line[25:].split()[:2] for line in file}
    hold(limits["Max core file size"] == ["0", "0"], "it may leave its memory behind in a core file")
    # systemd cannot give more than it has itself, which a container may limit.
    files = min(OPEN_FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    hold(int(limits["Max open files"][0]) >= files, f"it may open {limits['Max open files'][0]} files")


def _use(port: int, key: str) -> None:
    with Connection(port) as connection:
        for number in range(50):
            made = connection.request("POST", "/v1/pets", key, {"name": f"Animal {number}", "categoryId": 1})
            hold(made.status == 201, f"an animal is answered {made.status}")
            read = connection.request("GET", made.fields["location"], key)
            hold(read.json()["name"] == f"Animal {number}", "another animal is read")


def _stop_with_a_request_in_flight(machine, port: int, key: str) -> None:
    body = b'{"name":"The last one","categoryId":1}'
    head = f"POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
    with Connection(port) as connection:
        connection.send(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body[:5])
        machine.control("stop", "--no-block", SERVICE)
        wait_until(lambda: machine.state()["ActiveState"] == "deactivating", "the unit does not stop")
        wait_until(lambda: _is_refused(port), "it goes on accepting")
        connection.send(body[5:])
        answer = connection.answer()
        hold(answer.status == 201, f"the request in flight is answered {answer.status}")
        hold(answer.fields.get("connection") == "close", "the answer does not say that the connection ends")
    wait_until(lambda: machine.state()["ActiveState"] == "inactive", "the unit does not end")
    state = machine.state()
    hold(state["Result"] == "success" and state["ExecMainStatus"] == "0", f"it did not end well: {state}")


def _is_refused(port: int) -> bool:
    with socket.socket() as other:
        return other.connect_ex(("127.0.0.1", port)) != 0


@case(
    injected="SIGKILL, then SIGSTOP so that no thread moves, under the unit",
    must_hold="systemd starts the service again, in the second case because its watchdog hears nothing, and it serves",
    needs=NEEDS,
)
def killed_and_hung(stand) -> None:
    machine = Machine(stand, CONFIGURATION, drop_in="WatchdogSec=4s\n")
    machine.wait_until_active()
    for fault in (signal.SIGKILL, signal.SIGSTOP):
        before = int(machine.state()["NRestarts"])
        machine.signal(fault)
        wait_until(lambda: int(machine.state()["NRestarts"]) > before, f"{fault.name}: it is not started again")
        machine.wait_until_active()
        port, _ = machine.ports()
        hold(request(port, "GET", "/v1/pets").status == 401, f"{fault.name}: the service does not answer afterwards")


@case(
    injected="a wrong setting in the service's file, under the unit",
    must_hold="the unit fails at once, is not started again, and says which setting it is",
    needs=NEEDS,
)
def wrong_setting(stand) -> None:
    machine = Machine(stand, CONFIGURATION + 'threads = "many"\n')
    wait_until(lambda: machine.state()["ActiveState"] == "failed", "the unit does not fail")
    state = machine.state()
    hold(state["ExecMainStatus"] == "2" and state["NRestarts"] == "0", f"it ended in another way: {state}")
    hold("threads" in machine.path("/run/errors").read_text(), "it does not say what is wrong")


@case(
    injected="another program on the service's port when it starts, under the unit",
    must_hold="systemd starts the service again until the port is free, and then it serves",
    needs=NEEDS,
)
def taken_port(stand) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        machine = Machine(stand, CONFIGURATION.replace("127.0.0.1:0", f"127.0.0.1:{port}", 1))
        wait_until(lambda: int(machine.state()["NRestarts"]) >= 2, "it is not started again")
    machine.wait_until_active()
    hold(request(port, "GET", "/v1/pets").status == 401, "the service does not answer afterwards")


@case(
    injected="a filter of system calls that lacks one which the service needs",
    must_hold="the unit fails by SIGSYS: so the filter is in force, and a call that it lacks would be seen",
    needs=NEEDS,
)
def filter_has_teeth(stand) -> None:
    machine = Machine(stand, CONFIGURATION, drop_in="SystemCallFilter=~listen\nRestart=no\n")
    wait_until(lambda: machine.state()["ActiveState"] == "failed", "the unit does not fail")
    state = machine.state()
    hold(state["ExecMainStatus"] == str(int(signal.SIGSYS)), f"it failed for another reason: {state}")
