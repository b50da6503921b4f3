# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What bench/cores makes of its figures, without a server."""

import unittest

from programs import load_program

cores = load_program("cores")


def a_round(apart_us: float, together_us: float) -> dict:
    return {
        (load, way): cores.Slice(per_second=100, cpu_us=cpu_us, others_ns=50)
        for load in cores.LOADS
        for way, cpu_us in (("apart", apart_us), ("together", together_us))
    }


class Cores(unittest.TestCase):
    def test_two_threads_that_cost_each_other_nothing_are_worth_two_cores(self):
        self.assertAlmostEqual(cores.cores_worth([a_round(8, 8)], cores.ONE_KEY).median, 2)

    def test_cores_are_worth_less_where_a_request_costs_more_than_apart(self):
        # The machine was twice as slow in the second round.
        rounds = [a_round(8, 10), a_round(16, 20)]
        worth = cores.cores_worth(rounds, cores.ONE_KEY)
        self.assertAlmostEqual(worth.median, 1.6)
        self.assertAlmostEqual(worth.high - worth.low, 0)

    def test_a_load_with_own_keys_has_one_for_each_client(self):
        own, one = cores.LOADS[0], cores.ONE_KEY
        self.assertEqual({own.row_of(i).key for i in range(cores.CLIENTS)}, set(cores.KEYS))
        self.assertEqual({one.row_of(i).key for i in range(cores.CLIENTS)}, {"client 0"})

    def test_what_one_thread_does_at_a_time_limits_a_number_of_cores(self):
        # A core takes 8 µs for a request, of which 50 ns are done by one thread at a time: 160 cores fill them.
        table = cores.limits_table({"the log": 50}, cpu_us=8)
        cells = [cell.strip() for cell in table.splitlines()[2].split("|")[1:-1]]
        self.assertEqual(cells, ["the log", "50", "20,000,000", "160"])


if __name__ == "__main__":
    unittest.main()
