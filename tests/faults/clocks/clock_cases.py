# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Clocks that are set, wrong, or far ahead. The service sees them through a preloaded library; the machine's stay."""

import time

from clocks.clocks import (
    DAY,
    HOUR,
    MINUTE,
    NOON,
    WRONG_YEAR,
    Clocks,
    ask,
    date_of,
    spend,
    unix,
    wait_asked_of,
)
from runner.case import case
from support.checks import hold, wait_until
from support.http import Connection, request

NEAR = 30  # seconds that a request takes on no machine
LOOK_SECONDS = 2  # the service looks at its clock twice a second
PER_DAY = 20
PLAN_BY_DAY = ("--plan", "enterprise", "--per-minute", "10000", "--per-day", str(PER_DAY))
PER_MINUTE = 5
PLAN_BY_MINUTE = ("--plan", "enterprise", "--per-minute", str(PER_MINUTE), "--per-day", "1000000")

# Where 31 and 32 bits of seconds end, a clock that was never set, and one beyond any of them.
EDGES = {
    "1970": unix("1970-01-01T00:00:15"),
    "2038": unix("2038-01-19T03:14:08"),
    "2106": unix("2106-02-07T06:28:16"),
    "2200": unix("2200-03-01T00:00:00"),
}


def hold_admitted(server, key: str, expected: int, what: str) -> None:
    """The key spends all that it has, which has to be that many."""
    admitted = spend(server.port, key)
    hold(admitted == expected, f"{what} admitted {admitted} and not {expected}")


def serve(stand, clocks: Clocks, *flags: str):
    return stand.serve("lmdb:shop", "--threads", "2", *flags, variables=clocks.variables)


@case(
    injected="the wall clock is set back and forth by seconds and by years under the running service",
    must_hold="set back it grants nothing, set forward past a midnight it opens one new day, and only once",
)
def clock_set_back_and_forth(stand) -> str:
    clocks = Clocks(stand, NOON)
    key = stand.make_key("lmdb:shop", *PLAN_BY_DAY)
    server = serve(stand, clocks, "--ban-strikes", "0")
    hold_admitted(server, key, PER_DAY, "a day")
    for back in (1, HOUR, DAY, 3 * DAY, 10_000 * DAY):
        clocks.set_wall(NOON - back)
        hold_admitted(server, key, 0, f"set back by {back} s, it")
        clocks.set_wall(NOON)
        hold_admitted(server, key, 0, f"set back by {back} s and right again, it")
    clocks.set_wall(NOON + DAY)
    hold_admitted(server, key, PER_DAY, "a new day")
    for wall in (NOON, NOON + DAY, NOON - DAY, NOON + DAY + HOUR):
        clocks.set_wall(wall)
        hold_admitted(server, key, 0, "a day that was used up")
    return "5 steps back, 1 day opened"


@case(
    injected="a service that runs in 2099 stores used-up quotas and a ban, and starts again in 2026",
    must_hold="no key waits longer than until midnight, no ban lasts longer than the longest, and both end",
)
def wrong_year_on_disk(stand) -> str:
    clocks = Clocks(stand, WRONG_YEAR)
    spent = stand.make_key("lmdb:shop", *PLAN_BY_DAY)
    banned = stand.make_key("lmdb:shop", *PLAN_BY_MINUTE)
    server = serve(stand, clocks, "--ban-strikes", "30", "--ban-grace", "0ms")
    hold_admitted(server, spent, PER_DAY, "a day")
    with Connection(server.port) as connection:
        answers = [connection.request("GET", "/v1/pets", banned) for _ in range(PER_MINUTE + 35)]
    hold(answers[-1].json()["code"] == "banned", "nobody was banned")
    hold(server.stop() == 0, "it did not stop in order")

    clocks.set_wall(NOON)
    server = serve(stand, clocks)
    until_midnight = wait_asked_of(server.port, spent)
    hold(0 < until_midnight <= 12 * HOUR, f"the key is to wait for {until_midnight} s")
    until_end = wait_asked_of(server.port, banned)
    hold(0 < until_end <= HOUR, f"the ban is to last {until_end} s")
    clocks.sleep(until_end)
    hold(ask(server.port, banned).status == 200, "the ban did not end")
    clocks.sleep(until_midnight)
    hold_admitted(server, spent, PER_DAY, "the next day")
    return f"waits of {until_midnight} s and {until_end} s"


