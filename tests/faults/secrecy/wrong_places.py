# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Every place of a request in which a key may stand by mistake. Each entry is what stands there: name, then bytes."""

import base64
import json
from collections.abc import Iterator

JSON = "Content-Type: application/json"
MERGE = "Content-Type: application/merge-patch+json"

TARGETS = (
    "/{}",
    "/v1/{}",
    "/v1/pets/{}",
    "/v1/pets/1/{}",
    "/v1/pets/1{}",
    "/v1/categories/{}",
    "/v1/store/orders/{}",
    "/v1/openapi.json/{}",
    "/livez/{}",
    "/metrics?{}",
    "/v1/pets?{}",
    "/v1/pets?{}=1",
    "/v1/pets?limit=1&{}",
    "/v1/pets?limit=1&{}=1",
    "/v1/pets?limit=1&api_key={}",
    "/v1/pets?limit=1&api%5Fkey={}&status=available",
    "/v1/pets?limit={}",
    "/v1/pets?status={}",
    "/v1/pets?categoryId={}",
    "/v1/pets?cursor={}",
    "/v1/store/orders?status={}",
    "/v1/store/orders?petId={}",
    "/v1/pets#{}",
    "http://{}/v1/pets",
    "http://user:{}@petstore.test/v1/pets",
    "http://petstore.test/v1/{}",
    "{}",
    "*{}",
)

FIELDS = (
    "Accept",
    "Accept-Charset",
    "Accept-Encoding",
    "Accept-Language",
    "Access-Control-Request-Headers",
    "Access-Control-Request-Method",
    "Authorization",
    "Cache-Control",
    "Connection",
    "Content-Encoding",
    "Content-Language",
    "Content-Length",
    "Content-Type",
    "Cookie",
    "Date",
    "Expect",
    "Forwarded",
    "From",
    "Host",
    "Idempotency-Key",
    "If-Match",
    "If-Modified-Since",
    "If-None-Match",
    "If-Range",
    "Keep-Alive",
    "Max-Forwards",
    "Origin",
    "Pragma",
    "Prefer",
    "Proxy-Authorization",
    "Range",
    "Referer",
    "TE",
    "Trailer",
    "Transfer-Encoding",
    "Upgrade",
    "User-Agent",
    "Via",
    "X-Api-Key",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-HTTP-Method-Override",
    "X-Request-Id",
    "traceparent",
)

AUTHORIZATIONS = (
    "Basic {}",
    "Token {}",
    "Bearer {}x",
    "Bearer {0} {0}",
    'Bearer "{}"',
    "Bearer={}",
    "Bearer x\r\nAuthorization: Bearer {}",
    "Digest username={}",
)

NAME_ALONE = '{{"name":"{}"}}'

# What is wrong with each is up to the service; none of them may be stored.
BODIES = (
    "{}",
    '"{}"',
    '["{}"]',
    '{{"{}":1}}',
    '{{"{0}":1,"{0}":2,"name":7}}',
    '{{"name":7,"categoryId":"{}"}}',
    '{{"name":"x","categoryId":"{}"}}',
    '{{"name":"x","categoryId":1,"status":"{}"}}',
    '{{"name":"x","name":"{}","categoryId":1}}',
    NAME_ALONE,
    '{{"name":"{}","categoryId":1}} {}',
    '{{"name":"{}","categoryId":1}}{{',
    '{{"name":"{}',
    '{{"name":{}',
    '{{"name":"{}\\x"}}',
    '{{"name":"{}\x01"}}',
    '{{"name":"x","categoryId":{}}}',
    '{{"name":["{}"],"categoryId":{{"{}":1}}}}',
    '{{"petId":"{}"}}',
    '{{"status":"{}"}}',
)


def message(
    method: str, target: str, *lines: str, body: str = "", version: str = "HTTP/1.1", host: bool = True
) -> bytes:
    head = [f"{method} {target} {version}"] + (["Host: petstore.test"] if host else []) + [*lines]
    if body:
        head.append(f"Content-Length: {len(body.encode('latin-1'))}")
    return ("\r\n".join(head) + "\r\n\r\n" + body).encode("latin-1")


