#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Does the receiver in docs/operating.md know a genuine message? The openssl command signs here."""

import subprocess
import unittest

# What docs/operating.md shows.
import hashlib, hmac, time

def is_genuine(secret: bytes, signature: str, body: bytes) -> bool:
    try:
        parts = dict(part.split("=", 1) for part in signature.split(","))
        signed, age = parts["t"].encode() + b"." + body, abs(time.time() - int(parts["t"]))
        expected = hmac.new(secret, signed, hashlib.sha256).hexdigest()
        return age < 300 and hmac.compare_digest(expected.encode(), parts["v1"].encode())
    except (KeyError, ValueError):
        return False


SECRET = "0123456789abcdef0123456789abcdef"
BODY = b'{"event":"quota.threshold","percent":80}'


def sign(at: int) -> str:
    command = ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", f"key:{SECRET}", "-hex"]
    told = subprocess.run(command, input=str(at).encode() + b"." + BODY, capture_output=True, check=True).stdout
    return f"t={at},v1={told.decode().split()[-1]}"


class Signature(unittest.TestCase):
    def test_a_genuine_message_is_known(self) -> None:
        self.assertTrue(is_genuine(SECRET.encode(), sign(int(time.time())), BODY))

    def test_another_message_is_not(self) -> None:
        self.assertFalse(is_genuine(SECRET.encode(), sign(int(time.time())), BODY + b" "))

    def test_another_secret_is_not(self) -> None:
        self.assertFalse(is_genuine(b"f" * 32, sign(int(time.time())), BODY))

    def test_an_old_message_is_not(self) -> None:
        self.assertFalse(is_genuine(SECRET.encode(), sign(int(time.time()) - 301), BODY))

    def test_what_is_no_signature_is_not(self) -> None:
        for text in ("", "t=1", "v1=00", "t=x,v1=00", "t", "t=1,v1=é"):
            self.assertFalse(is_genuine(SECRET.encode(), text, BODY), text)


if __name__ == "__main__":
    unittest.main()
