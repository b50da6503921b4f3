# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""X-Request-Id through the balancers as deploy/ has them: one id in the answer, in the node's log and in the balancer's."""

import itertools
import json
import re
from dataclasses import dataclass
from pathlib import Path

from support.checks import hold, wait_until
from support.http import Answer, Connection
from support.ports import free_port

from . import fronts
from .fronts import Front, through_each_balancer

NODES = 3
LONGEST = 128
MADE = re.compile(r"[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}")
# Where the line of the log has the id.
LOGGED = {
    "haproxy": re.compile(r" \{([^{}]*)\} \""),
    "compose": re.compile(r" \{([^{}]*)\} \""),
    "nginx": re.compile(r" ([^ ]+)$"),
}
TAKEN = (
    "7f3d5c1e-9d0b-4c5a-8f00-6b1f0f1f2a3b",
    "0af7651916cd43dd8448eb211c80319c",
    "01HZX3M4Q8R2T6V9W1Y5A7C0DE",
    "Root=1-67891233-abcdef012345678912345678",
    "web-1.example/k3J+a_B:000001@eu",
    "a",
    "x" * LONGEST,
    "aB" * 13 + "c",  # one less than looks like a key
)
KEY = "ps_live_" + "4tX9" * 12
REPLACED = (
    (),
    ("",),
    ("x" * (LONGEST + 1),),
    ("two words",),
    ('a"b',),
    ("a|b{c}",),
    ("100%",),
    ("caf\xe9",),
    (KEY,),
    (f"request-{KEY[:20]}",),
    ("p%73_live_abc",),
    ("aB" * 14,),
    ("A1" * 14 + "b",),
)


@dataclass
class Shop:
    """A node, and the balancer that takes it for three."""

    kind: str
    front: Front
    key: str
    log: Path

    @classmethod
    def start(cls, stand, kind: str) -> "Shop":
        log = stand.directory / "access.log"
        server, key = stand.serve_with_key("--trusted-proxies", "127.0.0.1", "--access-log", str(log))
        return cls(kind, fronts.start(stand, kind, [server.port] * NODES), key, log)

    def ask(self, number: int, ids: tuple[str, ...]) -> str:
        """The id that a request gets, which answer and logs have to agree on. `number`: no other request's."""
        path = f"/v1/pets/{number}"
        fields = "".join(f"X-Request-Id: {one}\r\n" for one in ids)
        head = f"GET {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {self.key}\r\n{fields}\r\n"
        with self.front.connect() as connection:
            connection.send(head.encode("latin-1"))
            answer = connection.answer()
        hold(answer.status == 404, f"{ids} is answered {answer.status}")
        answered, of_node, of_balancer = answer.fields["x-request-id"], self._logged_by_node(path), self.logged(f"GET {path} ")
        told = f"{ids}: the answer has {answered}, the node logs {of_node}, the balancer logs {of_balancer}"
        hold(answered == of_node == of_balancer, told)
        return answered

    def logged(self, part: str) -> str:
        return logged(self.kind, self.front, part)

    def _logged_by_node(self, path: str) -> str:
        def found() -> list[str]:
            lines = [json.loads(line) for line in self.log.read_text().splitlines(True) if line.endswith("\n")]
            return [line["request_id"] for line in lines if line.get("path") == path]

        wait_until(found, f"the node does not log {path}")
        return found()[0]


def logged(kind: str, front: Front, part: str) -> str:
    """The id in the balancer's line that has this in it."""
    line = front.child.wait_for_line_with(part)
    found = LOGGED[kind].search(line)
    hold(found is not None, f"there is no id in the balancer's line: {line}")
    return found[1]


@through_each_balancer(
    injected="requests with an id of their own, usual ones and the longest one",
    must_hold="the answer, the node's log and the balancer's have that id",
)
def request_ids_are_passed_on(stand, kind: str) -> None:
    shop = Shop.start(stand, kind)
    for number, sent in enumerate(TAKEN, 1):
        got = shop.ask(number, (sent,))
        hold(got == sent, f"{sent} became {got}")


@through_each_balancer(
    injected="requests without an id, and with ids that the node would not take or that logs would not show as they are",
    must_hold="the answer, the node's log and the balancer's have one new id, another one each time, and no log has a key",
)
def request_ids_are_made(stand, kind: str) -> None:
    shop = Shop.start(stand, kind)
    made = [shop.ask(number, sent) for number, sent in enumerate(REPLACED, 1)]
    for sent, got in zip(REPLACED, made):
        hold(MADE.fullmatch(got) is not None, f"{sent} became {got}")
    hold(len(set(made)) == len(made), f"ids came twice: {made}")


@through_each_balancer(
    injected="requests with two fields that each have an id, and with two ids in one field",
    must_hold="the answer, the node's log and the balancer's have one id, whichever",
)
def request_id_is_one_of_several(stand, kind: str) -> None:
    shop = Shop.start(stand, kind)
    for number, sent in enumerate((("first", "second"), ("first, second",), ("first,second",)), 1):
        got = shop.ask(number, sent)
        hold(got in sent or MADE.fullmatch(got) is not None, f"{sent} became {got}")


@through_each_balancer(
    injected="requests, with an id and without one, that the balancer answers by itself: every node is gone",
    must_hold="its answer and its log have the id",
)
def request_ids_are_in_answers_of_the_balancer(stand, kind: str) -> None:
    front = fronts.start(stand, kind, [free_port() for _ in range(NODES)])
    for number, fields in itertools.product((1, 2), ({"X_Request_Id": "mine"}, {})):
        path = f"/v1/pets/{number}-{len(fields)}"
        with front.connect() as connection:
            answer = connection.request("GET", path, **fields)
        hold(answer.status in (502, 503), f"answered {answer.status}")
        _hold_agreement(answer, logged(kind, front, f"GET {path} "), fields)


@through_each_balancer(
    injected="requests, with an id and without one, to what no node is asked: without TLS, or for /readyz",
    must_hold="its answer and its log have the id",
)
def request_ids_are_in_refusals_of_the_balancer(stand, kind: str) -> None:
    shop = Shop.start(stand, kind)
    path, status = ("/readyz", 404) if kind == "compose" else ("/v1/pets", 308)
    for fields in ({"X_Request_Id": "mine"}, {}):
        with Connection(shop.front.plain_port) as connection:
            answer = connection.request("GET", path, **fields)
        hold(answer.status == status, f"answered {answer.status}")
        _hold_agreement(answer, shop.logged(f"GET {path} "), fields)


def _hold_agreement(answer: Answer, of_balancer: str, fields: dict[str, str]) -> None:
    answered = answer.fields.get("x-request-id", "")
    hold(answered == of_balancer, f"the answer has `{answered}`, the balancer logs {of_balancer}")
    wanted = fields.get("X_Request_Id")
    hold(answered == wanted if wanted else MADE.fullmatch(answered) is not None, f"{fields} became {answered}")
