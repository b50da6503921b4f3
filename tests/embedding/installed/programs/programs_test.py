#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: programs_test.py FOLDER PROGRAM: runs an example, which is built in FOLDER, and holds its answers against what
it promises. Ends with 77 where the machine lacks what the program needs."""

import base64
import hashlib
import hmac
import json
import re
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from support.checks import Missing, hold, wait_until  # noqa: E402
from support.http import Answer, Connection, request  # noqa: E402
from support.postgresql import PostgreSQL  # noqa: E402
from support.processes import Child, run  # noqa: E402
from support.redis import Redis  # noqa: E402
from support.stand import Stand  # noqa: E402
from websocket import GOING_AWAY, WebSocket  # noqa: E402

SKIPPED = 77
# Longer than usual: on a slow machine, calls would exceed the deadline, and a node would decide by itself.
REDIS_DEADLINE_MILLISECONDS = 10_000


class Programs(Stand):
    """Starts the examples."""

    def __init__(self, folder: Path):
        super().__init__(folder)

    def path(self, name: str) -> str:
        return str(self.program / name / name)

    def launch(self, name: str, *arguments: str) -> tuple[Child, int]:
        """The program, once it listens, and its port."""
        child = self.start([self.path(name), "0", *map(str, arguments)])
        return child, int(child.wait_for_line("listening on "))

    def make_shop(self) -> tuple[Path, str]:
        """A directory with a store, and a key that it knows."""
        directory = self.directory / "shop"
        child = self.start([self.path("service_with_coroutines"), "0", str(directory), "Ada"])
        key = child.wait_for_line("key ")
        child.wait_for_line("listening on ")
        end(child)
        return directory, key


def same(found, wanted) -> None:
    hold(found == wanted, f"{found!r} is not {wanted!r}")


def end(child: Child) -> None:
    same(child.stop(), 0)


def day() -> int:
    return int(time.time()) // 86_400


def has_used(answer: Answer, wanted: int, since: int) -> None:
    """Compares the tokens of the day that are used. Those of a minute say nothing where the machine is slow, nor do these
    if the day on which the caller began, `since`, is over."""
    quota = re.search(r'"day";q=(\d+)', answer.fields["ratelimit-policy"])
    left = re.search(r'"day";r=(\d+)', answer.fields["ratelimit"])
    hold(quota and left, f"no quota of a day: {answer.fields}")
    used = int(quota[1]) - int(left[1])
    hold(used == wanted or since != day(), f"{used} tokens are used, not {wanted}")


def accepts(port: int) -> bool:
    try:
        Connection(port).close()
    except (ConnectionRefusedError, ConnectionResetError):  # reset: the listener ended meanwhile
        return False
    return True


def waits(answer: Answer) -> bool:
    return answer.status == 429 and 1 <= int(answer.fields["retry-after"]) <= 60


def limiter_in_beast(programs: Programs) -> None:
    customers = programs.directory / "customers"
    customers.write_text("key-of-ann ann 2 100\n")
    server, port = programs.launch("limiter_in_beast", customers)
    with Connection(port) as kept:
        for left in ("1", "0"):
            answer = kept.request("GET", "/", X_Api_Key="key-of-ann")
            same((answer.status, answer.body), (200, b"Hello, ann.\n"))
            same((answer.fields["x-ratelimit-limit"], answer.fields["x-ratelimit-remaining"]), ("2", left))
        hold(waits(kept.request("GET", "/", X_Api_Key="key-of-ann")), "the third request of two passes")
        same(kept.request("GET", "/", X_Api_Key="guessed").status, 401)
        answer = kept.request("GET", "/")
        same((answer.body, answer.fields["x-ratelimit-remaining"]), (b"Hello, 127.0.0.1.\n", "58"))
        end(server)
        same(kept.read_to_end(), b"")

    for port in ("65616", "-1", "80x", ""):
        run(programs.path("limiter_in_beast"), port, customers, code=1)
    for line in ("key-of-ann ann 0 100", "key-of-ann ann 60", "key-of-ann ann 60 1o0", "key-of-ann ann 60 100 more"):
        customers.write_text(f"{line}\n")
        run(programs.path("limiter_in_beast"), "0", customers, code=1)


def limiter_in_thread_pool(programs: Programs) -> None:
    documents = programs.directory / "documents"
    documents.mkdir()
    (programs.directory / "secret").write_text("one two")
    for name, words in {"small": 3, "large": 1_500, "huge": 10_000}.items():
        (documents / name).write_text("a " * words)  # 2 bytes a word, and 1,000 bytes a token
    quotas = programs.directory / "quotas.bin"

    def ask(port: int, *lines: str) -> list[str]:
        with Connection(port) as client:
            client.send("".join(f"{line}\n" for line in lines).encode())
            client.socket.shutdown(1)
            return client.read_to_end().decode().splitlines()

    server, port = programs.launch("limiter_in_thread_pool", documents, quotas)
    same(ask(port, "ann"), ["expected: CUSTOMER DOCUMENT"])
    same(ask(port, "ann missing", "ann ../secret"), ["this document cannot be read"] * 2)  # costs nothing
    same(ask(port, "ann huge"), ["this document is too large"])
    answers = ask(port, "ann small", "ann large", "ann large", "ann large", "ann small", "ann small")
    same(answers[:3] + answers[4:5], ["3 words", "1500 words", "1500 words", "3 words"])  # 1 + 4 + 4 + 1 tokens
    hold(all(answer.startswith("wait ") for answer in (answers[3], answers[5])), f"too much is admitted: {answers}")
    same(ask(port, "bob small"), ["3 words"])
    with Connection(port) as deaf:  # its answers, which it never reads, are longer than all buffers
        try:
            while True:
                deaf.send(b"?\n" * 100_000)
        except (BrokenPipeError, ConnectionResetError):
            pass
    with Connection(port):  # a client that says nothing holds nothing up
        end(server)

    server, port = programs.launch("limiter_in_thread_pool", documents, quotas)
    hold(ask(port, "ann small")[0].startswith("wait "), "a restart grants tokens")
    end(server)
    quotas.write_text("damaged")
    run(programs.path("limiter_in_thread_pool"), "0", documents, quotas, code=1)


def websocket_chat(programs: Programs) -> None:
    server, port = programs.launch("websocket_chat")
    with WebSocket(port) as nobody:
        same(nobody.answer.status, 401)
    with WebSocket(port, X_User="ann") as ann:
        same(ann.answer.status, 101)
        ann.send("is anybody here?")
        same(ann.receive(), "nobody hears you")  # and costs nothing
        with WebSocket(port, X_User="bob") as bob:
            bob.send("hello")
            same((bob.receive(), ann.receive()), ("sent", "bob: hello"))
            for text in ("one", "two", "three", "four"):
                ann.send(text)
                same((ann.receive(), bob.receive()), ("sent", f"ann: {text}"))
            ann.send("five")
            hold(ann.receive().startswith("wait "), "the sixth token of five is taken")
            with WebSocket(port, X_User="ann") as again:
                hold(waits(again.answer), "an upgrade needs no token")
                same(again.answer.fields["ratelimit-policy"], '"minute";q=5;w=60')
            server.send_signal(signal.SIGTERM)
            same((ann.receive_close(), bob.receive_close()), (GOING_AWAY, GOING_AWAY))
            same(server.wait(), 0)


def shared_quotas(programs: Programs) -> None:
    redis, began = Redis(programs), day()
    (one, at_one), (other, at_other), (third, at_third) = (
        programs.launch("shared_quotas", redis.uri, REDIS_DEADLINE_MILLISECONDS) for _ in range(3)
    )
    same(request(at_one, "GET", "/").status, 401)
    same(request(at_one, "GET", "/", X_Customer="7x").status, 401)
    with Connection(at_one) as to_one, Connection(at_other) as to_other:
        for customer in map(str, range(7, 17)):  # the next one if the minute ends before all requests are sent
            answers = [node.request("GET", "/", X_Customer=customer) for _ in range(40) for node in (to_one, to_other)]
            reset = int(answers[0].fields["x-ratelimit-reset"])  # rounded up
            if time.time() < reset - 1:
                break
        else:
            hold(False, "80 requests take longer than a minute")
        same([answer.status for answer in answers].count(200), 60)
        hold(all(answer.status == 200 or waits(answer) for answer in answers), "a request is not answered")
        same(to_one.request("GET", "/", X_Customer="107").status, 200)
    end(other)

    with Connection(at_one) as kept:  # a request whose body has not come to its end is answered
        ask = "POST / HTTP/1.1\r\nHost: petstore.test\r\nX-Customer: 107\r\nContent-Length: {}\r\n\r\n".format
        kept.send((ask(0) + ask(4) + "bo").encode())
        same(kept.answer().status, 200)
        same(request(at_one, "GET", "/", X_Customer="107").status, 200)  # after it, the server has read the second head
        one.send_signal(signal.SIGTERM)
        wait_until(lambda: not accepts(at_one), "a server that ends accepts connections")
        kept.send(b"dy")
        same((kept.answer().status, kept.read_to_end()), (200, b""))
        same(one.wait(), 0)
    has_used(request(at_third, "GET", "/", X_Customer="107"), 5, began)  # the others gave back what they held
    hold(waits(request(at_third, "GET", "/", X_Customer=customer)) or time.time() >= reset - 1, "a new node grants tokens")
    end(third)


def service_with_coroutines(programs: Programs) -> None:
    began = day()
    directory, key = programs.make_shop()
    server, port = programs.launch("service_with_coroutines", directory)
    same(request(port, "GET", "/v1/pets").status, 401)
    same(request(port, "GET", "/v1/pets", key).fields["x-ratelimit-limit"], "60")
    same(request(port, "POST", "/v1/categories", key, {"name": "dogs"}).status, 201)
    end(server)

    server, port = programs.launch("service_with_coroutines", directory)
    answer = request(port, "GET", "/v1/categories", key)
    same([one["name"] for one in answer.json()], ["dogs"])
    has_used(answer, 3, began)
    end(server)


def service_with_callbacks(programs: Programs) -> None:
    directory, key = programs.make_shop()
    server, port = programs.launch("service_with_callbacks", directory)
    with Connection(port) as kept:
        same(kept.request("GET", "/v1/pets", key).status, 200)
        same(request(port, "GET", "/v1/pets", key).fields["x-ratelimit-remaining"], "58")
        end(server)
        same(kept.read_to_end(), b"")


def service_on_several_nodes(programs: Programs) -> None:
    database, redis, began = PostgreSQL(programs), Redis(programs), day()
    arguments = (database.uri, redis.uri, REDIS_DEADLINE_MILLISECONDS)
    first = programs.start([programs.path("service_on_several_nodes"), "0", *map(str, arguments), "Ada"])
    key, at_first = first.wait_for_line("key "), int(first.wait_for_line("listening on "))
    other, at_other = programs.launch("service_on_several_nodes", *arguments)
    same(request(at_first, "POST", "/v1/categories", key, {"name": "dogs"}).status, 201)
    same([one["name"] for one in request(at_other, "GET", "/v1/categories", key).json()], ["dogs"])
    end(first)
    end(other)
    third, at_third = programs.launch("service_on_several_nodes", *arguments)
    answer = request(at_third, "GET", "/v1/categories", key)
    same(answer.status, 200)
    has_used(answer, 3, began)  # the others gave back what they held
    end(third)


def own_store(programs: Programs) -> None:
    directory, key = programs.make_shop()
    server, port = programs.launch("own_store", directory)
    same(request(port, "POST", "/v1/categories", key, {"name": "dogs"}).status, 201)
    server.send_signal(signal.SIGUSR1)
    server.wait_for_line("taking stock")
    refused = request(port, "POST", "/v1/categories", key, {"name": "cats"})
    same((refused.status, refused.json()["message"]), (503, "The shop takes stock."))
    same([one["name"] for one in request(port, "GET", "/v1/categories", key).json()], ["dogs"])
    server.send_signal(signal.SIGUSR1)
    server.wait_for_line("open again")
    same(request(port, "POST", "/v1/categories", key, {"name": "cats"}).status, 201)
    end(server)


def signed_tokens(programs: Programs) -> None:
    secret = programs.directory / "secret"
    secret.write_bytes(b"s" * 32)
    server, port = programs.launch("signed_tokens", secret)

    def token(algorithm: str = "HS256", by: bytes = b"s" * 32, **claims) -> str:
        claims = {"sub": "anna", "exp": int(time.time()) + 3_600} | claims
        parts = [json.dumps(part).encode() for part in ({"typ": "JWT", "alg": algorithm}, claims)]
        text = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)
        signature = base64.urlsafe_b64encode(hmac.new(by, text, hashlib.sha256).digest()).rstrip(b"=")
        return (text + b"." + signature).decode()

    def status(shown: str, method: str = "GET", body: object = None) -> int:
        return request(port, method, "/v1/categories", shown, body).status

    good = token(scope="write")
    same(status(good, "POST", {"name": "dogs"}), 201)
    same((status(token()), status(token(), "POST", {"name": "cats"})), (200, 403))
    refused = {
        "signed by another secret": token(by=b"x" * 32),
        "without a signature": token(algorithm="none").rpartition(".")[0] + ".",
        "of another algorithm": token(algorithm="HS512"),
        "over": token(exp=int(time.time()) - 1),
        "not begun": token(nbf=int(time.time()) + 3_600),
        "without an end": token(exp=None),
        "of no customer": token(sub=""),
        "of a customer that is no text": token(sub=7),
        "with a quota that no plan has": token(per_minute=0),
        "changed": good[:-1] + ("A" if good[-1] != "A" else "B"),
        "no token": "nonsense",
    }
    for what, shown in refused.items():
        hold(status(shown) == 401, f"a token {what} is taken")
    answer = request(port, "GET", "/v1/categories", token(sub="bert", per_minute=3))
    hold('"day";q=1000;' in answer.fields["ratelimit-policy"], "a quota of the minute ends the quota of the day")
    same([status(token(sub="bert", per_minute=3)) for _ in range(3)], [200, 200, 429])
    same((status(token(exp=2**63 - 1)), status(token(sub="bert" * 100, per_minute=3))), (200, 200))
    end(server)

    secret.write_bytes(b"short")
    run(programs.path("signed_tokens"), "0", secret, code=1)


CASES = (
    limiter_in_beast, limiter_in_thread_pool, websocket_chat, shared_quotas, service_with_coroutines,
    service_with_callbacks, service_on_several_nodes, own_store, signed_tokens,
)  # fmt: skip


def main() -> int:
    folder, program = Path(sys.argv[1]), sys.argv[2]
    try:
        with Programs(folder) as programs:
            {case.__name__: case for case in CASES}[program](programs)
    except Missing as missing:
        print(f"Skipped: {missing}")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
