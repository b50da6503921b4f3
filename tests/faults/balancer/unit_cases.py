# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The units in deploy/systemd: what their README says of restarts."""

import json

from secrecy.machine import NEEDS, SERVICE, Machine
from runner.case import case
from support.checks import hold, wait_until
from support.http import request
from support.ports import free_port

from .load import Load

RESTARTS = 3
CONFIGURATION = """\
listen = "127.0.0.1:0"
admin_listen = "127.0.0.1:0"
store = "lmdb:/var/lib/petstore"
access_log = "/var/log/petstore/access.log"
threads = 2
drain_delay = "1s"
"""
MANY_REQUESTS = "--plan enterprise --per-minute 16000000 --per-day 16000000"


@case(
    injected=f"`systemctl restart` of the unit, {RESTARTS} times, while eight clients connect, read and add, and"
    " systemd holds the socket as the socket unit says",
    must_hold="no client is refused, no connection is reset under a request, and no animal is lost or there twice",
    needs=NEEDS,
)
def restarted_by_systemd(stand) -> str:
    port = free_port()
    machine = Machine(stand, CONFIGURATION, socket_port=port)
    machine.wait_until_active()
    hold(machine.ports()[0] == port, "the service does not listen on the socket that systemd holds")
    key = json.loads(machine.run(f"keys create --store lmdb:/var/lib/petstore --json {MANY_REQUESTS}"))["key"]
    wait_until(lambda: request(port, "GET", "/v1/quota", key).status == 200, "the key does not work")
    load = Load(stand, port, key)
    for _ in range(RESTARTS):
        load.wait_for_answers(100)
        machine.control("restart", SERVICE)
    load.wait_for_answers(100)
    load.stop()
    hold(not load.faults(), load.faults() + machine.told())
    doubles = load.doubles([port])
    hold(not doubles, doubles)
    return f"{load.answers:,} requests, 0 failed"
