# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Finds the cases, and runs them."""
