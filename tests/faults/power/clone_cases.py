# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The power goes while the service writes: a disk is copied in one call, and the copy is what is left.

The store lies on an ext4 filesystem, whose disk is a file on a filesystem with reflinks. FICLONE makes a second file of
the same blocks while nobody can write to the first: what ext4 has handed to its disk by then is in the clone, what it
still holds in memory is not. (The clone also has what the disk was given and not yet told to flush: FICLONE writes that
file's own cached pages out. A disk may lose those too; replay_cases.py takes them away.) Mounting the clone replays the
journal of ext4, as after a power cut."""

import fcntl
import os
import random
import time
from pathlib import Path

from runner.case import case
from support.checks import find_program, hold
from support.processes import run

from .acknowledged import Acknowledged
from .clients import BusyShop
from .image import make_filesystem, mount, unmount
from .judgement import Lost, judge

FICLONE = 0x40049409  # linux/fs.h

REFLINK_FILESYSTEM_BYTES = 400 << 20  # sparse; mkfs.xfs wants 300 MiB at least
DISK_BYTES = 128 << 20
CLONES = 8
PROGRESS_BETWEEN_CLONES = 30  # acknowledged records, at least
NEEDS = ("root", "mkfs.xfs", "mkfs.ext4", "mount", "umount")


@case(
    injected="eight power cuts (the disk is cloned, the clone mounted) while clients write and keys are made",
    must_hold="every acknowledged animal, order, key and idempotency record is in each clone, and they agree",
    needs=NEEDS,
)
def cloned_while_writing(stand) -> str:
    return _cut_and_judge(stand, preload=())


@case(
    injected="the same power cuts, and a program that never waits for the disk",
    must_hold="the test notices: records are missing, or the store cannot be read",
    needs=NEEDS,
)
def cloned_without_syncing(stand) -> str:
    try:
        _cut_and_judge(stand, preload=("liblying_disk.so",))
    except Lost as lost:
        return f"noticed: {lost}"
    hold(False, "nothing was missing, so the test with syncing proves nothing")


def _cut_and_judge(stand, preload: tuple[str, ...]) -> str:
    reflinks, disk = stand.directory / "reflinks", stand.directory / "disk"
    make_filesystem(stand.directory / "reflinks.xfs", REFLINK_FILESYSTEM_BYTES, "mkfs.xfs", "-q", "-m", "reflink=1")
    mount(stand, stand.directory / "reflinks.xfs", reflinks)
    make_filesystem(reflinks / "disk.ext4", DISK_BYTES, "mkfs.ext4", "-q")
    mount(stand, reflinks / "disk.ext4", disk)

    store = f"lmdb:{disk}/shop"
    noted = Acknowledged(now=time.monotonic_ns)
    noted.note_key("k1", stand.make_key(store))
    # So that all that can be missing is what was acknowledged from here on.
    run(find_program("sync"), "--file-system", disk)

    variables = {"LD_PRELOAD": " ".join(str(stand.tools / library) for library in preload)} if preload else {}
    server = stand.serve(store, variables=variables)
    shop = BusyShop(stand, server, store, noted.keys[0].secret, noted, variables)
    cuts = [_clone(shop, noted, reflinks / "disk.ext4", reflinks / f"cut-{number}.ext4") for number in range(CLONES)]
    shop.stop()
    server.stop()

    for image, cut_at in cuts:
        at = stand.directory / image.stem
        mount(stand, image, at)
        judge(stand, f"lmdb:{at}/shop", noted, cut_at)
        unmount(at)
    return f"{len(cuts)} clones, {noted.count()} acknowledged records"


def _clone(shop: BusyShop, noted: Acknowledged, image: Path, clone: Path) -> tuple[Path, int]:
    """At a random moment after some progress; and the moment."""
    shop.wait_for_records(noted.count() + PROGRESS_BETWEEN_CLONES)
    time.sleep(random.uniform(0, 0.3))
    with open(image, "rb") as source, open(clone, "xb") as target:
        cut_at = noted.now()
        fcntl.ioctl(target.fileno(), FICLONE, source.fileno())
        # The clone lies on a filesystem of its own, which is not what loses power.
        os.fsync(target.fileno())
    return clone, cut_at