def requests(text: str, authorization: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Every request with the text in a wrong place."""
    for target in TARGETS:
        yield f"target {target}", message("GET", target.format(text), *authorization)
    yield "path, written", message("PATCH", f"/v1/pets/{text}", *authorization, MERGE, body='{"status":null}')
    yield from _fields(text, authorization)
    for target, kind in (("/v1/pets", JSON), ("/v1/categories", JSON), ("/v1/store/orders", JSON)):
        for body in BODIES:
            if target == "/v1/categories" and body == NAME_ALONE:
                continue  # nothing is wrong with it there
            content = body.format(text, text)
            yield f"body {body} to {target}", message("POST", target, *authorization, kind, body=content)
    for body in BODIES:
        if body == NAME_ALONE:
            continue
        yield f"patch {body}", message("PATCH", "/v1/pets/1", *authorization, MERGE, body=body.format(text, text))
    yield "body cut off", message("POST", "/v1/pets", *authorization, JSON, body='{"name":"' + text)[:-5]
    yield "body of no type", message("POST", "/v1/pets", *authorization, body=text)
    yield "body too long", message("POST", "/v1/pets", *authorization, JSON, body=f'{{"name":"{text}' + "a" * 70_000)
    yield from _framing(text, authorization)


def _fields(text: str, authorization: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    for name in FIELDS:
        given = () if name == "Authorization" else authorization
        line = f"{name}: {text}"
        is_host = name == "Host"
        yield f"{name} of GET", message("GET", "/v1/pets?limit=1", *given, line, host=not is_host)
        yield f"{name} of OPTIONS", message(
            "OPTIONS", "/v1/pets", *given, "Origin: https://shop.test", line, host=not is_host
        )
        yield f"{name} of PATCH", message(
            "PATCH", "/v1/pets/1", *given, MERGE, line, body='{"status":"pending"}', host=not is_host
        )
    yield "Idempotency-Key of POST", message(
        "POST", "/v1/pets", *authorization, JSON, f"Idempotency-Key: {text}", body='{"name":"x","categoryId":1}'
    )
    yield "Idempotency-Key again", message(
        "POST", "/v1/pets", *authorization, JSON, f"Idempotency-Key: {text}", body='{"name":"y","categoryId":1}'
    )
    for value in AUTHORIZATIONS:
        yield f"Authorization: {value}", message("GET", "/v1/pets", "Authorization: " + value.format(text))
    coded = base64.b64encode(f"user:{text}".encode()).decode()
    yield "basic authorization", message("GET", "/v1/pets", f"Authorization: Basic {coded}")
    yield "name of a field", message("GET", "/v1/pets", *authorization, f"{text}: 1")
    yield "line without a colon", message("GET", "/v1/pets", *authorization, text)
    yield "space before the colon", message("GET", "/v1/pets", *authorization, f"X-Key : {text}")
    yield "folded line", message("GET", "/v1/pets", *authorization, f"X-Key: 1\r\n {text}")
    yield "NUL in a value", message("GET", "/v1/pets", *authorization, f"X-Key: {text}\0")
    yield "field too long", message("GET", "/v1/pets", *authorization, f"X-Key: {text}" + "a" * 9_000)
    yield "request id twice", message("GET", "/v1/pets", *authorization, *[f"X-Request-Id: {text}"] * 2)
    yield "request id with more", message("GET", "/v1/pets", *authorization, f"X-Request-Id: id-{text}-1")


def _framing(text: str, authorization: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    yield "method", message(text, "/v1/pets", *authorization)
    yield "version", message("GET", "/v1/pets", *authorization, version=text)
    yield "version number", message("GET", "/v1/pets", *authorization, version=f"HTTP/{text}")
    yield "request line alone", text.encode() + b"\r\n\r\n"
    yield "target too long", message("GET", f"/v1/{text}" + "a" * 9_000, *authorization)
    chunked = message("POST", "/v1/pets", *authorization, JSON, "Transfer-Encoding: chunked")
    body = json.dumps({"name": "x", "categoryId": 1}).encode()
    size = f"{len(body):x}".encode()
    key = text.encode()
    yield "chunk size", chunked + key + b"\r\n" + body + b"\r\n0\r\n\r\n"
    yield "chunk extension", chunked + size + b";" + key + b"=1\r\n" + body + b"\r\n0\r\n\r\n"
    yield "chunk extension's value", chunked + size + b';a="' + key + b'"\r\n' + body + b"\r\n0\r\n\r\n"
    yield "after a chunk", chunked + size + b"\r\n" + body + key + b"\r\n0\r\n\r\n"
    yield "name in the trailer", chunked + size + b"\r\n" + body + b"\r\n0\r\n" + key + b": 1\r\n\r\n"
    yield "value in the trailer", chunked + size + b"\r\n" + body + b"\r\n0\r\nX-Key: " + key + b"\r\n\r\n"
    first = message("GET", "/v1/pets?limit=1", *authorization)
    yield "behind a good request", first + key + b"\r\n\r\n"
    yield "in a second request", first + message("GET", f"/v1/pets/{text}", *authorization)
