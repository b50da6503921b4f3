# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What becomes of the figures once they are measured: ratios, the table and the chart. Nothing here is timed."""

import unittest
import xml.etree.ElementTree as xml

from comparison import chart, table
from comparison.contest import Contender, Entrant
from comparison.rounds import Slice, Spread, cpu_gain, cpu_to_floor, throughput_gain, throughput_to_floor
from comparison.rows import NGINX, PET, ROWS, Row, head_text, request_text
from comparison.servers import Server, port_of


def entrant(title: str) -> Entrant:
    return Entrant(title, Server(1, 1), b"", 700, 1, 200)


def a_slice(requests_per_second: float, cpu_us: float) -> Slice:
    return Slice(requests_per_second, cpu_us, busy=1.0, wait_p50_us=1.0, wait_p99_us=2.0)


FLOOR = entrant("floor")
NEW = Contender(PET, "this", entrant("new"), FLOOR)
OLD = Contender(PET, "old", entrant("old"), FLOOR)
# The machine is twice as slow in the second round; the third one was disturbed.
ROUNDS = [
    {FLOOR: a_slice(200, 5), NEW.entrant: a_slice(160, 6.25), OLD.entrant: a_slice(80, 12.5)},
    {FLOOR: a_slice(100, 10), NEW.entrant: a_slice(80, 12.5), OLD.entrant: a_slice(40, 25)},
    {FLOOR: a_slice(200, 5), NEW.entrant: a_slice(20, 50), OLD.entrant: a_slice(80, 12.5)},
]


class Figures(unittest.TestCase):
    def test_a_ratio_is_made_within_a_round_and_is_less_than_1_above_the_floor(self):
        self.assertAlmostEqual(throughput_to_floor(ROUNDS[:2], NEW).median, 0.8)
        self.assertAlmostEqual(cpu_to_floor(ROUNDS[:2], NEW).median, 0.8)
        self.assertAlmostEqual(cpu_to_floor(ROUNDS[:2], NEW).low, 0.8)

    def test_a_gain_is_more_than_1_where_the_new_one_is_faster(self):
        self.assertAlmostEqual(throughput_gain(ROUNDS[:2], NEW, OLD).median, 2)
        self.assertAlmostEqual(cpu_gain(ROUNDS[:2], NEW, OLD).median, 2)

    def test_one_disturbed_round_does_not_move_the_median(self):
        self.assertAlmostEqual(throughput_to_floor(ROUNDS, NEW).median, 0.8)

    def test_a_single_round_has_no_width(self):
        self.assertEqual(Spread.of([3.0]), Spread(3.0, 3.0, 3.0))

    def test_only_the_same_row_of_two_builds_makes_a_pair(self):
        nginx = Contender(NGINX, "nginx", entrant("nginx"), FLOOR)
        self.assertEqual(table.pairs_of([NEW, nginx, OLD], "this", "old"), [(NEW, OLD)])

    def test_a_server_that_waited_is_named(self):
        waited = Slice(100, 5, busy=0.5, wait_p50_us=1, wait_p99_us=2)
        self.assertEqual(table.idle_servers([ROUNDS[0] | {FLOOR: waited}], [NEW]), ["floor"])

    def test_the_table_names_each_build_and_ends_with_the_floor(self):
        lines = table.ratios_table(ROUNDS, [NEW, OLD]).splitlines()
        self.assertIn("GET /pets/{id} (this)", lines[2])
        self.assertIn("GET /pets/{id} (old)", lines[3])
        self.assertIn("floor", lines[4])
        self.assertEqual(len({len(line) for line in lines}), 1)

    def test_the_chart_is_an_image_with_two_bars_for_each_contender(self):
        image = xml.fromstring(chart.draw(chart.bars_of(ROUNDS, [NEW, OLD])))
        bars = [r for r in image.iter("{http://www.w3.org/2000/svg}rect") if r.get("height") == str(chart.BAR)]
        self.assertEqual(len(bars), 4)


class Rows(unittest.TestCase):
    def test_each_row_has_a_name_of_its_own(self):
        self.assertEqual(len({row.name for row in ROWS}), len(ROWS))

    def test_a_request_is_a_whole_head_and_has_the_key_of_its_row(self):
        text = request_text(PET, {"large": "secret"})
        self.assertTrue(text.startswith(b"GET /v1/pets/1 HTTP/1.1\r\n"))
        self.assertTrue(text.endswith(b"\r\nAuthorization: Bearer secret\r\n\r\n"))

    def test_what_is_posted_follows_its_length(self):
        text = request_text(Row("post", "POST", body='{"name":"Émile"}', key=None), {})
        self.assertTrue(text.startswith(b"POST /v1/pets/1 HTTP/1.1\r\n"))
        self.assertTrue(text.endswith(b"\r\nContent-Length: 17\r\n\r\n" + '{"name":"Émile"}'.encode()))

    def test_the_floor_is_sent_a_head_alone(self):
        self.assertEqual(head_text(b"POST / HTTP/1.1\r\nHost: a\r\n\r\n{}"), b"POST / HTTP/1.1\r\nHost: a\r\n\r\n")

    def test_a_port_is_found_with_and_without_a_path_behind_it(self):
        self.assertEqual(port_of("http://127.0.0.1:81/v1"), 81)
        self.assertEqual(port_of("http://127.0.0.1:82"), 82)


if __name__ == "__main__":
    unittest.main()
