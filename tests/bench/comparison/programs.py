# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The programs of bench/, whose names have no suffix, as modules."""

import importlib.machinery
import importlib.util
from pathlib import Path

BENCH = Path(__file__).resolve().parents[3] / "bench"


def load_program(name: str):
    loader = importlib.machinery.SourceFileLoader(name, str(BENCH / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module
