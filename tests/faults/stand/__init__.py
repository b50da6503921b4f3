# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What the cases stand on: the built program, processes that end with the case, and plain HTTP."""
