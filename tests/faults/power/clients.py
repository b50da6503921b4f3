# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A busy shop: clients that add, order, advance and remove animals, and an operator who makes and revokes keys."""

import json
import random

from support.checks import Broken, wait_until
from support.http import Connection
from support.workers import Workers

from .acknowledged import Acknowledged

CLIENTS = 8
RECORDS_WITHIN_THE_LIMIT = 30  # that the slowest machine acknowledges
NEXT_STATUS = {"placed": ("approved", "approved", "cancelled"), "approved": ("delivered", "cancelled")}


class BusyShop:
    """Works from the beginning until `stop`, which finishes what was begun."""

    def __init__(self, stand, server, store: str, key: str, noted: Acknowledged, variables: dict[str, str]):
        self._stand = stand
        self._port = server.port
        self._store = store
        self._key = key
        self._noted = noted
        self._variables = variables
        self._wanted: int | None = None  # the animal that everybody wants: one gets it
        self._workers = Workers(stand)
        for client in range(CLIENTS):
            self._workers.start(self._work, client)
        self._workers.start(self._make_keys)

    def stop(self) -> None:
        self._workers.stop()
        self._workers.check()

    def wait_for_records(self, enough: int) -> None:
        """Until so many are acknowledged in all."""
        progress = range(self._noted.count(), enough, RECORDS_WITHIN_THE_LIMIT)
        for number in [*progress, enough]:
            wait_until(lambda: self._workers.have_failed or self._noted.count() >= number, "the clients get no answers")
        self._workers.check()

    def _work(self, client: int) -> None:
        dice = random.Random(client)
        with Connection(self._port) as connection:
            number = 0
            while not self._workers.are_stopping:
                number += 1
                animal = self._add_animal(connection, f"{client}-{number}", repeatable=number % 2 == 0)
                if dice.random() < 0.2:
                    self._wanted = animal
                if dice.random() < 0.1:
                    self._remove(connection, animal)
                elif dice.random() < 0.7:
                    self._adopt(connection, animal, f"{client}-{number}", dice)
                if self._wanted is not None and dice.random() < 0.5:
                    self._adopt(connection, self._wanted, f"{client}-{number}-wanted", dice)

    def _request(self, connection: Connection, method: str, target: str, body: bytes | None, **fields: str):
        answer = connection.request(method, target, self._key, body, **fields)
        self._noted.note_answer()
        return answer

    def _create(self, connection: Connection, path: str, content: dict, repeat_key: str | None):
        body = json.dumps(content).encode()
        fields = {"Idempotency_Key": repeat_key} if repeat_key else {}
        answer = self._request(connection, "POST", path, body, **fields)
        if answer.status == 201 and repeat_key:
            self._noted.note_creation(path, repeat_key, body, answer.body)
        return answer

    def _add_animal(self, connection: Connection, label: str, repeatable: bool) -> int:
        content = {"name": f"Animal {label}", "categoryId": 1, "status": "available"}
        answer = self._create(connection, "/v1/pets", content, f"animal-{label}" if repeatable else None)
        if answer.status != 201:
            raise Broken(f"an animal was answered {answer.status}: {answer.body!r}")
        id = answer.json()["id"]
        self._noted.note_animal(id, content["name"])
        return id

    def _remove(self, connection: Connection, animal: int) -> None:
        # Somebody may have ordered it meanwhile.
        if self._request(connection, "DELETE", f"/v1/pets/{animal}", None).status == 204:
            self._noted.note_removal(animal)

    def _adopt(self, connection: Connection, animal: int, label: str, dice: random.Random) -> None:
        repeat_key = f"order-{label}" if dice.random() < 0.5 else None
        placed = self._create(connection, "/v1/store/orders", {"petId": animal}, repeat_key)
        if placed.status != 201:
            return  # somebody else was quicker
        order = placed.json()["id"]
        self._noted.note_step(order, animal, "placed")
        status = "placed"
        while status in NEXT_STATUS and dice.random() < 0.6:
            status = dice.choice(NEXT_STATUS[status])
            body = json.dumps({"status": status}).encode()
            answer = self._request(connection, "PATCH", f"/v1/store/orders/{order}", body)
            if answer.status != 200:
                raise Broken(f"order {order} to {status} was answered {answer.status}: {answer.body!r}")
            self._noted.note_step(order, animal, status)

    def _make_keys(self) -> None:
        command = ("keys", "create", "--store", self._store, "--json", "--plan", "free")
        while not self._workers.are_stopping:
            made = json.loads(self._stand.run(*command, variables=self._variables))
            key = self._noted.note_key(made["id"], made["key"])
            if len(self._noted.keys) % 2 == 0:
                self._stand.run("keys", "revoke", "--store", self._store, key.id, variables=self._variables)
                self._noted.note_revocation(key)
