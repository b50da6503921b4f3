# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""How many instructions does a request cost? Exact, and the same on a busy machine, where times are neither.

The service runs under callgrind and answers a number of requests, then, in another run, twice as many. The difference
is what that number of requests costs: starting and ending are in both. Only the thread that answers counts, and only
in user mode, since valgrind does not see the kernel.
"""

import re
import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from .contest import Entrant, answer_bytes_of
from .processes import ServerFault
from .rounds import Client
from .rows import Row, request_text
from .service import start_service
from .table import align

REQUESTS = 8_000
_TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.MULTILINE)


def instructions_table(
    client: Client, rows: list[Row], variants: dict[str, Path], directory: Path, on_row: Callable[[str], None]
) -> str:
    if shutil.which("valgrind") is None:
        raise ServerFault("valgrind is not installed (Debian: apt-get install valgrind).")
    lines = [["instructions/request", *variants, *(f"/ {name}" for name in list(variants)[1:])]]
    for row in rows:
        if row.serving is None:
            continue
        on_row(row.title)
        counts = [instructions_per_request(client, row, program, directory) for program in variants.values()]
        gains = [f"{counts[0] / other:.3f}" for other in counts[1:]]
        lines.append([row.title, *(f"{count:,.0f}" for count in counts), *gains])
    return align(lines)


def instructions_per_request(client: Client, row: Row, program: Path, directory: Path) -> float:
    once, twice = (_count(client, row, program, directory, n) for n in (REQUESTS, 2 * REQUESTS))
    # The thread that answered is the one that did more; another one may have done most, before the first request.
    return max(twice[thread] - once.get(thread, 0) for thread in twice) / REQUESTS


def _count(client: Client, row: Row, program: Path, parent: Path, requests: int) -> dict[str, int]:
    """By thread, which valgrind numbers in the order in which they begin."""
    with tempfile.TemporaryDirectory(dir=parent) as name:
        directory = Path(name)
        callgrind = ("valgrind", "--tool=callgrind", "--separate-threads=yes", "--callgrind-out-file=counts")
        with ExitStack() as stack:
            service = start_service(stack, program, directory, None, row.serving, under=callgrind)
            request = request_text(row, service.keys)
            answer_bytes = answer_bytes_of(service.server, request, row.status)
            entrant = Entrant(row.title, service.server, request, answer_bytes, row.depth, row.status)
            client.load(entrant, "--requests", requests)
        # It has ended, and written a file for each thread.
        files = directory.glob("counts-*")
        totals = {file.name: int(match[1]) for file in files if (match := _TOTAL.search(file.read_text()))}
        if not totals:
            raise ServerFault("callgrind has counted nothing.")
        return totals
