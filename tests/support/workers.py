# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Clients that work beside the test, each in a thread of its own, until they are stopped."""

import threading
from collections.abc import Callable


class Workers:
    """They are stopped when the test ends, at the latest, or with the context that they are made for. `work` looks at
    `are_stopping` between two requests."""

    def __init__(self, stand=None):
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self._failures: list[Exception] = []
        if stand is not None:
            stand.at_end(self.stop)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def start(self, work: Callable, *arguments) -> None:
        thread = threading.Thread(target=self._guard, args=(work, *arguments), daemon=True)
        self._threads.append(thread)
        thread.start()

    @property
    def are_stopping(self) -> bool:
        return self._stopping.is_set()

    @property
    def have_failed(self) -> bool:
        return bool(self._failures)

    def stop(self) -> None:
        """What was begun is finished."""
        self.announce_stop()
        self.join()

    def announce_stop(self) -> None:
        """From now on `are_stopping`."""
        self._stopping.set()

    def join(self) -> None:
        """Until each has ended by itself."""
        for thread in self._threads:
            thread.join()

    def pause(self, seconds: float) -> None:
        """For the pace of a client. It ends early when they are stopped."""
        self._stopping.wait(seconds)

    def check(self) -> None:
        """Raises what the first one of them has raised."""
        if self._failures:
            raise self._failures[0]

    def _guard(self, work: Callable, *arguments) -> None:
        try:
            work(*arguments)
        except Exception as failure:
            self._failures.append(failure)
