# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""TLS for servers that are compared: a certificate (ECDSA, P-256) that nobody else believes, and a client that does."""

import socket
import ssl
import subprocess
from pathlib import Path


def make_certificate(directory: Path) -> tuple[Path, Path]:
    """The certificate and its key, in files."""
    certificate, key = directory / "cert.pem", directory / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


def service_flags(certificate_and_key: tuple[Path, Path] | None) -> tuple[str, ...]:
    if certificate_and_key is None:
        return ()
    certificate, key = certificate_and_key
    return ("--tls-cert", str(certificate), "--tls-key", str(key))


def encrypt(connection: socket.socket) -> ssl.SSLSocket:
    """With a full handshake."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(connection)
