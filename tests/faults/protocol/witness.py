# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What the service saw of the requests that went through a proxy, by its access log."""

import json
from collections import Counter
from pathlib import Path

from support.checks import wait_until

from .message import REFUSALS


class Witness:
    """Reads the access log once the line of the last request is in it."""

    def __init__(self, access_log: Path, last_id: str):
        wait_until(lambda: f'"{last_id}"' in access_log.read_text(), f"the access log does not mention {last_id}")
        text, _, _ = access_log.read_text().rpartition("\n")  # the last line may be half written
        self._lines = [json.loads(line) for line in text.split("\n") if line]

    def requests(self) -> Counter[str]:
        """The ids of what was understood as requests, be it the service that made them."""
        return Counter(line["request_id"] for line in self._lines if line.get("error") not in REFUSALS.values())

    def statuses(self) -> Counter[int]:
        return Counter(line["status"] for line in self._lines)
