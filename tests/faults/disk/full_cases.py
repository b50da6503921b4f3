# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""There is no room: on the disk, or in the map of the store."""

import os

from runner.case import case
from support.checks import hold, wait_until
from support.http import Connection

from . import shops

READERS_OF_A_PAGE = 60  # of 64 bytes each, behind the head of the list


@case(
    injected="the filesystem with the store, its quotas and the log is full (tmpfs, filled by a file)",
    must_hold="writes are 503 with Retry-After, reads go on and are charged, /readyz says why; with room again all"
    " heals by itself, and what was charged meanwhile is kept",
    needs=("root", "mount", "umount"),
)
def full_disk(stand) -> str:
    disk = stand.directory / "disk"
    shops.mount_memory(stand, disk, "24m")
    store = f"lmdb:{disk}/shop"
    key = stand.make_key(store)
    flags = ("--log-file", str(disk / "log"))
    server = stand.serve(store, *flags)
    hold(shops.add(server.port, key).status == 201, "the shop does not work")
    ballast = shops.fill(disk)

    refused = 0
    for _ in range(200):
        answer = shops.add(server.port, key, shops.LONG_NAME)
        if answer.status != 201:
            shops.hold_unavailable(answer)
            refused += 1
    hold(refused > 0, "200 animals found room on a full disk")
    hold(server.request("GET", "/v1/pets/1", key).status == 200, "reads do not go on")
    status, why = server.readiness()
    hold(status == 503 and "the store cannot take requests: " in why, f"/readyz: {status} {why}")
    with Connection(server.port) as connection:
        before = connection.request("GET", "/v1/quota", key).json()
        for _ in range(50):
            hold(connection.request("GET", "/v1/pets", key).status == 200, "lists do not go on")
        after = connection.request("GET", "/v1/quota", key).json()
    hold(after != before, "what is read is not charged")
    hold(server.child.is_running, "the server is gone")

    ballast.unlink()
    wait_until(lambda: server.readiness()[0] == 200, "with room again it does not become ready by itself")
    hold(shops.add(server.port, key, shops.LONG_NAME).status == 201, "with room again writes fail")
    hold(server.stop() == 0, "it did not stop as usual")

    log = (disk / "log").read_text()
    hold('"store_recovered"' in log, "the log does not say that there is room again")
    hold(log.count('"quota_write_failed"') <= 1, "quotas that cannot be written are logged more than once")
    again = stand.serve(store, *flags)
    kept = again.request("GET", "/v1/quota", key).json()
    hold(kept["day"]["used"] >= after["day"]["used"], f"charges were lost: {kept['day']} after {after['day']}")
    stand.run("check", "--store", store)
    return f"{refused} of 200 writes refused"


@case(
    injected="a server is started on a full filesystem (tmpfs), where the first page of the list of readers is taken",
    must_hold="it starts, and its threads read; none is ended by a signal because the list of readers cannot grow",
    needs=("root", "mount", "umount"),
)
def start_on_full_disk(stand) -> str:
    disk = stand.directory / "disk"
    shops.mount_memory(stand, disk, "16m")
    store = f"lmdb:{disk}/shop"
    key = stand.make_key(store)
    first = stand.serve(store)
    shops.add_all(first.port, key, [shops.LONG_NAME] * 60)
    first.stop()
    for reader in range(READERS_OF_A_PAGE):
        shops.start_reader(stand, store, f"reader{reader}")
    shops.fill(disk)

    server = stand.serve(store, "--threads", "80")
    connections = [Connection(server.port) for _ in range(400)]
    try:
        for connection in connections:
            answer = connection.request("GET", "/v1/pets/1", key)
            hold(answer.status == 200, f"a read is answered {answer.status}")
    finally:
        for connection in connections:
            connection.close()
    hold(server.child.is_running, "the server is gone")
    return f"{READERS_OF_A_PAGE} readers beside it"


@case(
    injected="the map of the store is full (--store-size 1MiB)",
    must_hold="writes are 503 with Retry-After, reads go on, /readyz says why; deletions pass, and make room, and the"
    " store is ready again by itself",
)
def full_map(stand) -> str:
    server, key = stand.serve_with_key("--store-size", "1MiB")
    count, refusal = shops.add_until_refused(server.port, key)
    shops.hold_unavailable(refusal)
    hold(server.request("GET", "/v1/pets/1", key).status == 200, "reads do not go on")
    status, why = server.readiness()
    hold(status == 503 and "hardly any free space" in why, f"/readyz: {status} {why}")
    wait_until(lambda: server.logged("store_full") == 1, "the log does not say once that the store is full")

    for pet in range(1, count + 1):
        answer = server.request("DELETE", f"/v1/pets/{pet}", key)
        hold(answer.status == 204, f"in a full map, animal {pet} of {count} cannot be deleted: {answer.status}")
    wait_until(lambda: server.readiness()[0] == 200, "with room again it does not become ready by itself")
    hold(shops.add(server.port, key, shops.LONG_NAME).status == 201, "with room again writes fail")
    return f"{count} animals added and deleted"


@case(
    injected="the map of the store is full, and the server is started anew with a larger one",
    must_hold="everything is there, and writes succeed; a key can be revoked even while the map is full",
)
def larger_map(stand) -> None:
    server, key = stand.serve_with_key("--store-size", "1MiB")
    count, _ = shops.add_until_refused(server.port, key)
    other = stand.make_key("lmdb:shop")
    stand.run("keys", "revoke", "--store", "lmdb:shop", "k2")
    wait_until(
        lambda: server.request("GET", "/v1/pets/1", other).status == 401, "a revoked key goes on working"
    )
    server.stop()

    again = stand.serve("lmdb:shop", "--store-size", "4MiB")
    hold(again.readiness()[0] == 200, "a larger map does not help")
    hold(again.request("GET", f"/v1/pets/{count}", key).status == 200, "the last animal is gone")
    for _ in range(count // 4):
        hold(shops.add(again.port, key, shops.LONG_NAME).status == 201, "writes fail in a larger map")
    stand.run("check", "--store", "lmdb:shop")


@case(
    injected="the log's destination takes nothing (/dev/full)",
    must_hold="the service goes on, and counts the lines that are lost",
)
def full_log(stand) -> None:
    server, key = stand.serve_with_key("--log-file", "/dev/full", "--access-log", "log")
    for _ in range(20):
        hold(shops.add(server.port, key).status == 201, "without a log writes fail")
    hold(os.path.exists("/dev/full"), "there is no /dev/full")
    wait_until(
        lambda: server.metric("petstore_log_writes_failed_total") > 0, "lost lines are not counted in the metrics"
    )
    hold(server.readiness()[0] == 200, "without a log it is not ready")
