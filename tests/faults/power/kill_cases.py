# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The process ends without a warning. (That proves nothing about the disk: the kernel still has what was written.)"""

import threading

from stand.case import case, hold
from stand.http import Closed, Connection, request

WRITERS = 8
ANSWERS_BEFORE_KILL = 200


@case(
    injected="SIGKILL while eight clients add animals",
    must_hold="the next start serves at once, and every animal that was answered 201 is there",
)
def killed_while_writing(stand) -> str:
    key = stand.make_key("lmdb:shop")
    server = stand.serve("lmdb:shop")
    acknowledged: dict[str, str] = {}
    enough = threading.Event()

    def add(writer: int) -> None:
        try:
            with Connection(server.port) as connection:
                for number in range(100_000):
                    name = f"Animal {writer}-{number}"
                    answer = connection.request("POST", "/v1/pets", key, {"name": name, "categoryId": 1})
                    if answer.status == 201:
                        acknowledged[answer.fields["location"]] = name
                    if len(acknowledged) >= ANSWERS_BEFORE_KILL:
                        enough.set()
        except (Closed, OSError):
            pass  # killed, as it is meant to be

    writers = [threading.Thread(target=add, args=(writer,)) for writer in range(WRITERS)]
    for writer in writers:
        writer.start()
    hold(enough.wait(180), "the writers got no answers")
    server.child.kill()
    for writer in writers:
        writer.join()

    again = stand.serve("lmdb:shop")
    for location, name in acknowledged.items():
        answer = request(again.port, "GET", location, key)
        hold(answer.status == 200 and answer.json()["name"] == name, f"{location} is {answer.status}, not {name}")
    return f"{len(acknowledged)} animals"
