# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The crowd of bench/bad_clients, one step after the other."""

import argparse
import socket
import unittest

from programs import load_program


class BadClients(unittest.TestCase):
    def test_what_was_planned_for_a_connection_is_not_done_to_the_next_one_on_its_descriptor(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            options = argparse.Namespace(port=port, manner="slow-head", key=None, number=1, every=1.0, pause=0.0)
            crowd = load_program("bad_clients").Crowd(options)
            self.addCleanup(lambda: [connection.close() for connection in crowd._sockets.values()])
            sent = []
            crowd._send = lambda fd, data: sent.append(data)
            descriptors = []
            for _ in range(2):
                (fd, events), *_ = crowd._epoll.poll()
                descriptors.append(fd)
                crowd._hear(fd, events)
                if len(descriptors) == 1:
                    crowd._leave(fd)
                    crowd._come(0)
            self.assertEqual(descriptors[0], descriptors[1])
            planned = [(fd, visit) for _, _, fd, visit in crowd._due if fd >= 0]
            self.assertEqual(len(planned), 2)
            self.assertEqual([crowd.is_due(fd, visit) for fd, visit in planned].count(True), 1)


if __name__ == "__main__":
    unittest.main()
