# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Proxies in front of the service, on ports of their own, with few and shared connections behind them: so whatever
bytes one client leaves there become the beginning of another's request."""

from dataclasses import dataclass

from support import balancers
from support.ports import free_port

COMMANDS = {"haproxy": balancers.haproxy, "nginx": balancers.nginx}

HAPROXY = """
global
    maxconn 500
    nbthread 1
defaults
    mode http
    timeout connect 5s
    timeout server 20s
    timeout client {patience}s
    timeout http-request {patience}s
    timeout http-keep-alive {patience}s
    http-reuse always
    {options}
frontend public
    bind 127.0.0.1:{port}
    default_backend service
backend service
    server petstore 127.0.0.1:{service}
"""

NGINX = """
    client_header_timeout {patience}s;
    client_body_timeout {patience}s;
    keepalive_timeout {patience}s;
    lingering_timeout {patience}s;
    upstream service {{
        server 127.0.0.1:{service};
        keepalive 4;
    }}
    server {{
        listen 127.0.0.1:{port};
        {options}
        location / {{
            proxy_pass http://service;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_ignore_client_abort on;
            proxy_buffer_size 16k;  # a Link to the next page repeats the request's query
            proxy_buffers 8 16k;
        }}
    }}
"""


@dataclass(frozen=True)
class Kind:
    name: str
    program: str
    configuration: str
    options: str


# The second of each passes on more of what it gets, as it came.
KINDS = {
    kind.name: kind
    for kind in (
        Kind("haproxy", "haproxy", HAPROXY, ""),
        Kind("haproxy-lenient", "haproxy", HAPROXY, "option accept-invalid-http-request"),
        Kind("nginx", "nginx", NGINX, ""),
        Kind(
            "nginx-lenient",
            "nginx",
            NGINX,
            "ignore_invalid_headers off; underscores_in_headers on; proxy_request_buffering off;"
            " large_client_header_buffers 8 64k;",
        ),
    )
}


def start_front(stand, kind: Kind, service_port: int, patience_seconds: int) -> int:
    """The port where it listens. What a client leaves unfinished, it ends after the patience."""
    port = free_port()
    text = kind.configuration.format(port=port, service=service_port, patience=patience_seconds, options=kind.options)
    balancers.start(stand, COMMANDS[kind.program](stand, text), port)
    return port
