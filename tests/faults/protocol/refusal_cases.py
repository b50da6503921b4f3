# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Bytes on a connection of their own, to the service itself. Its time-outs are longer than any patience here, so that
what waits for one of them is seen."""

import select
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from runner.case import case
from support.checks import TIME_LIMIT_SECONDS, Broken, hold
from support.http import Answer, Closed, Connection, trusting_anybody

from .message import REFUSALS, REX, Message, get, post
from .refused import OTHER_PROTOCOLS, REFUSED
from .taken import TAKEN

PATIENT = ("--header-timeout", "5m", "--request-timeout", "5m", "--idle-timeout", "5m", "--access-log", "off")
RATE_FIELDS = (
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "x-ratelimit-resource",
    "ratelimit",
    "ratelimit-policy",
)
PIPELINED = 1000
PIECES_MAX = 600
STILL_SENT_PIECES = 16
STILL_SENT_BYTES = 16 * 1024


class Wire:
    """Sends messages to a service that has a key."""

    def __init__(self, stand):
        server, self.key = stand.serve_with_key(*PATIENT)
        self.port = server.port

    def connect(self) -> Connection:
        return Connection(self.port)

    def encode(self, message: Message) -> bytes:
        return message.encode(self.key, "unusual")

    def good(self, request_id: str) -> bytes:
        return Message("good", get(), 200).encode(self.key, request_id)


def each_refused(stand) -> Iterator[tuple[Wire, Message, Connection]]:
    """Every message that is refused, and a connection for it."""
    wire = Wire(stand)
    for message in REFUSED:
        with wire.connect() as connection:
            yield wire, message, connection


def expect_refused(message: Message, connection: Connection) -> None:
    """The one answer, and the end of the connection."""
    try:
        answer = connection.answer()
    except (Closed, TimeoutError) as instead:
        raise Broken(f"{message.name}: instead of an answer {instead}") from None
    _check_refusal(message, answer)
    expect_end(connection, message.name)


def expect_end(connection: Connection, after: str) -> None:
    try:
        more = connection.socket.recv(65536) + connection.read_to_end()
    except (TimeoutError, OSError) as instead:
        raise Broken(f"{after}: instead of the end of the connection {instead}") from None
    hold(more == b"", f"{after}: after its answer comes {more[:200]!r}")


def _check_refusal(message: Message, answer: Answer) -> None:
    what = f"{message.name}: {answer} {answer.body[:300]!r}"
    hold(answer.status == message.status, what)
    error = answer.json()
    hold(sorted(error) == ["code", "message", "status"], what)
    hold(error["code"] == REFUSALS[message.status] and error["status"] == message.status, what)
    hold(error["message"] != "", what)
    hold(answer.fields["connection"] == "close", what)
    hold(answer.fields["content-type"] == "application/json", what)
    hold(answer.fields["x-content-type-options"] == "nosniff" and answer.fields["cache-control"] == "no-store", what)
    hold(answer.fields["x-request-id"] != "" and "date" in answer.fields, what)
    hold(all(name in answer.fields for name in RATE_FIELDS), what)
    hold(message.status != 405 or "GET" in answer.fields["allow"], what)
    # Only a chunked body that grows too large is judged with the request, and costs its key a token.
    is_judged_later = message.status == 413 and "Transfer-Encoding" in message.text
    hold(is_judged_later or answer.fields["x-ratelimit-remaining"] == answer.fields["x-ratelimit-limit"], what)


def expect_good(connection: Connection, request_id: str, after: str) -> None:
    answer = connection.answer()
    hold(answer.status == 200 and answer.fields["x-request-id"] == request_id, f"{after}: {answer}")


def send_in_pieces(connection: Connection, data: bytes) -> None:
    """A byte at a time, or as many as make PIECES_MAX pieces. What comes after a refusal may not be taken any more."""
    size = max(1, len(data) // PIECES_MAX)
    with suppress(BrokenPipeError, ConnectionResetError):
        for at in range(0, len(data), size):
            connection.send(data[at : at + size])


@case(
    injected="each message that HTTP forbids or a limit refuses, alone, and the client keeps its side open and waits",
    must_hold="its one error with all its fields and Connection: close, at once, and the end of the connection",
)
def forbidden_messages(stand) -> str:
    for wire, message, connection in each_refused(stand):
        connection.send(wire.encode(message))
        expect_refused(message, connection)
    return f"{len(REFUSED)} messages"


@case(
    injected="a good request, each forbidden message and another good request, in one piece",
    must_hold="the first is answered, the message gets its error, and what follows it is no request any more",
)
def forbidden_messages_after_a_good_one(stand) -> str:
    for wire, message, connection in each_refused(stand):
        connection.send(wire.good("before") + wire.encode(message) + wire.good("after"))
        expect_good(connection, "before", message.name)
        expect_refused(message, connection)
    return f"{len(REFUSED)} messages"


@case(
    injected="1,000 good requests in one piece, and then one message for each way of being refused",
    must_hold="1,000 answers in their order, then the error",
)
def forbidden_messages_after_a_thousand_good_ones(stand) -> str:
    wire = Wire(stand)
    one_of_each = {message.status: message for message in REFUSED}
    for message in one_of_each.values():
        good = b"".join(wire.good(f"good-{number}") for number in range(PIPELINED))
        with wire.connect() as connection, ThreadPoolExecutor(1) as sender:
            # Neither side reads while it cannot write, so somebody else has to send.
            sender.submit(connection.send, good + wire.encode(message))
            for number in range(PIPELINED):
                expect_good(connection, f"good-{number}", message.name)
            expect_refused(message, connection)
    return f"{len(one_of_each)} messages"


@case(
    injected="each forbidden message a byte at a time (the largest in 600 pieces)",
    must_hold="the same answer as in one piece",
)
def forbidden_messages_in_pieces(stand) -> str:
    for wire, message, connection in each_refused(stand):
        send_in_pieces(connection, wire.encode(message))
        expect_refused(message, connection)
    return f"{len(REFUSED)} messages"


@case(
    injected="each forbidden message from a client that does not read its answer before it has sent 256 KB more",
    must_hold="the service lingers: what is sent arrives somewhere, and the answer is there, whole",
)
def forbidden_messages_of_a_client_that_goes_on(stand) -> str:
    for wire, message, connection in each_refused(stand):
        connection.send(wire.encode(message))
        readable, _, _ = select.select([connection.socket], [], [], TIME_LIMIT_SECONDS)
        hold(readable != [], f"{message.name}: no answer")
        try:
            for _ in range(STILL_SENT_PIECES):
                connection.send(b"x" * STILL_SENT_BYTES)
        except OSError as error:
            raise Broken(f"{message.name}: the client cannot go on: {error}") from None
        expect_refused(message, connection)
    return f"{len(REFUSED)} messages"


@case(
    injected="each unusual message that is right, whole and in pieces, with good requests before and after it",
    must_hold="each of the three gets its own answer",
)
def unusual_messages(stand) -> str:
    wire = Wire(stand)
    for message in TAKEN:
        for send in (Connection.send, send_in_pieces):
            with wire.connect() as connection:
                send(connection, wire.good("before") + wire.encode(message) + wire.good("after"))
                expect_good(connection, "before", message.name)
                answer = connection.answer()
                if answer.status == 100:  # the head was read before the body came
                    answer = connection.answer()
                hold(answer.status == message.status, f"{message.name}: {answer} {answer.body!r}")
                hold(answer.fields["x-request-id"] == "unusual", f"{message.name}: {answer}")
                expect_good(connection, "after", message.name)
    return f"{len(TAKEN)} messages"


@case(
    injected="HTTP/1.0 requests without Host and without keep-alive",
    must_hold="they are answered, and the connection ends",
)
def old_clients(stand) -> None:
    wire = Wire(stand)
    for request, status in (("GET /v1/pets", 200), ("GET /v1/nowhere", 404), ("OPTIONS /v1/pets", 204)):
        with wire.connect() as connection:
            connection.send(f"{request} HTTP/1.0\r\nAuthorization: Bearer {wire.key}\r\n\r\n".encode() + wire.good("x"))
            answer = connection.answer()
            hold(answer.status == status and "transfer-encoding" not in answer.fields, f"{request}: {answer}")
            expect_end(connection, request)


@case(
    injected="Expect: 100-continue from clients that wait for the 100, for bodies that fit and bodies too large",
    must_hold="100 before a body that is wanted, and 413 without a 100 for one that is not",
)
def expectations(stand) -> None:
    wire = Wire(stand)
    fits = Message("fits", post("Expect: 100-continue", "Content-Length: 29", body=""), 201)
    with wire.connect() as connection:
        for _ in range(2):
            connection.send(wire.encode(fits))
            hold(connection.answer().status == 100, "no 100 came")
            connection.send(REX.encode())
            hold(connection.answer().status == 201, "the body was not taken")
    for length in ("65537", "18446744073709551615"):
        large = Message("large", post("Expect: 100-continue", f"Content-Length: {length}", body=""), 413)
        with wire.connect() as connection:
            connection.send(wire.encode(large))
            hold(connection.answer().status == 413, "the first answer is not 413")
            expect_end(connection, "413")


@case(
    injected="a TLS handshake of OpenSSL on the plain port, and other protocols' first bytes",
    must_hold="the handshake fails at once; who reads finds an answer of HTTP",
)
def other_protocols(stand) -> str:
    wire = Wire(stand)
    context = trusting_anybody()
    with wire.connect() as connection:
        try:
            context.wrap_socket(connection.socket)
            raise Broken("the plain port speaks TLS")
        except TimeoutError:
            raise Broken("the handshake waits") from None
        except ssl.SSLError as error:
            reason = error.reason
    coming, going = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        context.wrap_bio(coming, going, server_hostname="pets.example").do_handshake()
    except ssl.SSLWantReadError:
        pass
    hello = Message("ClientHello", going.read().decode("latin-1"), 400)
    for message in (hello, *OTHER_PROTOCOLS):
        with wire.connect() as connection:
            send_in_pieces(connection, wire.encode(message))
            expect_refused(message, connection)
    return f"OpenSSL says {reason}"