@case(
    injected="the wall clock shows 2099 for a moment, in which a key uses up its day, and is set right again",
    must_hold="the key gets nothing for it, and is free again when the clock has been left alone for a day",
)
def wrong_year_for_a_moment(stand) -> str:
    clocks = Clocks(stand, NOON)
    key = stand.make_key("lmdb:shop", *PLAN_BY_DAY)
    server = serve(stand, clocks, "--ban-strikes", "0")
    clocks.set_wall(WRONG_YEAR)
    hold_admitted(server, key, PER_DAY, "a day")
    clocks.set_wall(NOON)
    hold_admitted(server, key, 0, "setting the clock right")

    def is_short_after_a_day() -> bool:
        clocks.sleep(DAY)
        end = time.monotonic() + LOOK_SECONDS
        while wait_asked_of(server.port, key) > DAY:
            if time.monotonic() > end:
                return False
        return True

    # So long as the service has not seen its clock set right, more days must pass.
    wait_until(is_short_after_a_day, "the key is to wait for more than a day")
    wait = wait_asked_of(server.port, key)
    hold(0 < wait <= DAY, f"the key is to wait for {wait} s")
    clocks.sleep(wait)
    hold_admitted(server, key, PER_DAY, "the next day")
    return f"a wait of {wait} s at last"


@case(
    injected="a machine without a battery starts in 1970 after a restart, and gets the time a while later",
    must_hold="it serves; no day is opened twice; an operator's ban of ten minutes ends after ten minutes",
)
def started_in_1970(stand) -> str:
    clocks = Clocks(stand, NOON)
    spent = stand.make_key("lmdb:shop", *PLAN_BY_DAY)
    other = stand.make_key("lmdb:shop")
    server = serve(stand, clocks, "--ban-strikes", "0")
    hold_admitted(server, spent, PER_DAY, "a day")
    stand.run("keys", "ban", "--store", "lmdb:shop", "k2", "--for", "10m", variables=clocks.variables)
    ban_end = clocks.wall() + 10 * MINUTE
    wait_until(lambda: ask(server.port, other).status == 429, "the operator's ban did not begin")
    hold(server.stop() == 0, "it did not stop in order")

    clocks.set_wall(5)
    server = serve(stand, clocks, "--ban-strikes", "0")
    hold_admitted(server, spent, 0, "the restart")
    answer = request(server.port, "GET", "/v1/pets")
    hold(answer.status == 401, f"a stranger is answered {answer.status} in 1970")
    clocks.set_wall(NOON + MINUTE)
    hold_admitted(server, spent, 0, "a day that was used up, at the right time,")
    wait_until(
        lambda: 0 < wait_asked_of(server.port, other) <= ban_end - clocks.wall() + NEAR,
        "the operator's ban is to last longer than ten minutes",
    )
    clocks.sleep(10 * MINUTE)
    hold(ask(server.port, other).status == 200, "the operator's ban did not end")
    return ""


@case(
    injected="a service starts in 2099, where an operator's ban is long over, and the clock is set right under it",
    must_hold="the ban holds from then on, and ends when it was meant to",
)
def started_in_a_wrong_year(stand) -> str:
    clocks = Clocks(stand, NOON)
    key = stand.make_key("lmdb:shop")
    stand.run("keys", "ban", "--store", "lmdb:shop", "k1", "--for", "10m", variables=clocks.variables)
    ban_end = clocks.wall() + 10 * MINUTE
    clocks.set_wall(WRONG_YEAR)
    server = serve(stand, clocks)
    hold(ask(server.port, key).status == 200, "a ban holds 73 years after its end")
    clocks.set_wall(NOON + MINUTE)
    wait_until(lambda: ask(server.port, key).status == 429, "the ban did not come back with the right time")
    wait = wait_asked_of(server.port, key)
    hold(0 < wait <= ban_end - clocks.wall() + NEAR, f"the ban is to last {wait} s more")
    clocks.sleep(wait)
    hold(ask(server.port, key).status == 200, "the ban did not end")
    return ""


