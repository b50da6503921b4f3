# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Bytes of the store's file are turned over, as a disk or a cable does it."""

from pathlib import Path

from runner.case import case
from support.checks import hold

from . import shops

PAGE = 4096


@case(
    injected="a byte is turned over in the record of one animal",
    must_hold="that animal is 500 and named in the log, all others are served, lists included; check names it too",
)
def damaged_record(stand) -> None:
    key = stand.make_key("lmdb:shop")
    _fill(stand, key, 50)
    _turn_over(stand.directory / "shop/data.mdb", b"Animal 17,")

    said = stand.run("check", "--store", "lmdb:shop", code=1)
    hold("pets: record 17 of pets is damaged" in said, f"check says: {said}")
    server = stand.serve("lmdb:shop")
    for pet in range(1, 51):
        status = server.request("GET", f"/v1/pets/{pet}", key).status
        hold(status == (500 if pet == 17 else 200), f"animal {pet} is answered {status}")
    answer = server.request("GET", "/v1/pets?limit=100", key)
    hold(answer.status == 200, f"the list is answered {answer.status}")
    listed = [animal["id"] for animal in answer.json()]
    hold(listed == [pet for pet in range(1, 51) if pet != 17], f"the list has {listed}")
    changed = server.request("PATCH", "/v1/pets/17", key, {"name": "Max"})
    hold(changed.status == 500, f"a change of a damaged record is answered {changed.status}")
    hold(shops.add(server.port, key).status == 201, "other writes fail")
    hold(server.readiness()[0] == 200, "one damaged record makes it not ready")
    hold("record 17 of pets is damaged" in server.child.errors(), "the log does not name the record")
    stand.run("backup", "--store", "lmdb:shop", "--output", "copy", code=1)
    hold(not (stand.directory / "copy").exists(), "there is a copy of a damaged store")


@case(
    injected="a page of animals is overwritten with zeros",
    must_hold="what is on it is 500, everything else is served, the process goes on, the log says what; check names the"
    " page",
)
def damaged_page(stand) -> str:
    key = stand.make_key("lmdb:shop")
    _fill(stand, key, 400)
    file = stand.directory / "shop/data.mdb"
    at = file.read_bytes().rindex(b"Animal 200,") // PAGE * PAGE
    with open(file, "r+b") as data:
        data.seek(at)
        data.write(bytes(PAGE))

    said = stand.run("check", "--store", "lmdb:shop", code=1)
    hold(f"pets: page {at // PAGE} " in said, f"check says: {said}")
    server = stand.serve("lmdb:shop")
    statuses = [server.request("GET", f"/v1/pets/{pet}", key).status for pet in range(1, 401)]
    hold(set(statuses) == {200, 500}, f"animals are answered {set(statuses)}")
    hold(statuses.count(500) < 100, f"{statuses.count(500)} of 400 animals are not served")
    hold(server.request("GET", "/v1/store/orders", key).status == 200, "orders are not served")
    hold(shops.add(server.port, key).status == 201, "a page that is damaged keeps others from being written")
    hold(server.child.is_running, "the server is gone")
    hold('"store_damaged"' in server.child.errors(), "the log does not say that the file is damaged")
    return f"{statuses.count(500)} of 400 animals not served"


@case(
    injected="each of the two heads of the file in turn has a byte turned over",
    must_hold="the server refuses to start and says why, or starts and serves; it is not ended by a signal",
)
def damaged_head(stand) -> str:
    key = stand.make_key("lmdb:shop")
    _fill(stand, key, 20)
    file = stand.directory / "shop/data.mdb"
    whole = file.read_bytes()
    refused = 0
    for at in (*range(8, 152, 5), *range(PAGE + 8, PAGE + 152, 5)):
        spoilt = bytearray(whole)
        spoilt[at] ^= 0x41
        file.write_bytes(spoilt)
        done = stand.try_run("keys", "list", "--store", "lmdb:shop")
        hold(done.returncode in (0, 1, 2), f"byte {at} ended the program: {done.returncode}")
        checked = stand.try_run("check", "--store", "lmdb:shop")
        hold(checked.returncode in (0, 1, 2), f"byte {at} ended the check: {checked.returncode}")
        refused += done.returncode != 0
    file.write_bytes(whole)
    stand.run("check", "--store", "lmdb:shop")
    return f"{refused} of 58 refused"


def _fill(stand, key: str, count: int) -> None:
    server = stand.serve("lmdb:shop")
    shops.add_all(server.port, key, (f"Animal {pet}, {'.' * 40}" for pet in range(1, count + 1)))
    server.stop()


def _turn_over(file: Path, text: bytes) -> None:
    """In every page that holds the text: which of them is in use the file alone knows."""
    data = file.read_bytes()
    at = data.find(text)
    with open(file, "r+b") as out:
        while at >= 0:
            out.seek(at)
            out.write(b"B")
            at = data.find(text, at + 1)
