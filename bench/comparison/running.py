# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""How a program of bench/ begins and ends."""

import signal
import subprocess
import sys
from collections.abc import Callable
from typing import NoReturn

from .builds import BuildFault
from .processes import ServerFault


def run(main: Callable[[], int | None]) -> NoReturn:
    """What a person can put right is told in one sentence; anything else keeps its traceback."""
    # As Ctrl-C, so that whatever was started is ended, and what was written for the time being is removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        sys.exit(main())
    except (BuildFault, ServerFault) as fault:
        say(str(fault))
    except subprocess.CalledProcessError as fault:
        told = fault.stderr.decode(errors="replace") if isinstance(fault.stderr, bytes) else fault.stderr or ""
        say(f"{fault.cmd[0]} failed. {told}".strip())
    except OSError as fault:
        if fault.filename is None:
            raise
        is_command = isinstance(fault, FileNotFoundError) and "/" not in str(fault.filename)
        say(f"{fault.filename} is not installed." if is_command else f"{fault.filename}: {fault.strerror}.")
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
    sys.exit(1)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
