# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A wire between a node and a server that breaks at the worst moment: after the server has done what it was asked, and
before anybody hears of it."""

import socket
import threading

from support.ports import free_port


class Relay:
    """Passes on what it gets. When it has passed on `marker`, the next thing that the server says is thrown away, and the
    connection with it."""

    def __init__(self, stand, server_port: int, marker: bytes):
        self.port = free_port()
        self.broken = 0  # how often it has done so
        self._server_port = server_port
        self._marker = marker
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()
        stand.at_end(self._close)

    def _accept(self) -> None:
        while True:
            try:
                node, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._server_port))
            except OSError:
                return
            with self._lock:
                self._sockets += [node, server]
            marked = threading.Event()
            threading.Thread(target=self._pass_on, args=(node, server, marked), daemon=True).start()
            threading.Thread(target=self._pass_back, args=(server, node, marked), daemon=True).start()

    def _pass_on(self, node: socket.socket, server: socket.socket, marked: threading.Event) -> None:
        last = b""
        try:
            while data := node.recv(65536):
                if self._marker in last + data:
                    marked.set()
                last = data[-len(self._marker) :]
                server.sendall(data)
        except OSError:
            pass
        _shut(server)

    def _pass_back(self, server: socket.socket, node: socket.socket, marked: threading.Event) -> None:
        try:
            while data := server.recv(65536):
                if marked.is_set():
                    self.broken += 1
                    break
                node.sendall(data)
        except OSError:
            pass
        _shut(node)
        _shut(server)

    def _close(self) -> None:
        self._listener.close()
        with self._lock:
            for one in self._sockets:
                _shut(one)
                one.close()


def _shut(one: socket.socket) -> None:
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
