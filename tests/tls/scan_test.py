# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What scanners find in the TLS of the running program, with a key of either kind: nothing to object to."""

import json
import os
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

KEYS = {
    "ecdsa": ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
    "rsa": ("-newkey", "rsa:2048"),
}
CIPHERS_OF_1_3 = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"}
CIPHERS_OF_1_2 = {"{}-AES128-GCM-SHA256", "{}-AES256-GCM-SHA384", "{}-CHACHA20-POLY1305"}
# Of a service that is called by programs and is tried here with a certificate of its own authority: no browser is told to
# insist on HTTPS, no revocation is published, and there is no DNS.
NOT_OF_TLS = ("cert_", "DNS_", "HSTS", "OCSP", "intermediate_cert")
# WARN is none: a trial of testssl's own that did not come off.
OBJECTIONS = ("LOW", "MEDIUM", "HIGH", "CRITICAL", "FATAL")
SOUND = {"SSLv3", "TLS1_2", "TLS1_3", "heartbleed", "SWEET32"}  # among what it must have tried
PATIENCE_SECONDS = 600


def run(*command, **more):
    return subprocess.run(
        [str(c) for c in command], check=True, capture_output=True, text=True, timeout=PATIENCE_SECONDS, **more
    ).stdout


class Authority:
    def __init__(self, directory: Path):
        self.directory = directory
        self.certificate = directory / "ca.pem"
        self._key = directory / "ca.key"
        run("openssl", "req", "-x509", *KEYS["ecdsa"], "-nodes", "-days", "90", "-subj", "/CN=ca",
            "-keyout", self._key, "-out", self.certificate)

    def issue(self, name: str, kind: str) -> tuple[Path, Path]:
        certificate, key, wish = (self.directory / f"{name}-{kind}.{end}" for end in ("pem", "key", "csr"))
        run("openssl", "req", *KEYS[kind], "-nodes", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}",
            "-keyout", key, "-out", wish)
        run("openssl", "x509", "-req", "-in", wish, "-CA", self.certificate, "-CAkey", self._key, "-CAcreateserial",
            "-days", "60", "-copy_extensions", "copy", "-out", certificate)
        return certificate, key


class Service:
    def __init__(self, certificate: Path, key: Path, *flags):
        command = [os.environ["PETSTORE"], "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]
        command += ["--store", "memory:", "--tls-cert", certificate, "--tls-key", key, *flags]
        self._process = subprocess.Popen(
            [str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        line = self._process.stdout.readline()
        if not line.startswith("listening on https://"):
            raise AssertionError(f"the service says {line!r}")
        self.port = int(line.rpartition(":")[2].partition("/")[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        self.code = self._process.wait(PATIENCE_SECONDS)
        self._process.stdout.close()


class ScanTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory(prefix="petstore-tls-")
        cls.addClassCleanup(directory.cleanup)
        cls.directory = Path(directory.name)
        cls.authority = Authority(cls.directory)

    def test_sslscan_sees_what_is_offered_and_nothing_else(self):
        for kind in KEYS:
            with self.subTest(kind), Service(*self.authority.issue("localhost", kind)) as service:
                found = ElementTree.fromstring(run("sslscan", "--xml=-", f"127.0.0.1:{service.port}")).find("ssltest")
                versions = {f"{p.get('type')} {p.get('version')}" for p in found.iter("protocol") if p.get("enabled") == "1"}
                self.assertEqual(versions, {"tls 1.2", "tls 1.3"})
                method = f"ECDHE-{'RSA' if kind == 'rsa' else 'ECDSA'}"
                ciphers = {c.get("cipher") for c in found.iter("cipher")}
                self.assertEqual(ciphers, CIPHERS_OF_1_3 | {c.format(method) for c in CIPHERS_OF_1_2})
                self.assertEqual(found.find("renegotiation").get("supported"), "0")
                self.assertFalse([h for h in found.iter("heartbleed") if h.get("vulnerable") != "0"])

    def test_testssl_has_nothing_to_object_to(self):
        for kind in KEYS:
            with self.subTest(kind), Service(*self.authority.issue("localhost", kind)) as service:
                report = self.directory / f"{kind}.json"
                # Its exit code counts what could not be tried here, such as IPv6.
                subprocess.run(
                    ["testssl", "--quiet", "--color", "0", "--warnings", "off", "--nodns", "none", "--ip", "127.0.0.1",
                     "--add-ca", str(self.authority.certificate), "--jsonfile", str(report),
                     "-p", "-s", "-f", "-P", "-S", "-U", f"localhost:{service.port}"],
                    capture_output=True, timeout=PATIENCE_SECONDS,
                )  # fmt: skip
                told = json.loads(report.read_text())
                self.assertLessEqual(SOUND, {f["id"] for f in told if f["severity"] == "OK"})
                findings = [f for f in told if f["severity"] in OBJECTIONS and not f["id"].startswith(NOT_OF_TLS)]
                self.assertEqual(findings, [])

    def test_curl_gets_an_answer_in_either_version_and_keeps_the_connection(self):
        with Service(*self.authority.issue("localhost", "ecdsa")) as service:
            url = f"https://localhost:{service.port}/livez"
            for version in (("--tlsv1.3",), ("--tls-max", "1.2")):
                told = run("curl", "--silent", "--show-error", "--cacert", self.authority.certificate, *version,
                           "--write-out", "%{http_version} %{num_connects} ", url, url)
                self.assertEqual(told.split('{"status":"ok"}')[1:], ["1.1 1 ", "1.1 0 "])

    def test_curl_needs_the_certificate_that_is_required(self):
        required = ("--tls-client-auth", "required", "--tls-client-ca", self.authority.certificate)
        own, key = self.authority.issue("client", "ecdsa")
        with Service(*self.authority.issue("localhost", "ecdsa"), *required) as service:
            asking = ("curl", "--silent", "--cacert", self.authority.certificate, f"https://localhost:{service.port}/livez")
            self.assertEqual(run(*asking, "--cert", own, "--key", key), '{"status":"ok"}')
            self.assertNotEqual(subprocess.run([str(c) for c in asking], capture_output=True).returncode, 0)
