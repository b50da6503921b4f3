# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What the tests in Python share, each once: the program and other servers as processes that end with the test, an HTTP
client, certificates, and the one way of waiting. Import it with `tests` on the path."""
