# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What scanners find in the TLS of the running program, with a key of either kind: nothing to object to."""

import json
import os
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from contextlib import contextmanager
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests"))

from support.certificates import ECDSA, RSA, Authority  # noqa: E402
from support.processes import run  # noqa: E402
from support.stand import Stand  # noqa: E402

KEYS = {"ecdsa": ECDSA, "rsa": RSA}
CIPHERS_OF_1_3 = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"}
CIPHERS_OF_1_2 = {"{}-AES128-GCM-SHA256", "{}-AES256-GCM-SHA384", "{}-CHACHA20-POLY1305"}
# Of a service that is called by programs and is tried here with a certificate of its own authority: no browser is told to
# insist on HTTPS, no revocation is published, and there is no DNS.
NOT_OF_TLS = ("cert_", "DNS_", "HSTS", "OCSP", "intermediate_cert")
# WARN is none: a trial of testssl's own that did not come off.
OBJECTIONS = ("LOW", "MEDIUM", "HIGH", "CRITICAL", "FATAL")
SOUND = {"SSLv3", "TLS1_2", "TLS1_3", "heartbleed", "SWEET32"}  # among what it must have tried
SCAN_LIMITS = 10  # a scan takes minutes


class ScanTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stand = Stand(Path(os.environ["PETSTORE"]).resolve())
        cls.addClassCleanup(cls.stand.__exit__)
        cls.authority = Authority(cls.stand.directory)

    @contextmanager
    def serve(self, kind, *flags):
        certificate, key = self.authority.issue("localhost", kind)
        server = self.stand.serve("memory:", "--tls-cert", str(certificate), "--tls-key", str(key), *flags)
        yield server
        server.stop()

    def test_sslscan_sees_what_is_offered_and_nothing_else(self):
        for kind in KEYS:
            with self.subTest(kind), self.serve(KEYS[kind]) as server:
                found = ElementTree.fromstring(run("sslscan", "--xml=-", f"127.0.0.1:{server.port}", limits=SCAN_LIMITS).stdout).find("ssltest")
                versions = {f"{p.get('type')} {p.get('version')}" for p in found.iter("protocol") if p.get("enabled") == "1"}
                self.assertEqual(versions, {"tls 1.2", "tls 1.3"})
                method = f"ECDHE-{'RSA' if kind == 'rsa' else 'ECDSA'}"
                ciphers = {c.get("cipher") for c in found.iter("cipher")}
                self.assertEqual(ciphers, CIPHERS_OF_1_3 | {c.format(method) for c in CIPHERS_OF_1_2})
                self.assertEqual(found.find("renegotiation").get("supported"), "0")
                self.assertFalse([h for h in found.iter("heartbleed") if h.get("vulnerable") != "0"])

    def test_testssl_has_nothing_to_object_to(self):
        for kind in KEYS:
            with self.subTest(kind), self.serve(KEYS[kind]) as server:
                report = self.stand.directory / f"{kind}.json"
                # Its exit code counts what could not be tried here, such as IPv6.
                run("testssl", "--quiet", "--color", "0", "--warnings", "off", "--nodns", "none", "--ip", "127.0.0.1",
                    "--add-ca", self.authority.certificate, "--jsonfile", report,
                    "-p", "-s", "-f", "-P", "-S", "-U", f"localhost:{server.port}",
                    code=None, limits=SCAN_LIMITS)  # fmt: skip
                told = json.loads(report.read_text())
                self.assertLessEqual(SOUND, {f["id"] for f in told if f["severity"] == "OK"})
                findings = [f for f in told if f["severity"] in OBJECTIONS and not f["id"].startswith(NOT_OF_TLS)]
                self.assertEqual(findings, [])

    def test_curl_gets_an_answer_in_either_version_and_keeps_the_connection(self):
        with self.serve(ECDSA) as server:
            url = f"https://localhost:{server.port}/livez"
            for version in (("--tlsv1.3",), ("--tls-max", "1.2")):
                told = run("curl", "--silent", "--show-error", "--cacert", self.authority.certificate, *version,
                           "--write-out", "%{http_version} %{num_connects} ", url, url).stdout
                self.assertEqual(told.split('{"status":"ok"}')[1:], ["1.1 1 ", "1.1 0 "])

    def test_curl_needs_the_certificate_that_is_required(self):
        required = ("--tls-client-auth", "required", "--tls-client-ca", str(self.authority.certificate))
        own, key = self.authority.issue("client", ECDSA)
        with self.serve(ECDSA, *required) as server:
            asking = ("curl", "--silent", "--cacert", self.authority.certificate, f"https://localhost:{server.port}/livez")
            self.assertEqual(run(*asking, "--cert", own, "--key", key).stdout, '{"status":"ok"}')
            self.assertNotEqual(run(*asking, code=None).returncode, 0)
