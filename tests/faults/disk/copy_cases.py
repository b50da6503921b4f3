# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A store is lost, and there is a copy of it."""

import shutil
import time

from runner.case import case
from support.checks import hold, wait_until

from . import shops


@case(
    injected="the store's directory is removed after a backup that was made while writes went on",
    must_hold="the restored store is sound and holds every animal, key and charge from before the backup",
)
def lost_store(stand) -> str:
    key = stand.make_key("lmdb:shop", "--plan", "business")
    server = stand.serve("lmdb:shop")
    shops.add_all(server.port, key, (f"Animal {pet}" for pet in range(1, 101)))
    used = server.request("GET", "/v1/quota", key).json()["day"]["used"]
    _wait_for_quotas_on_disk(stand, server, key)
    busy = stand.make_key("lmdb:shop")
    wait_until(lambda: server.knows(busy), "a new key does not work")
    writers = shops.Writers(stand, server.port, busy, 4)
    wait_until(lambda: writers.count(200) > 100, "the writers get no answers")
    said = stand.run("backup", "--store", "lmdb:shop", "--output", "copy")
    statuses = writers.stop()
    hold(set(statuses) == {200}, f"beside a backup writes were answered {statuses}")
    server.stop()
    shutil.rmtree(stand.directory / "shop")

    stand.run("restore", "--from", "copy", "--store", "lmdb:shop")
    stand.run("check", "--store", "lmdb:shop")
    again = stand.serve("lmdb:shop")
    for pet in range(1, 101):
        answer = again.request("GET", f"/v1/pets/{pet}", busy)
        hold(answer.status == 200 and answer.json()["name"] == f"Animal {pet}", f"animal {pet} is {answer.status}")
    kept = again.request("GET", "/v1/quota", key).json()["day"]["used"]
    hold(kept >= used, f"{kept} requests of the day are remembered, not {used}")
    return said.split(": ")[-1].strip()


def _wait_for_quotas_on_disk(stand, server, key: str) -> None:
    """Until they are written again after this moment. They are when one was used, so one is used."""
    now = time.time_ns()

    def are_written() -> bool:
        server.request("GET", "/v1/pets", key)
        return (stand.directory / "shop/quota/data.mdb").stat().st_mtime_ns > now

    wait_until(are_written, "quotas are not written")


@case(
    injected="SIGKILL to petstore backup at twenty moments",
    must_hold="nothing stands under the name of the copy, or a sound one; the next backup succeeds",
)
def killed_backup(stand) -> str:
    server, key = stand.serve_with_key()
    shops.add_all(server.port, key, [shops.LONG_NAME] * 300)
    whole = 0
    for moment in range(20):
        copy = stand.directory / f"copy{moment}"
        backup = stand.start([str(stand.program), "backup", "--store", "lmdb:shop", "--output", str(copy)])
        time.sleep(0.004 * moment)
        backup.kill()
        if copy.exists():
            stand.run("check", "--store", f"lmdb:{copy}")
            whole += 1
    stand.run("backup", "--store", "lmdb:shop", "--output", "last")
    stand.run("check", "--store", "lmdb:last")
    hold(shops.add(server.port, key).status == 201, "writes fail")
    return f"{whole} of 20 came to their end"
