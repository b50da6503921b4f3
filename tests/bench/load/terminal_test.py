# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""petstore-load as people meet it: at a terminal, with questions, and with Ctrl-C.

PETSTORE_LOAD names the program."""

import fcntl
import http.server
import json
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from support.checks import TIME_LIMIT_SECONDS  # noqa: E402

MEASURED, WRONG_USAGE, INTERRUPTED = 0, 2, 130  # exit codes
CTRL_C = b"\x03"
WIPE = "\r\x1b[K"


class Service(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.asked.set()
        self.server.may_answer.wait(TIME_LIMIT_SECONDS)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_) -> None:
        pass


class Terminal:
    """The program with a terminal of its own, which it controls it by."""

    def __init__(self, arguments: list[str], columns: int = 100, colour: bool = True):
        self._ours, theirs = os.openpty()
        resize(theirs, columns)
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        if not colour:
            environment["NO_COLOR"] = "1"
        self.process = subprocess.Popen(
            [os.environ["PETSTORE_LOAD"], *arguments], env=environment, preexec_fn=lambda: os.login_tty(os.dup(theirs))
        )
        os.close(theirs)
        self.text = ""

    def resize(self, columns: int) -> None:
        resize(self._ours, columns)

    def type(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def read_until(self, wanted: str) -> None:
        end = time.monotonic() + TIME_LIMIT_SECONDS
        while wanted not in self.text:
            if time.monotonic() > end or not self._read(end):
                raise AssertionError(f"{wanted!r} is not in {self.text!r}")

    def read_to_end(self) -> int:
        """The exit code."""
        end = time.monotonic() + TIME_LIMIT_SECONDS
        while self._read(end):
            pass
        return self.process.wait(TIME_LIMIT_SECONDS)

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self._ours], [], [], max(0, end - time.monotonic()))
        if not ready:
            raise AssertionError(f"nothing more came after {self.text!r}")
        try:
            some = os.read(self._ours, 65536)
        except OSError:  # what the kernel says when the last who had the terminal is gone
            return False
        self.text += some.decode()
        return bool(some)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)


def resize(descriptor: int, columns: int) -> None:
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def has_terminals() -> bool:
    """Not in a root directory without /dev/pts."""
    try:
        ours, theirs = os.openpty()
    except OSError:
        return False
    os.close(ours)
    os.close(theirs)
    return True


@unittest.skipUnless(has_terminals(), "no pseudo-terminals here")
class AtATerminal(unittest.TestCase):
    def serve(self, address: str = "127.0.0.1", answers: bool = True) -> str:
        self.server = http.server.ThreadingHTTPServer((address, 0), Service)
        self.server.asked, self.server.may_answer = threading.Event(), threading.Event()
        if answers:
            self.server.may_answer.set()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.addCleanup(self.server.may_answer.set)
        return f"http://{address}:{self.server.server_port}/"

    def open(self, *arguments: str, **looks) -> Terminal:
        terminal = Terminal(list(arguments), **looks)
        self.addCleanup(terminal.close)
        return terminal

    def test_live_line_is_drawn_over_itself_and_wiped_before_the_figures(self) -> None:
        columns = 44
        terminal = self.open(self.serve(), "--rate", "20", "--duration", "2s", columns=columns, colour=False)
        self.assertEqual(terminal.read_to_end(), MEASURED)
        live, wiped, figures = terminal.text.rpartition(WIPE)
        self.assertTrue(wiped, terminal.text)
        self.assertNotIn("\n", live)
        drawn = [line.removesuffix("\x1b[K") for line in live.split("\r") if line]
        self.assertGreater(len(drawn), 1)
        for line in drawn:
            self.assertLess(len(line), columns)
            self.assertIn("errors 0", line)
        self.assertIn("40 due, 40 answered", figures)
        self.assertNotIn("\x1b", figures)

    def test_live_line_follows_a_terminal_that_is_made_wider(self) -> None:
        terminal = self.open(self.serve(), "--rate", "20", "--duration", "1h", columns=30, colour=False)
        terminal.read_until("errors 0")
        self.assertNotIn(" left", terminal.text)
        terminal.resize(120)
        terminal.read_until(" left")
        terminal.type(CTRL_C)
        self.assertEqual(terminal.read_to_end(), INTERRUPTED)

    def test_figures_are_in_colour_unless_nobody_wants_it(self) -> None:
        run = (self.serve(), "--rate", "max", "--requests", "5", "--quiet")
        coloured, plain = self.open(*run), self.open(*run, colour=False)
        self.assertEqual((coloured.read_to_end(), plain.read_to_end()), (MEASURED, MEASURED))
        self.assertIn("\x1b[1m", coloured.text)
        self.assertNotIn("\x1b", plain.text)

    def test_another_host_is_loaded_only_when_its_name_is_typed(self) -> None:
        address = own_address()
        if not address:
            self.skipTest("this machine has no address but loopback")
        run = (self.serve(address), "--rate", "max", "--requests", "5", "--quiet")
        refused = self.open(*run)
        refused.read_until("Type its name if you may load it: ")
        refused.type(b"yes\n")
        self.assertEqual(refused.read_to_end(), WRONG_USAGE)
        self.assertIn("is not loaded", refused.text)
        self.assertFalse(self.server.asked.is_set())
        permitted = self.open(*run)
        permitted.read_until("Type its name if you may load it: ")
        permitted.type(address.encode() + b"\n")
        self.assertEqual(permitted.read_to_end(), MEASURED)
        self.assertIn("5 answered", permitted.text)

    def test_ctrl_c_ends_a_run_with_its_reports(self) -> None:
        with tempfile.TemporaryDirectory() as directory:
            run, page = Path(directory) / "run.json", Path(directory) / "run.html"
            terminal = self.open(
                self.serve(), "--rate", "50", "--duration", "1h", "--json", str(run), "--html", str(page)
            )
            terminal.read_until(" left")
            self.assertTrue(self.server.asked.wait(TIME_LIMIT_SECONDS))
            terminal.type(CTRL_C)
            self.assertEqual(terminal.read_to_end(), INTERRUPTED)
            self.assertIn("ended by Ctrl-C", terminal.text)
            self.assertEqual(json.loads(run.read_text())["run"]["ended_by"], "Ctrl-C")
            self.assertIn("</html>", page.read_text())

    def test_second_signal_ends_the_program_at_once(self) -> None:
        terminal = self.open(self.serve(answers=False), "--rate", "max", "--duration", "1h", "--timeout", "1h")
        self.assertTrue(self.server.asked.wait(TIME_LIMIT_SECONDS))
        # Both are there when it goes on, or it might end by the first one before the second comes.
        for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
            terminal.process.send_signal(number)
        self.assertIn(terminal.read_to_end(), (128 + signal.SIGINT, 128 + signal.SIGTERM))
        self.assertIsNone(re.search("requests .* due", terminal.text))


def own_address() -> str:
    """Of this machine, and not of loopback; empty where it has none. Nothing is sent: the kernel is asked for a route."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # RFC 5737
        except OSError:
            return ""
        address = asked.getsockname()[0]
    return "" if address.startswith("127.") else address


if __name__ == "__main__":
    unittest.main()
