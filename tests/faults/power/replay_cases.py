# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The power goes in the midst of any write, and the disk has kept what it liked of what was not synced.

record_disk.cpp, preloaded, writes down all that the service and the commands do to the store's directory. The replayer
(replay_power_cuts.cpp) cuts that at many places and makes the disks that may be left: what was synced, and any part of
the rest. disk_model.hpp says which those are."""

import json
import os
import random
import tempfile
import time
from pathlib import Path

from runner.case import case
from support.checks import hold
from support.processes import run

from .acknowledged import Acknowledged
from .clients import BusyShop
from .judgement import Lost

RECORDS = 600  # acknowledged ones, at least
RECORDS_OF_A_LIAR = 200
PLACES = 150  # where the power goes; the first acts are all among them
MEMORY = Path("/dev/shm")  # disks are made there, where syncing them costs nothing
REPLAY_LIMITS = 10
EXIT_LOST = 3
IMPORTED = 1_800  # in several transactions
PLAN = ("--plan", "enterprise", "--per-minute", "10000000", "--per-day", "1000000000")


class Recorded:
    """A directory of which everything is recorded, from when it is empty."""

    def __init__(self, stand, *preload: str, **variables: str):
        """`preload` are libraries that stand between the program and the recorder."""
        self._stand = stand
        directory = Path(tempfile.mkdtemp(dir=stand.directory)).resolve()
        self.root = directory / "disk"
        self.log = directory / "log"
        self.root.mkdir()
        self.log.touch()
        self.directory = self.root / "shops" / "one"
        self.store = f"lmdb:{self.directory}"
        self.variables = variables | {
            "LD_PRELOAD": " ".join(str(stand.tools / library) for library in (*preload, "librecord_disk.so")),
            "RECORD_DISK_BELOW": str(self.root),
            "RECORD_DISK_LOG": str(self.log),
        }
        self.noted = Acknowledged(now=lambda: os.stat(self.log).st_size)

    def work(self, records: int) -> None:
        key = self._stand.run("keys", "create", "--store", self.store, *PLAN, variables=self.variables).strip()
        self.noted.note_key("k1", key)
        server = self._stand.serve(self.store, variables=self.variables)
        shop = BusyShop(self._stand, server, self.store, key, self.noted, self.variables)
        shop.wait_for_records(records)
        shop.stop()
        hold(server.stop() == 0, "the server did not stop cleanly")

    def replay(self) -> str:
        acknowledged = self.log.with_name("acknowledged")
        acknowledged.write_text(self.noted.lines())
        seed = random.getrandbits(32)
        memory = MEMORY if MEMORY.is_dir() else self._stand.directory
        with tempfile.TemporaryDirectory(prefix="petstore-test-", dir=memory) as scratch:
            replayed = run(
                *(self._stand.tools / "replay_power_cuts", self.log, self.root, "shops/one", acknowledged),
                *(f"{scratch}/disk", str(PLACES), str(seed)),
                code=None,
                limits=REPLAY_LIMITS,
            )
        if replayed.returncode == EXIT_LOST:
            raise Lost(f"{replayed.stderr.strip()} (seed {seed})")
        hold(replayed.returncode == 0, f"the replayer ended with {replayed.returncode}: {replayed.stderr}")
        return f"{replayed.stdout.strip()}, {self.noted.count()} acknowledged records"


@case(
    injected="power cuts at 150 writes, a new store's first ones among them; of what was not synced, any part is lost",
    must_hold="store and quotas open, with every acknowledged animal, order, key, revocation and idempotency record",
)
def replayed_in_every_legal_state(stand) -> str:
    return _work_and_replay(Recorded(stand), RECORDS)


@case(
    injected="the same power cuts, and a disk that lies: about files, or directories, or synchronous writes",
    must_hold="the test notices each of the lies: records are missing, or the store cannot be read",
)
def replayed_without_syncing(stand) -> str:
    noticed = []
    for about in ("files", "directories", "writes"):
        try:
            _work_and_replay(Recorded(stand, "liblying_disk.so", LYING_DISK_ABOUT=about), RECORDS_OF_A_LIAR)
        except Lost as lost:
            noticed.append(f"{about}: {lost}")
            continue
        hold(False, f"nothing was missing without syncing {about}, so the test with it proves nothing")
    return "noticed\n    " + "\n    ".join(noticed)


@case(
    injected="power cuts throughout `petstore import` into a new store",
    must_hold="the store always opens, and once the command has ended every record is there",
)
def import_replayed_in_every_legal_state(stand) -> str:
    recorded = Recorded(stand)
    animals = _make_export(stand)
    stand.run("import", "--store", recorded.store, "shop.jsonl", variables=recorded.variables)
    for number, name in animals.items():
        recorded.noted.note_animal(number, name)
    return recorded.replay()


@case(
    injected="power cuts throughout `petstore backup`, then throughout `petstore restore`",
    must_hold="a store always opens, at most after restore.partial is removed; once the command has ended every record is there",
)
def copies_replayed_in_every_legal_state(stand) -> str:
    animals = _make_export(stand)
    key = stand.make_key("lmdb:source")
    stand.run("import", "--store", "lmdb:source", "shop.jsonl")
    backed_up, restored = Recorded(stand), Recorded(stand)
    stand.run("backup", "--store", "lmdb:source", "--output", str(backed_up.directory), variables=backed_up.variables)
    stand.run("restore", "--from", str(backed_up.directory), "--store", restored.store, variables=restored.variables)
    told = []
    for recorded in (backed_up, restored):
        recorded.noted.note_key("k1", key)
        for number, name in animals.items():
            recorded.noted.note_animal(number, name)
        told.append(recorded.replay())
    return "; ".join(told)


def _make_export(stand) -> dict[int, str]:
    """shop.jsonl; the names of its animals by their ids."""
    animals = {number: f"Animal {number}" for number in range(1, IMPORTED + 1)}
    lines = [{"type": "petstore-export", "version": 1, "environment": "production"}]
    for number, name in animals.items():
        record = {"id": number, "name": name, "categoryId": 1, "status": "available"}
        lines.append({"type": "pet", "record": record})
    (stand.directory / "shop.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return animals


def _work_and_replay(recorded: Recorded, records: int) -> str:
    day = time.gmtime().tm_yday
    recorded.work(records)
    if time.gmtime().tm_yday != day:
        recorded.noted.answers.clear()  # what was charged yesterday does not count any more
    return recorded.replay()
