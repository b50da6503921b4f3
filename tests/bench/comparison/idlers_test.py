# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Only connections that were served, and that the server still has, count as idle."""

import os
import socket
import threading
import unittest

from comparison.idlers import growth
from comparison.processes import ServerFault
from comparison.servers import Server

CONNECTIONS = 5
REQUEST = b"GET / HTTP/1.1\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
BUSY = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"


def serve_one_after_the_other(listener: socket.socket, answer: bytes, is_kept: bool) -> None:
    kept = []
    try:
        while True:
            connection, _ = listener.accept()
            connection.recv(4096)
            connection.sendall(answer)
            if is_kept:
                kept.append(connection)
            else:
                connection.close()
    except OSError:  # the test is over
        for connection in kept:
            connection.close()


class Idlers(unittest.TestCase):
    def serve(self, answer: bytes, is_kept: bool = True) -> Server:
        listener = socket.create_server(("127.0.0.1", 0))
        thread = threading.Thread(target=serve_one_after_the_other, args=(listener, answer, is_kept))
        thread.start()

        def end() -> None:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            listener.close()

        self.addCleanup(end)
        return Server(listener.getsockname()[1], os.getpid())

    def test_connections_that_stay_are_counted(self):
        growth(self.serve(OK), CONNECTIONS, REQUEST, settle_seconds=0)

    def test_connections_that_the_server_has_closed_are_a_fault(self):
        with self.assertRaisesRegex(ServerFault, f"^Of {CONNECTIONS} connections the server has [01] open"):
            growth(self.serve(OK, is_kept=False), CONNECTIONS, REQUEST, settle_seconds=0)

    def test_an_answer_that_is_no_200_is_a_fault(self):
        with self.assertRaisesRegex(ServerFault, "503 Busy"):
            growth(self.serve(BUSY), CONNECTIONS, REQUEST, settle_seconds=0)


if __name__ == "__main__":
    unittest.main()
