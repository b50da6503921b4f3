# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The parts of bench/compare, from what is asked (rows) to what is told (table, chart)."""
