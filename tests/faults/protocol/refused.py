# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""All messages that HTTP/1.1 forbids or that this service limits. Nothing that follows one of them is a request."""

from .message import COMMON, REX, begin, chunk, chunked, coding, get, post, refused
from .refused_bodies import CHUNKS, CODINGS, LENGTHS
from .refused_heads import FIELDS, HOSTS, REQUEST_LINES, TARGETS

MANY = 2000

# A terminal, a mail client, a proxy that was told the wrong thing.
OTHER_PROTOCOLS = refused(
    400,
    {
        "TLS": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + "\xa5" * 32 + "\x00\x00\x02\x13\x01\r\n",
        "SSH": "SSH-2.0-OpenSSH_9.2\r\n",
        "SMTP": "EHLO pets.example\r\n",
        "PROXY, version 1": "PROXY TCP4 192.0.2.1 192.0.2.2 40000 80\r\n" + get(),
        "PROXY, version 2": "\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc0\0\2\1\xc0\0\2\2\x9c\x40\0\x50" + get(),
        "SIP": "OPTIONS sip:pets.example SIP/2.0\r\n" + COMMON + "\r\n",
        "an answer": "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    },
)

NOT_HERE = [
    *refused(
        505,
        {
            "the preface of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
            "HTTP/1.2": begin("GET /v1/pets HTTP/1.2"),
            "HTTP/1.9": begin("GET /v1/pets HTTP/1.9"),
            "HTTP/2.0": begin("GET /v1/pets HTTP/2.0"),
            "HTTP/3": begin("GET /v1/pets HTTP/3"),
        },
    ),
    *refused(
        501,
        {
            "method in small letters": begin("get /v1/pets HTTP/1.1"),
            "method nobody knows": begin("BREW /v1/pets HTTP/1.1"),
            "method of another standard": begin("PROPFIND /v1/pets HTTP/1.1"),
            "method that begins like one": begin("GETS /v1/pets HTTP/1.1"),
            "method of 1,000 letters": begin("G" * 1000 + " /v1/pets HTTP/1.1"),
            "gzip": coding("Transfer-Encoding: gzip"),
            "gzip, chunked": coding("Transfer-Encoding: gzip, chunked"),
            "identity": coding("Transfer-Encoding: identity"),
            "xchunked": coding("Transfer-Encoding: xchunked"),
            "chunke": coding("Transfer-Encoding: chunke"),
            "coding nobody knows": coding("Transfer-Encoding: cow"),
        },
    ),
    *refused(
        405,
        {
            "TRACE": begin("TRACE /v1/pets HTTP/1.1"),
            "CONNECT": begin("CONNECT pets.example:443 HTTP/1.1"),
            "CONNECT with a path": begin("CONNECT /v1/pets HTTP/1.1"),
        },
    ),
    *refused(
        417,
        {
            "another expectation": post("Expect: 200-ok", "Content-Length: 29", body=""),
            "100-continue and another": post("Expect: 100-continue, gold", "Content-Length: 29", body=""),
            "100-continue and another field": post("Expect: 100-continue", "Expect: x", "Content-Length: 29", body=""),
            "no expectation": post("Expect:", "Content-Length: 29", body=""),
        },
    ),
]

TOO_MUCH = [
    *refused(
        414,
        {
            "target of 10 KB": begin(f"GET /v1/pets?x={'a' * 10_000} HTTP/1.1"),
            "path of 10 KB": begin(f"GET /{'a' * 10_000} HTTP/1.1"),
            "line of 20 KB without an end": "GET /" + "a" * 20_000,
            "method of 20 KB": "G" * 20_000,
        },
    ),
    *refused(
        431,
        {
            f"{MANY} fields": get(*(f"X-{number}: a" for number in range(MANY))),
            "101 fields": get(*(f"X-{number}: a" for number in range(98))),
            "field of 10 KB": get("X-A: " + "a" * 10_000),
            "name of 10 KB": get("X" * 10_000 + ": a"),
            "field of 20 KB without an end": get()[:-2] + "X-A: " + "a" * 20_000,
            f"{MANY} trailers": chunked(
                chunk(REX) + "0\r\n" + "".join(f"X-{number}: a\r\n" for number in range(MANY)) + "\r\n"
            ),
            "trailer of 10 KB": chunked(chunk(REX) + "0\r\nX-A: " + "a" * 10_000 + "\r\n\r\n"),
        },
    ),
    *refused(
        413,
        {
            "length 65,537": post("Content-Length: 65537", body=""),
            "length 2^32": post("Content-Length: 4294967296", body=""),
            "length 2^63 - 1": post("Content-Length: 9223372036854775807", body=""),
            "length 2^64 - 1": post("Content-Length: 18446744073709551615", body=""),
            "too large with an expectation": post("Expect: 100-continue", "Content-Length: 65537", body=""),
            "chunk of 65,537": chunked("10001\r\n"),
            "chunk of 2^64 - 1": chunked("ffffffffffffffff\r\n"),
            "chunks of 65,537 together": chunked(chunk("[" * 65536) + "1\r\n"),
        },
    ),
]

REFUSED = [
    *REQUEST_LINES,
    *TARGETS,
    *FIELDS,
    *HOSTS,
    *LENGTHS,
    *CODINGS,
    *CHUNKS,
    *OTHER_PROTOCOLS,
    *NOT_HERE,
    *TOO_MUCH,
]
