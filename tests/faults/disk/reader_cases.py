# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Somebody reads one state of the store for long. As long as that lasts, no page that is freed can be used again."""

import json
import math
import signal
import time
from pathlib import Path

from runner.case import case
from support.checks import hold, wait_until

from . import shops

MAP = ("--store-size", "4MiB")
ANIMALS = 600
STOPPED_SECONDS, RUNNING_SECONDS = 0.03, 0.0005
SLOW_SECONDS = 6  # then it is left in peace
ENOUGH_WRITES = 3000  # a reader that held its state would fill the map with a third of them


@case(
    injected="petstore export writes to a pipe that nobody reads, while writes go on in a small map",
    must_hold="no write finds the map full, and the export is complete when it is read at last",
)
def unread_export(stand) -> str:
    server, key = stand.serve_with_key(*MAP)
    shops.add_all(server.port, key, [shops.LONG_NAME[:60]] * ANIMALS)
    export = stand.start([str(stand.program), "export", "--store", "lmdb:shop"], is_read=False)
    shops.wait_until_written(export.output.fileno(), export)
    done = _write_enough(stand, server, key)
    hold(export.is_running, "the export fits into the pipe: it proves nothing")
    lines = export.output.read().count("\n")
    hold(lines == ANIMALS + 1, f"{lines} lines were exported, not {ANIMALS + 1}")
    return f"{done} writes meanwhile"


@case(
    injected="petstore check and petstore backup get a small part of a processor (SIGSTOP, SIGCONT), while writes go on"
    " in a small map",
    must_hold="no write finds the map full; each ends well, or gives up so that the writers have room",
)
def slow_readers(stand) -> str:
    size = ("--store-size", "12MiB")
    stand.serve("lmdb:shop", *size).stop()  # first: a tool takes the largest size that the file was ever given
    key = stand.make_key("lmdb:shop")
    _import_animals(stand, "lmdb:shop", 4000)
    server = stand.serve("lmdb:shop", *size)
    writers = shops.Writers(stand, server.port, key, 4)
    try:
        ends = [_run_slowly(stand, command) for command in (["check"], ["backup", "--output", "copy"])]
    finally:
        statuses = writers.stop()
    hold(set(statuses) == {200}, f"writes were answered {statuses}")
    stand.run("check", "--store", "lmdb:shop")
    return f"{', '.join(ends)} beside {statuses[200]} writes"


def _import_animals(stand, store: str, count: int) -> None:
    lines = [{"type": "petstore-export", "version": 1, "environment": "production"}]
    for number in range(1, count + 1):
        animal = {"id": number, "name": shops.LONG_NAME[:60], "categoryId": number % 10, "status": "available"}
        lines.append({"type": "pet", "record": animal})
    file = stand.directory / "animals.jsonl"
    file.write_text("".join(json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines))
    stand.run("import", "--store", store, str(file))


def _run_slowly(stand, command: list[str]) -> str:
    reader = stand.start([str(stand.program), *command, "--store", "lmdb:shop"])
    end = time.monotonic() + SLOW_SECONDS
    while reader.is_running and time.monotonic() < end:
        reader.send_signal(signal.SIGSTOP)
        time.sleep(STOPPED_SECONDS)
        used = _processor_seconds(reader.pid)
        reader.send_signal(signal.SIGCONT)
        # By its own time: on a busy machine it may have to wait for a processor.
        while reader.is_running and _processor_seconds(reader.pid) < used + RUNNING_SECONDS:
            time.sleep(RUNNING_SECONDS / 2)
    code, said = reader.wait(), reader.errors()
    gave_up = code == 1 and "given up" in said
    hold(code == 0 or gave_up, f"{command[0]} ended with {code}: {said}")
    return f"{command[0]} {'gave up' if gave_up else 'ended well'}"


@case(
    injected="a process that reads the store is stopped (SIGSTOP) in the midst of it, and killed when the map is full",
    must_hold="the log names the process; once it is dead its place is cleared, and the store is ready again by itself",
)
def stopped_reader(stand) -> str:
    server, key = stand.serve_with_key(*MAP)
    shops.add_all(server.port, key, [shops.LONG_NAME[:60]] * ANIMALS)
    reader = shops.start_reader(stand, "lmdb:shop", "out")
    reader.send_signal(signal.SIGSTOP)
    writers = shops.Writers(stand, server.port, key, 4)
    try:
        wait_until(lambda: writers.count(503) > 0, "a reader that never ends does not fill the map")
    finally:
        writers.stop()
    hold(f"process {reader.pid} reads a state" in server.child.errors(), "the log does not name the reader")
    hold(server.readiness()[0] == 503, "it is ready with a full map")
    reader.kill()
    wait_until(lambda: server.readiness()[0] == 200, "the place of a dead reader is not cleared")
    hold(shops.add(server.port, key).status == 201, "writes fail when the reader is gone")
    return f"full after {writers.count(200)} writes"


def _processor_seconds(process: int) -> float:
    try:
        tasks = list(Path(f"/proc/{process}/task").glob("*/schedstat"))
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9
    except (OSError, IndexError):
        return math.inf  # it has ended, or one of its threads has


def _write_enough(stand, server, key: str) -> int:
    writers = shops.Writers(stand, server.port, key, 4)
    try:
        for enough in range(0, ENOUGH_WRITES + 1, ENOUGH_WRITES // 10):
            wait_until(lambda: writers.count(200) > enough or len(writers.statuses) > 1, "writes stand still")
    finally:
        statuses = writers.stop()
    hold(set(statuses) == {200}, f"writes were answered {statuses}")
    return statuses[200]
