# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Clients that go on reading, adding and adopting animals, whatever happens behind the address they talk to, and count
what they would have noticed: every answer but the right one, every connection that ended under a request."""

import threading
from collections import Counter
from collections.abc import Iterator

from support.checks import wait_until
from support.http import Answer, Closed, Connection, trusting_anybody
from support.workers import Workers

CLIENTS = 8
REQUESTS_OF_A_CONNECTION = 25  # then a new one, so that connecting is tried as well
PAUSE_SECONDS = 0.002  # so that the processors are there for those who are tested
PAGE = 100
READ, ADD, ADOPT = "GET a page", "POST an animal", "POST an adoption of it"  # each perhaps at another node
FINE = (200, 201)


class Load:
    """Works from the beginning until `stop`. `is_encrypted`: over TLS, whose certificate is not looked at."""

    def __init__(self, stand, port: int, key: str, is_encrypted: bool = False):
        self.statuses: Counter[tuple[str, int]] = Counter()  # by step
        self.failures: list[str] = []
        self.added: set[str] = set()  # names
        self.adopted: set[int] = set()  # animals
        self._port = port
        self._key = key
        self._encryption = trusting_anybody() if is_encrypted else None
        self._lock = threading.Lock()
        self._clients = Workers(stand)
        for number in range(CLIENTS):
            self._clients.start(self._work, number)

    def stop(self) -> None:
        self._clients.stop()
        self._clients.check()

    def wait_for_answers(self, number: int, child=None) -> None:
        """So many more than there are now."""
        enough = self.answers + number
        wait_until(lambda: self.answers > enough, "the load stands still", child)

    @property
    def answers(self) -> int:
        return sum(self.statuses.values())

    @property
    def failed(self) -> int:
        return len(self.failures) + sum(n for (_, status), n in self.statuses.items() if status not in FINE)

    def faults(self, of: str = "") -> str:
        """What clients noticed, in all or of some steps; empty: nothing."""
        told = [f"{n} times {status} to {step}" for (step, status), n in self.statuses.items() if status not in FINE]
        return "; ".join(fault for fault in told + self.failures if of in fault)

    def doubles(self, ports: list[int]) -> str:
        """Afterwards: what is wrong with the animals and adoptions that the nodes have between them; empty: each that
        was acknowledged is there, once."""
        names, adoptions = Counter(), Counter()
        for port in ports:
            names.update(animal["name"] for animal in self._walk(port, "/v1/pets"))
            adoptions.update(order["petId"] for order in self._walk(port, "/v1/store/orders"))
        twice = [name for name, n in names.items() if n > 1 and name.startswith("Load ")]
        twice += [f"adoption of {animal}" for animal, n in adoptions.items() if n > 1]
        lost = sorted(self.added - names.keys()) + [f"adoption of {one}" for one in self.adopted - adoptions.keys()]
        return f"twice: {twice[:5]}, lost: {lost[:5]}" if twice or lost else ""

    def _walk(self, port: int, path: str) -> Iterator[dict]:
        with Connection(port) as connection:
            target = f"{path}?limit={PAGE}"
            while target:
                answer = connection.request("GET", target, self._key)
                yield from answer.json()
                link = answer.fields.get("link", "")
                target = link.split(">")[0].lstrip("<") if 'rel="next"' in link else ""

    def _work(self, client: int) -> None:
        number, step, animal = 0, READ, None
        while not self._clients.are_stopping:
            try:
                with Connection(self._port, encryption=self._encryption) as connection:
                    for number in range(number + 1, number + 1 + REQUESTS_OF_A_CONNECTION):
                        answer = self._ask(connection, step, f"Load {client}-{number}", animal)
                        animal = answer.json()["id"] if step == ADD and answer.status == 201 else None
                        step = ADD if step == READ else ADOPT if animal else READ
                        if self._clients.are_stopping or answer.fields.get("connection", "").lower() == "close":
                            break
                        self._clients.pause(PAUSE_SECONDS)
            except (Closed, OSError) as failure:
                with self._lock:
                    self.failures.append(f"{step}: {failure!r}")
                step = READ

    def _ask(self, connection: Connection, step: str, name: str, animal: int | None) -> Answer:
        if step == ADD:
            new = {"name": name, "categoryId": 1, "status": "available"}
            answer = connection.request("POST", "/v1/pets", self._key, new)
        elif step == ADOPT:
            answer = connection.request("POST", "/v1/store/orders", self._key, {"petId": animal})
        else:
            answer = connection.request("GET", "/v1/pets?limit=1", self._key)
        with self._lock:
            self.statuses[step, answer.status] += 1
            if answer.status == 201 and step == ADD:
                self.added.add(name)
            elif answer.status == 201 and animal is not None:
                self.adopted.add(animal)
        return answer
