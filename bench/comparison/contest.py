# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Who takes part: every row with the server it asks and the floor it is held against, all started and checked."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from .nginx import find_nginx, start_nginx
from .processes import ServerFault
from .rows import Row, Serving, head_text, request_text
from .servers import Server, ask, start_floor
from .service import Service, start_service

TRIES_UNTIL_STATUS = 5
# Answers of nearly one size share a floor: so few more bytes cost nothing that can be measured, and the floor sends them.
FLOOR_STEP_BYTES = 64


@dataclass(frozen=True)
class Entrant:
    """One that is measured in each round."""

    title: str
    server: Server
    request: bytes
    answer_bytes: int
    depth: int
    status: int


@dataclass(frozen=True)
class Contender:
    """A row as one build of the service (or nginx) answers it, and the floor with an answer as large."""

    row: Row
    variant: str  # "nginx", or the build's name
    entrant: Entrant
    floor: Entrant


class Contest:
    """Starts what the rows need. Ends with `stack`, and so do the servers."""

    def __init__(self, stack: ExitStack, directory: Path, floor_program: Path, core: int):
        self._stack = stack
        self._directory = directory
        self._floor_program = floor_program
        self._core = core
        self._services: dict[tuple[str, Serving, bool], Service] = {}
        self._floors: dict[tuple[int, int], Entrant] = {}
        self.contenders: list[Contender] = []

    def entrants(self) -> list[Entrant]:
        return [*self._floors.values(), *(c.entrant for c in self.contenders)]

    def enter_service(self, row: Row, variant: str, program: Path) -> None:
        service = self._service(row, variant, program)
        request = request_text(row, service.keys)
        answer_bytes = answer_bytes_of(service.server, request, row.status)
        entrant = Entrant(f"{variant}: {row.title}", service.server, request, answer_bytes, row.depth, row.status)
        self._enter(row, variant, entrant)

    def enter_nginx(self, row: Row, like: Row, variant: str, program: Path) -> bool:
        """With as many bytes as the service's answer to `like`. False when there is no nginx."""
        nginx = find_nginx()
        if nginx is None:
            return False
        service = self._service(like, variant, program)
        request = request_text(like, service.keys)
        wanted = answer_bytes_of(service.server, request, like.status)
        server = start_nginx(self._stack, nginx, self._new_directory("nginx"), self._core, request, wanted)
        answer_bytes = answer_bytes_of(server, request, row.status)
        self._enter(row, "nginx", Entrant(row.title, server, request, answer_bytes, row.depth, row.status))
        return True

    def _enter(self, row: Row, variant: str, entrant: Entrant) -> None:
        self.contenders.append(Contender(row, variant, entrant, self._floor(entrant)))

    def _service(self, row: Row, variant: str, program: Path) -> Service:
        """A row that writes has a shop of its own, so that the others read one that stays as it is."""
        serving, writes = row.serving, row.body is not None
        if (variant, serving, writes) not in self._services:
            name = f"{variant}-{serving.name.lower()}{'-written' if writes else ''}"
            directory = self._new_directory(name.replace("/", "-"))
            service = start_service(self._stack, program, directory, self._core, serving)
            self._services[variant, serving, writes] = service
        return self._services[variant, serving, writes]

    def _floor(self, entrant: Entrant) -> Entrant:
        size = -(-entrant.answer_bytes // FLOOR_STEP_BYTES) * FLOOR_STEP_BYTES
        depth = entrant.depth
        if (size, depth) not in self._floors:
            directory = self._new_directory(f"floor-{size}-{depth}")
            server = start_floor(self._stack, self._floor_program, directory, self._core, size)
            title = f"floor, {size} bytes" + (f", {depth} at once" if depth > 1 else "")
            self._floors[size, depth] = Entrant(title, server, head_text(entrant.request), size, depth, 200)
        return self._floors[size, depth]

    def _new_directory(self, name: str) -> Path:
        directory = self._directory / name
        directory.mkdir()
        return directory


def answer_bytes_of(server: Server, request: bytes, status: int) -> int:
    """How long an answer with this status is. A small quota first has to be used up."""
    for _ in range(TRIES_UNTIL_STATUS):
        answer = ask(server, request)
        if answer.startswith(b"HTTP/1.1 %d " % status):
            return len(answer)
    raise ServerFault(f"a request that is to be answered {status} was answered:\n{answer.decode(errors='replace')}")
