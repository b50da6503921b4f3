# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The process ends without a warning. (That proves nothing about the disk: the kernel still has what was written.)"""

from runner.case import case
from support.checks import hold, wait_until
from support.http import Closed, Connection
from support.workers import Workers

WRITERS = 8
ANSWERS_BEFORE_KILL = 200


@case(
    injected="SIGKILL while eight clients add animals",
    must_hold="the next start serves at once, and every animal that was answered 201 is there",
)
def killed_while_writing(stand) -> str:
    server, key = stand.serve_with_key()
    acknowledged: dict[str, str] = {}

    def add(writer: int) -> None:
        try:
            with Connection(server.port) as connection:
                for number in range(100_000):
                    name = f"Animal {writer}-{number}"
                    answer = connection.request("POST", "/v1/pets", key, {"name": name, "categoryId": 1})
                    if answer.status == 201:
                        acknowledged[answer.fields["location"]] = name
        except (Closed, OSError):
            pass  # killed, as it is meant to be

    writers = Workers(stand)
    for writer in range(WRITERS):
        writers.start(add, writer)
    wait_until(lambda: len(acknowledged) >= ANSWERS_BEFORE_KILL, "the writers got no answers")
    server.child.kill()
    writers.stop()

    again = stand.serve("lmdb:shop")
    for location, name in acknowledged.items():
        answer = again.request("GET", location, key)
        hold(answer.status == 200 and answer.json()["name"] == name, f"{location} is {answer.status}, not {name}")
    return f"{len(acknowledged)} animals"