@case(
    injected="eight hours of suspension: the boot and the wall clock go on, the monotonic one does not",
    must_hold="minutes and bans are over, each minute has its quota once, and open connections go on",
)
def suspended_and_resumed(stand) -> str:
    clocks = Clocks(stand, NOON)
    key = stand.make_key("lmdb:shop", *PLAN_BY_MINUTE)
    banned = stand.make_key("lmdb:shop")
    stand.run("keys", "ban", "--store", "lmdb:shop", "k2", "--for", "7h", variables=clocks.variables)
    server = serve(stand, clocks, "--ban-strikes", "0")
    with Connection(server.port) as open_connection:
        hold(open_connection.request("GET", "/v1/pets", key).status == 200, "the first request was refused")
        hold_admitted(server, key, PER_MINUTE - 1, "the minute")
        hold(ask(server.port, banned).status == 429, "the operator's ban does not hold")
        clocks.sleep(8 * HOUR)
        answer = open_connection.request("GET", "/v1/pets", key)
        hold(answer.status == 200, f"the open connection is answered {answer.status}")
        hold(abs(date_of(answer) - clocks.wall()) < NEAR, f"the Date is {answer.fields['date']}")
    hold_admitted(server, key, PER_MINUTE - 1, "the minute after the suspension")
    hold(ask(server.port, banned).status == 200, "the ban outlasted its time")
    return ""


@case(
    injected="clocks that pass the ends of 31 and of 32 bits of seconds, 1970, and 2200",
    must_hold="the service starts and serves, every time it tells is right, quotas, bans and expiries hold and end",
)
def every_year(stand) -> str:
    for name, edge in EDGES.items():
        pass_edge(stand, name, edge)
    return ", ".join(EDGES)


def pass_edge(stand, name: str, edge: int) -> None:
    clocks = Clocks(stand, edge - 10)
    store = f"lmdb:shop-{name}"

    by_minute = stand.make_key(store, *PLAN_BY_MINUTE, variables=clocks.variables)
    expiring = stand.make_key(store, "--plan", "pro", "--expires", "1h", variables=clocks.variables)
    server = stand.serve(store, "--threads", "2", "--ban-strikes", "0", variables=clocks.variables)
    hold_admitted(server, by_minute, PER_MINUTE, f"{name}: the minute")
    clocks.sleep(15)  # now past the edge
    hold_admitted(server, by_minute, 0, f"{name}: the edge")
    refused = ask(server.port, by_minute)
    told = {field: int(refused.fields[field]) for field in ("retry-after", "x-ratelimit-reset")}
    hold(0 < told["retry-after"] <= MINUTE, f"{name}: Retry-After is {told['retry-after']}")
    hold(abs(date_of(refused) - clocks.wall()) < NEAR, f"{name}: the Date is {refused.fields['date']}")
    until_reset = told["x-ratelimit-reset"] - date_of(refused)
    hold(abs(until_reset - told["retry-after"]) <= 2, f"{name}: Reset is {until_reset} s away")

    animal = request(server.port, "POST", "/v1/pets", expiring, {"name": "Rex", "categoryId": 1, "status": "available"})
    hold(animal.status == 201, f"{name}: an animal is answered {animal.status}")
    order = request(server.port, "POST", "/v1/store/orders", expiring, {"petId": animal.json()["id"]})
    made = unix(order.json()["createdAt"].removesuffix("Z")[:19])
    hold(abs(made - clocks.wall()) < NEAR, f"{name}: the order was made at {order.json()['createdAt']}")

    hold(server.stop() == 0, f"{name}: it did not stop in order")
    server = stand.serve(store, "--threads", "2", "--ban-strikes", "0", variables=clocks.variables)
    hold_admitted(server, by_minute, 0, f"{name}: a restart")
    clocks.sleep(MINUTE)
    hold_admitted(server, by_minute, PER_MINUTE, f"{name}: the next minute")
    hold(ask(server.port, expiring).status == 200, f"{name}: the key ended early")
    clocks.sleep(HOUR)
    hold(ask(server.port, expiring).status == 401, f"{name}: the key did not end")
    hold(server.stop() == 0, f"{name}: it did not stop in order")
