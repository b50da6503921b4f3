# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Whether a store that outlasted a power cut has what was acknowledged before, and agrees with itself."""

import json
from collections import Counter, defaultdict

from support.checks import Broken
from support.http import Connection

from .acknowledged import Acknowledged

FOLLOWING = {
    "placed": ("placed", "approved", "delivered", "cancelled"),
    "approved": ("approved", "delivered", "cancelled"),
    "delivered": ("delivered",),
    "cancelled": ("cancelled",),
}


class Lost(Broken):
    """Something acknowledged is gone, or what is there contradicts itself."""


def keep(condition: bool, otherwise: str) -> None:
    if not condition:
        raise Lost(otherwise)


def judge(stand, store: str, noted: Acknowledged, cut_at: int) -> None:
    """Opens the store with the program. `noted` is complete: also what was acknowledged after the cut."""
    exported = stand.try_run("export", "--store", store)
    keep(exported.returncode == 0, f"the store cannot be read: {exported.stderr}")
    lines = [json.loads(line) for line in exported.stdout.splitlines()]
    animals = {line["record"]["id"]: line["record"] for line in lines if line["type"] == "pet"}
    orders = {line["record"]["id"]: line["record"] for line in lines if line["type"] == "order"}
    _judge_animals(animals, noted, cut_at)
    _judge_orders(orders, noted, cut_at)
    _judge_agreement(animals, orders)
    server = stand.serve(store)
    try:
        _judge_keys(server.port, noted, cut_at)
        _judge_repetitions(server.port, noted, cut_at)
    finally:
        server.stop()


def _judge_animals(animals: dict[int, dict], noted: Acknowledged, cut_at: int) -> None:
    for animal in noted.animals.values():
        found = animals.get(animal.id)
        if animal.removed_at is not None:
            keep(found is None or animal.removed_at > cut_at, f"animal {animal.id} is back after it was removed")
        elif animal.at <= cut_at:
            keep(found is not None and found["name"] == animal.name, f"animal {animal.id} is {found}")
    for name, count in Counter(animal["name"] for animal in animals.values()).items():
        keep(count == 1, f"{name} is there {count} times")


def _judge_orders(orders: dict[int, dict], noted: Acknowledged, cut_at: int) -> None:
    for step in noted.steps:
        if step.at > cut_at:
            continue
        found = orders.get(step.order)
        keep(found is not None, f"order {step.order} is gone, which was {step.status}")
        keep(found["petId"] == step.pet, f"order {step.order} is for another animal than {step.pet}: {found}")
        keep(found["status"] in FOLLOWING[step.status], f"order {step.order} was {step.status}: {found}")


def _judge_agreement(animals: dict[int, dict], orders: dict[int, dict]) -> None:
    winners = defaultdict(list)
    for order in orders.values():
        if order["status"] != "cancelled":
            winners[order["petId"]].append(order)
    for pet, won in winners.items():
        keep(len(won) == 1, f"animal {pet} was given away {len(won)} times: {won}")
        keep(pet in animals, f"the animal of {won[0]} is gone")
    for animal in animals.values():
        won = winners[animal["id"]]
        meant = "available" if not won else "sold" if won[0]["status"] == "delivered" else "pending"
        keep(animal["status"] == meant, f"{animal} has the order {won}")


def _judge_keys(port: int, noted: Acknowledged, cut_at: int) -> None:
    with Connection(port) as connection:
        for key in noted.keys:
            if key.at > cut_at:
                continue
            status = connection.request("GET", "/v1/quota", key.secret).status
            allowed = (200,) if key.revoked_at is None else (401,) if key.revoked_at <= cut_at else (200, 401)
            keep(status in allowed, f"key {key.id}, revoked at {key.revoked_at}, is answered {status}")


def _judge_repetitions(port: int, noted: Acknowledged, cut_at: int) -> None:
    with Connection(port) as connection:
        for creation in noted.creations:
            if creation.at > cut_at:
                continue
            again = connection.request(
                "POST", creation.path, noted.keys[0].secret, creation.body, Idempotency_Key=creation.key
            )
            keep(
                again.status == 201
                and again.fields.get("idempotency-replayed") == "true"
                and again.body == creation.answer,
                f"{creation.key} was answered {creation.answer!r}, and is now {again.status}: {again.body!r}",
            )
