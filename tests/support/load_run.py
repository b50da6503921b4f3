# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""petstore-load beside a test."""

import json

from .checks import hold


class LoadRun:
    """Runs from the beginning on. The arguments call the key `env:SHOP_KEY`."""

    def __init__(self, stand, *arguments, key: str):
        self._file = stand.directory / "results.json"
        self._file.unlink(missing_ok=True)
        command = [str(stand.program.parent / "petstore-load"), *map(str, arguments), "--quiet", "--json", str(self._file)]
        self._child = stand.start(command, {"SHOP_KEY": key})

    def results(self, codes: tuple[int, ...] = (0,)) -> dict:
        """When it has ended, with one of these codes."""
        code = self._child.wait()
        hold(code in codes and self._file.is_file(), f"petstore-load ended with {code}:\n{self._child.errors()}")
        return json.loads(self._file.read_text())
