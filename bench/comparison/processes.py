# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The processes of the tests, each on a core of its own."""

import signal
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "tests"))

from support import processes  # noqa: E402
from support.checks import Broken  # noqa: E402
from support.processes import environment  # noqa: E402

__all__ = ["Child", "ServerFault", "environment", "on_core"]

# A server did not start, or did not answer as it must.
ServerFault = Broken


def on_core(core: int | None):
    """For subprocess's preexec_fn."""
    return processes.ending_with_us(core, signal.SIGTERM)


class Child(processes.Child):
    """A server that runs until `stop`."""

    def __init__(self, command: list[str], directory: Path, core: int | None, variables: dict[str, str] | None = None):
        super().__init__(command, directory, environment(variables), core=core, orphan_signal=signal.SIGTERM)
