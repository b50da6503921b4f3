# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The clock of Redis, by which all nodes count, is set."""

from clocks.clocks import DAY, HOUR, NOON, Clocks
from runner.case import case
from support.checks import hold, wait_until
from support.http import Connection
from support.redis import Redis

from .audit import ADMITTED, REFUSALS_ENOUGH, REFUSED, hold_bound, start_attack
from .shops import NODES, PLENTY, Shop

NEEDS = ("postgres", "redis-server", "redis-cli")
PER_DAY = 300
PER_MINUTE = 30_000  # what clients take some seconds for
ANSWERS_BETWEEN_STEPS = 200
# Where the clock is set, one after the other: no two of the minutes that it opens end at one time.
LEADS = (120, 30, HOUR, HOUR - 600, -HOUR, DAY, 240)


def start(stand) -> tuple[Clocks, Shop]:
    clocks = Clocks(stand, NOON)
    return clocks, Shop(stand, Redis(stand, variables=clocks.variables).uri)


@case(
    injected="the clock of Redis is set back and forth by up to a day while clients ask three nodes as hard as they can",
    must_hold="nothing is admitted beyond the quota in any minute that was announced, and the nodes count on",
    needs=NEEDS,
)
def clock_of_redis_set_under_attack(stand) -> str:
    clocks, shop = start(stand)
    audit, (key,) = start_attack(stand, shop, PER_MINUTE)
    wait_until(lambda: audit.count(key.secret, ADMITTED) > ANSWERS_BETWEEN_STEPS, "nothing is admitted")
    for lead in LEADS:
        clocks.set_wall(NOON + lead)
        audit.wait_for_answers(key.secret, ANSWERS_BETWEEN_STEPS)
    audit.wait_for_refusals(key.secret, REFUSALS_ENOUGH)
    audit.stop()
    found = audit.find(key.secret, PER_MINUTE)
    hold(set(found.statuses) <= {ADMITTED, REFUSED}, f"answers {dict(found.statuses)}")
    told = hold_bound(found, PER_MINUTE, "key")
    return f"{told}, {len(found.periods)} minutes announced, {found.admitted} admitted in all"


@case(
    injected="the clock of Redis is set back by up to a day, and forward past a midnight, when a day's quota is used up; a node "
    "that knows nothing asks after each step",
    must_hold="set back it grants nothing, set forward it opens one new day, and only once",
    needs=NEEDS,
)
def clock_of_redis_set_past_a_day(stand) -> str:
    clocks, shop = start(stand)
    key = shop.make_key(PLENTY, PER_DAY)
    fresh = NODES - 1

    def grants() -> int:
        """To a node that has just started."""
        shop.restart(fresh)
        wait_until(lambda: shop.servers[fresh].knows(key.secret), "a node does not know the key")
        with Connection(shop.servers[fresh].port) as connection:
            for admitted in range(2 * PER_DAY):
                if connection.request("HEAD", "/v1/pets?limit=1", key.secret).status != ADMITTED:
                    return admitted
        return 2 * PER_DAY

    hold(grants() == PER_DAY, "the day is not granted")
    for wall in (NOON - 30, NOON - HOUR, NOON - DAY, NOON):
        clocks.set_wall(wall)
        admitted = grants()
        hold(admitted == 0, f"set to {wall - NOON} s, it grants {admitted}")
    clocks.set_wall(NOON + DAY)
    admitted = grants()
    hold(admitted == PER_DAY, f"a new day grants {admitted}")
    for wall in (NOON, NOON + HOUR, NOON + DAY):
        clocks.set_wall(wall)
        admitted = grants()
        hold(admitted == 0, f"set to {wall - NOON} s, it grants {admitted} of a day that was used up")
    return "1 day opened"
