# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What bench/compare makes of a fault, without a server."""

import argparse
import contextlib
import io
import unittest

from comparison.processes import ServerFault
from programs import load_program

OPTIONS = argparse.Namespace(rounds=4, slice=0.1)


class OneEntrant:
    def entrants(self) -> list[str]:
        return ["the service"]


class FailsAfter:
    """A client whose later measurements are faults."""

    def __init__(self, good: int):
        self._good = good

    def measure(self, entrant: str, seconds: float, warm_up: float) -> str:
        if self._good == 0:
            raise ServerFault("The quota is used up.")
        self._good -= 1
        return "a slice"


class Compare(unittest.TestCase):
    def measure(self, client: FailsAfter) -> tuple[list, str]:
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            return load_program("compare").measure(OPTIONS, client, OneEntrant()), said.getvalue()

    def test_a_fault_in_a_later_round_leaves_the_rounds_before(self):
        rounds, said = self.measure(FailsAfter(2))
        self.assertEqual(rounds, [{"the service": "a slice"}] * 2)
        self.assertIn("The quota is used up.", said)

    def test_a_fault_in_the_first_round_is_the_end(self):
        with self.assertRaises(ServerFault):
            self.measure(FailsAfter(0))


if __name__ == "__main__":
    unittest.main()
