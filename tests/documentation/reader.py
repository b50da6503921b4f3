# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Runs commands one after the other as somebody does who pastes them into a shell, in the root of a checkout."""

from __future__ import annotations

import os
import re
import signal
import ssl
import subprocess
import threading
import urllib.request
from contextlib import suppress
from pathlib import Path

# What a reader puts in. {url}, {postgres} and {redis} are the addresses of what ./deploy/run has started.
STAND_INS = [
    (r"(--to |import +--store |restore .*--store )(URI|lmdb:DIRECTORY)", r"\1lmdb:new{count}"),  # it must not be there
    (r"\bURI\b|lmdb:DIRECTORY", "lmdb:store"),
    (r"\bDIRECTORY\b", "copy"),
    (r"lmdb:/var/lib/petstore", "lmdb:service"),
    (r"=~/petstore", "=$PWD/installed"),
    (r"~/petstore", "installed"),
    (r"postgres://…", "{postgres}"),
    (r"redis://…", "{redis}"),
    (r" …", " --store memory:"),
    (r"(petstore serve .*--listen )\S+", r"\g<1>127.0.0.1:0"),
    (r"http://127\.0\.0\.1:8080\b", "{url}"),
]

# Some say more than by their exit code whether they did what they are for.
SAYS = {
    "curl ": r'"id":',
    "build/release/petstore-load http": r"^ *200 ",
    "jq -c 'select(.request_id": r"order-4711",
    "ls build/release/packages": r"petstore_.*\.deb",
}

SERVES = re.compile(r"^(\S+/|taskset -c 0 )?petstore serve ")
LISTENS = re.compile(r"^listening on (\S+)", re.MULTILINE)
STARTED = re.compile(r"Ctrl-C stops\.$", re.MULTILINE)  # the last that ./deploy/run says
KEY = re.compile(r"^demo key (\S+)|export KEY=(\S+)", re.MULTILINE)
DATABASES = re.compile(r"PostgreSQL: (\S+) +Redis: (\S+) +password in (\S+)")
# For an end, and only to end a hang.
ENDS_WITHIN = 120


class Fault(Exception):
    pass


class Service:
    """A process that serves until it is told to stop; made once it says that it is ready."""

    def __init__(self, process: subprocess.Popen[str], ready: re.Pattern[str], starts_within: int) -> None:
        self.process = process
        assert self.process.stdout is not None
        self.said = ""
        hang = threading.Timer(starts_within, self.kill)
        hang.start()
        try:
            while not ready.search(self.said):
                line = self.process.stdout.readline()
                self.said += line
                if not line:
                    raise Fault(f"exits {self.process.wait()}: {self.said}")
                print(f"    | {line}", end="", flush=True)  # of a build it is the progress
        except BaseException:
            self.kill()
            raise
        finally:
            hang.cancel()
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def url(self) -> str:
        found = LISTENS.search(self.said)
        assert found is not None
        return found[1]

    def key(self) -> str:
        found = KEY.search(self.said)
        return (found[1] or found[2]) if found else ""

    def stop(self) -> str:
        """As Ctrl-C does, which reaches whatever the command has started."""
        os.killpg(self.process.pid, signal.SIGINT)
        try:
            code = self.process.wait(ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            self.kill()
            return "does not end after Ctrl-C"
        return f"exits {code} after Ctrl-C" if code else ""


class Reader:
    def __init__(self, folder: Path, builds_within: int, stand_ins: list[tuple[str, str]]) -> None:
        self.folder, self.builds_within, self.stand_ins = folder, builds_within, stand_ins
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PETSTORE_")}
        # Where a command names no address. curl is to fail when the service says no.
        self.environment = inherited | {"PATH": f"{folder}/build/release:{os.environ['PATH']}", "CURL_HOME": str(folder),
                                        "PETSTORE_LISTEN": "127.0.0.1:0", "PETSTORE_ADMIN_LISTEN": "127.0.0.1:0"}
        (folder / ".curlrc").write_text("silent\nshow-error\nfail\nmax-time = 60\n")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "privkey.pem", "-out",
                        "fullchain.pem"], cwd=folder, check=True, capture_output=True)
        self.addresses = {"count": "0", "url": "", "postgres": "", "redis": ""}
        self.services: list[Service] = []

    def as_run(self, text: str) -> str:
        self.addresses["count"] = str(int(self.addresses["count"]) + 1)
        for pattern, given in self.stand_ins:
            for name, address in self.addresses.items():
                given = given.replace(f"{{{name}}}", address)
            text = re.sub(pattern, given, text)
        return text

    def run(self, text: str, **variables: str) -> None:
        run_as = self.as_run(text)
        if SERVES.search(text):
            service = self.start(run_as, LISTENS)
            self.ask(service.url())
            if fault := service.stop():
                raise Fault(fault)
            return
        done = subprocess.run(["bash", "-c", run_as], cwd=self.folder, env=self.environment | variables,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=self.builds_within)
        if done.returncode:
            raise Fault(f"exits {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        expected = next((says for begin, says in SAYS.items() if text.startswith(begin)), "")
        if not re.search(expected, done.stdout, re.MULTILINE):
            raise Fault(f"says nothing like {expected}: {done.stdout[-2000:]}")

    def start(self, run_as: str, ready: re.Pattern[str]) -> Service:
        process = subprocess.Popen(["bash", "-c", f"exec {run_as}"], cwd=self.folder, env=self.environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        return Service(process, ready, self.builds_within)

    def keep(self, service: Service, url: str) -> None:
        """What ./deploy/run serves is there for all that follows; the first one has the key and the address."""
        self.services.append(service)
        if not self.addresses["url"]:
            self.addresses["url"] = url
            self.environment |= {"KEY": service.key(), "PETSTORE_KEY": service.key()}
        if databases := DATABASES.search(service.said):
            secret = (self.folder / databases[3]).read_text().strip()
            self.addresses["postgres"] = f"postgres://petstore:{secret}@{databases[1]}/petstore"
            self.addresses["redis"] = f"redis://:{secret}@{databases[2]}"

    def ask(self, url: str) -> None:
        """One request, so that the logs have what is looked for there."""
        trusted = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
        request = urllib.request.Request(f"{url}/openapi.json", headers={"X-Request-Id": "order-4711"})
        with urllib.request.urlopen(request, timeout=60, context=trusted if url.startswith("https") else None) as answer:
            answer.read()

    def stop(self) -> list[str]:
        return [fault for service in reversed(self.services) if (fault := service.stop())]
