# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The clocks that a case sets under the running program, and clients that spend what they have."""

import mmap
import struct
import time
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

from support.http import Answer, Connection, request

MINUTE = 60
HOUR = 60 * MINUTE
DAY = 24 * HOUR
NOTICED_WITHIN_SECONDS = 0.05  # a request that comes a millisecond after a clock was set sees it


def unix(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp())


NOON = unix("2026-06-15T12:00:00")
WRONG_YEAR = unix("2099-07-04T06:00:00")


class Clocks:
    """`variables` makes a program see them. The boot clock goes on from where the machine's is."""

    def __init__(self, stand, wall: int):
        path = stand.directory / "clocks"
        path.write_bytes(bytes(16))
        with path.open("r+b") as file:
            self._leads = mmap.mmap(file.fileno(), 16)
        self.variables = {"LD_PRELOAD": str(stand.tools / "libset_clocks.so"), "SET_CLOCKS_FILE": str(path)}
        self.set_wall(wall)

    def set_wall(self, to: int) -> None:
        """As somebody does who sets the time: the boot clock takes no notice."""
        struct.pack_into("<q", self._leads, 0, to * 1_000_000_000 - time.time_ns())
        time.sleep(NOTICED_WITHIN_SECONDS)

    def wall(self) -> float:
        """What it shows."""
        return time.time() + struct.unpack_from("<q", self._leads, 0)[0] / 1_000_000_000

    def sleep(self, seconds: int) -> None:
        """The machine is suspended for so long: both clocks go on meanwhile, the monotonic one does not."""
        wall, boot = struct.unpack_from("<qq", self._leads, 0)
        struct.pack_into("<qq", self._leads, 0, wall + seconds * 1_000_000_000, boot + seconds * 1_000_000_000)
        time.sleep(NOTICED_WITHIN_SECONDS)


def ask(port: int, key: str) -> Answer:
    return request(port, "GET", "/v1/pets", key)


def spend(port: int, key: str, at_most: int = 100) -> int:
    """Asks until it is refused; how often it was not."""
    with Connection(port) as connection:
        for admitted in range(at_most):
            if connection.request("GET", "/v1/pets", key).status == 429:
                return admitted
    return at_most


def wait_asked_of(port: int, key: str) -> int:
    """The Retry-After of a refusal, 0 of an answer."""
    return int(ask(port, key).fields.get("retry-after", 0))


def date_of(answer: Answer) -> int:
    return int(parsedate_to_datetime(answer.fields["date"]).timestamp())
