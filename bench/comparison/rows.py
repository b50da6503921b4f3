# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What is compared: each row of the table is one request, asked again and again of one server."""

from dataclasses import dataclass
from enum import Enum


class Serving(Enum):
    """How the service that a row asks is started; the numbers beside an enumerator are its extra flags."""

    PLAIN = ("--access-log", "off")
    LOGGING = ("--access-log", "access.log")
    # A client that goes on after a 429 is banned, so a refusal that is to be measured for a second needs bans off.
    WITHOUT_BANS = ("--access-log", "off", "--ban-strikes", "0")


@dataclass(frozen=True)
class Row:
    name: str  # for --only
    title: str  # in the table
    target: str = "/pets/1"
    body: str | None = None  # what is posted there, as JSON; None: the target is read
    key: str | None = "large"  # one of KEYS, or none
    status: int = 200
    depth: int = 1  # requests sent at once on each connection
    serving: Serving | None = Serving.PLAIN  # None: nginx, which answers with as many bytes as the first row


DOG = '{"name":"Rex","categoryId":1,"status":"available"}'
PET = Row("pet", "GET /pets/{id}")
NGINX = Row("nginx", "nginx, return 200", serving=None)

ROWS = (
    PET,
    # The store keeps a page that is asked for again, so these rows copy it: bench/store_million asks for many in turn.
    Row("list", "the same list again, limit=20", target="/pets?limit=20"),
    Row("pipelined", "GET /pets/{id}, 16 at once", depth=16),
    Row("lists", "the same list, 16 at once", target="/pets?limit=20", depth=16),
    Row("post", "POST /pets, on the disk", target="/pets", body=DOG, status=201),
    Row("logged", "GET /pets/{id}, access log", serving=Serving.LOGGING),
    Row("logged-lists", "the same list, 16, access log", target="/pets?limit=20", depth=16, serving=Serving.LOGGING),
    Row("401", "401, no key", key=None, status=401),
    Row("404", "404, no such animal", target="/pets/999999", status=404),
    Row("429", "429, quota used up", key="small", status=429, serving=Serving.WITHOUT_BANS),
    Row("banned", "429, banned", key="banned", status=429),
    NGINX,
)

# The largest quotas there are, so that none runs out while it is measured; and one whose day is over at once.
LARGE_PLAN = ("--plan", "enterprise", "--per-minute", "16777215", "--per-day", "1099511627775")
SMALL_PLAN = ("--plan", "enterprise", "--per-minute", "1", "--per-day", "1")
KEYS = {"large": LARGE_PLAN, "small": SMALL_PLAN, "banned": LARGE_PLAN}
ANONYMOUS_PER_MINUTE = "16777215"


def request_text(row: Row, keys: dict[str, str]) -> bytes:
    """What a program as a client sends."""
    method = "GET" if row.body is None else "POST"
    lines = [f"{method} /v1{row.target} HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"]
    if row.key is not None:
        lines.append(f"Authorization: Bearer {keys[row.key]}")
    if row.body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(row.body.encode())}"]
    return "\r\n".join(lines + ["", row.body or ""]).encode()


def head_text(request: bytes) -> bytes:
    """What floor and nginx are sent: the same without a body. They do not read it."""
    head, end, _ = request.partition(b"\r\n\r\n")
    return head + end
