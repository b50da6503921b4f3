# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Unusual messages that are right, and what they get."""

from .message import HIDDEN, ID, KEY, LAST, REX, WHOLE, Message, begin, chunk, chunked, get, host, lengths, post

# None of them asks for the end of the connection, so the next request is answered on it.
TAKEN = [
    Message(name, text, status)
    for status, messages in {
        200: {
            "plain": get(),
            "two empty lines before": "\r\n\r\n" + get(),
            "tab around a value": get("X-A:\t b \t"),
            "no space before a value": get("X-A:b"),
            "empty value": get("X-A:"),
            "bytes above 0x7f in a value": get("X-A: \xe9\xff"),
            "all characters of a name": get("!#$%&'*+-.^_`|~09azAZ: b"),
            "absolute target": begin("GET http://pets.example/v1/pets?limit=1 HTTP/1.1"),
            "absolute target for another host": begin("GET http://OTHER.example:80/v1/pets HTTP/1.1"),
            "escapes in the target": begin("GET /v1/%70ets?limit=%31 HTTP/1.1"),
            "Host with a port": host(" pets.example:8080"),
            "Host with an empty port": host(" pets.example:"),
            "Host with an IPv6 address": host("[2001:db8::1]:80"),
            "Host with an escape and other characters": host(" p%65ts_1~!$&'()*+,;=.example"),
            "100 fields": get(*(f"X-{number}: a" for number in range(97))),
            "field of 7 KB": get("X-A: " + "a" * 7000),
            "target of 7 KB": begin(f"GET /v1/pets?x={'a' * 7000} HTTP/1.1"),
            "length 0": get("Content-Length: 0"),
            "GET with a body": get("Content-Length: 29") + REX,
            "GET with chunks": get("Transfer-Encoding: chunked") + WHOLE,
            "GET with a request for a body": get(f"Content-Length: {len(HIDDEN)}") + HIDDEN,
            "GET with a request in a chunk": get("Transfer-Encoding: chunked") + chunk(HIDDEN) + LAST,
            "list of options": get("Connection: , keep-alive,, x"),
            "upgrade to a WebSocket": get("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
            "upgrade to HTTP/2": get("Connection: Upgrade", "Upgrade: h2c"),
            "expectation without a body": get("Expect: 100-continue"),
            "HTTP/1.0 that stays": get("Connection: keep-alive").replace("HTTP/1.1", "HTTP/1.0"),
            "HTTP/1.0 without Host": "GET /v1/pets?limit=1 HTTP/1.0\r\nConnection: keep-alive\r\n" + KEY + ID + "\r\n",
        },
        201: {
            "length": lengths("29"),
            "length with zeros before": lengths("0029"),
            "length with a tab": lengths("\t29 "),
            "one chunk": chunked(WHOLE),
            "chunks of a byte": chunked("".join(chunk(c) for c in REX) + LAST),
            "coding in capital letters": post("TRANSFER-ENCODING: CHUNKED", body=WHOLE),
            "tab around the coding": post("Transfer-Encoding:\tchunked\t", body=WHOLE),
            "size in capital letters": chunked("1D\r\n" + REX + "\r\n" + LAST),
            "size of 16 digits": chunked("000000000000001d\r\n" + REX + "\r\n" + LAST),
            "last chunk of many zeros": chunked(chunk(REX) + "0000\r\n\r\n"),
            "extension": chunked("1d;a;b=c\r\n" + REX + "\r\n0;d\r\n\r\n"),
            "extension in quotes": chunked('1d;a="b;\\"\xe9 \t"\r\n' + REX + "\r\n" + LAST),
            "trailers": chunked(chunk(REX) + "0\r\nX-A: b\r\nX-B:\r\n\r\n"),
            "expectation with the body": post("Expect: 100-Continue", "Content-Length: 29", body=REX),
            "HTTP/1.0 with a body": post("Connection: keep-alive", "Content-Length: 29", body=REX, version="1.0"),
        },
        204: {"OPTIONS *": begin("OPTIONS * HTTP/1.1")},
        400: {
            "a request for a body": post(f"Content-Length: {len(HIDDEN)}", body=HIDDEN),
            "a request in a chunk": chunked(chunk(HIDDEN) + LAST),
        },
        404: {
            "a request for a body, to nowhere": post(f"Content-Length: {len(HIDDEN)}", body=HIDDEN).replace(
                "/v1/pets", "/v1/nowhere"
            ),
        },
    }.items()
    for name, text in messages.items()
]
