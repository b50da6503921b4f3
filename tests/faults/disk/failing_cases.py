# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The disk answers a sync with an error. What it holds then is unknown, and a sync that succeeds later says nothing of
what was lost before: so nothing may be tried again."""

import time

from runner.case import case
from support.checks import hold

from . import shops


@case(
    injected="fdatasync fails with EIO once, then works again (preloaded library)",
    must_hold="that write is 500, all later ones 503, /readyz says why, reads show what was certain; a restart"
    " recovers",
)
def failing_sync(stand) -> str:
    return _fail(stand, "sync")


@case(
    injected="the synchronous write of LMDB's head fails with EIO once, its bytes already in the page cache",
    must_hold="that write is 500, all later ones 503, /readyz says why, reads show what was certain; a restart"
    " recovers",
)
def failing_head(stand) -> str:
    return _fail(stand, "head")


def _fail(stand, what: str) -> str:
    key = stand.make_key("lmdb:shop")
    switch = stand.directory / "failing"
    variables = {"LD_PRELOAD": str(stand.tools / "libfailing_disk.so"), "FAILING_DISK": str(switch)}
    server = stand.serve("lmdb:shop", variables=variables)
    shops.add_all(server.port, key, (f"Certain {number}" for number in range(1, 4)))

    # Written beside and renamed, so that no sync sees it empty. Quotas meet the fault as well, and live with it.
    beside = stand.directory / "beside"
    beside.write_text(what)
    beside.rename(switch)
    lost = shops.add(server.port, key, "Uncertain")
    hold(lost.status == 500, f"a write whose outcome is unknown is answered {lost.status}")
    switch.unlink()

    for _ in range(3):
        shops.hold_unavailable(shops.add(server.port, key))
    shops.hold_unavailable(server.request("DELETE", "/v1/pets/1", key))
    status, why = server.readiness()
    hold(status == 503 and "the disk failed" in why, f"/readyz: {status} {why}")
    answer = server.request("GET", "/v1/pets", key)
    hold(answer.status == 200, f"reads do not go on: {answer.status}")
    listed = [animal["name"] for animal in answer.json()]
    hold(listed == ["Certain 1", "Certain 2", "Certain 3"], f"reads show {listed}")
    time.sleep(1.5)  # the server looks at its store every second
    hold(server.readiness()[0] == 503, "it became ready again by itself")
    hold(server.stop() == 0, "it did not stop as usual")
    hold(server.logged("store_failed") == 1, "the log does not say once that the disk failed")

    again = stand.serve("lmdb:shop")
    names = [animal["name"] for animal in again.request("GET", "/v1/pets", key).json()]
    hold(names[:3] == listed, f"after a restart there are {names}")
    hold(shops.add(again.port, key).status == 201, "after a restart writes fail")
    hold(again.readiness()[0] == 200, "after a restart it is not ready")
    stand.run("check", "--store", "lmdb:shop")
    return f"the uncertain animal is {'there' if 'Uncertain' in names else 'gone'} after the restart"
