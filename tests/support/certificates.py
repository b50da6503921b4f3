# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Certificates for servers on loopback, made by OpenSSL's command."""

from pathlib import Path

from .checks import find_program
from .processes import run

ECDSA = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
RSA = ("-newkey", "rsa:2048")


def make_self_signed(directory: Path, kind: tuple[str, ...] = ECDSA, name: str = "localhost") -> tuple[Path, Path]:
    """The files of a certificate and of its key."""
    certificate, key = directory / f"{name}.pem", directory / f"{name}.key"
    _openssl("req", "-x509", *kind, "-nodes", "-days", "90", "-subj", f"/CN={name}", "-keyout", key, "-out", certificate)
    return certificate, key


class Authority:
    """Issues certificates that its own certificate confirms."""

    def __init__(self, directory: Path):
        self.directory = directory
        self.certificate, self._key = make_self_signed(directory, name="ca")

    def issue(self, name: str, kind: tuple[str, ...] = ECDSA) -> tuple[Path, Path]:
        certificate, key, wish = (self.directory / f"{name}-{kind[1].split(':')[0]}.{end}" for end in ("pem", "key", "csr"))
        _openssl("req", *kind, "-nodes", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
                 "-keyout", key, "-out", wish)  # fmt: skip
        _openssl("x509", "-req", "-in", wish, "-CA", self.certificate, "-CAkey", self._key, "-CAcreateserial",
                 "-days", "60", "-copy_extensions", "copy", "-out", certificate)  # fmt: skip
        return certificate, key


def _openssl(*words: str | Path) -> None:
    run(find_program("openssl"), *words)
