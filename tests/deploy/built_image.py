# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The image of deploy/docker, built once for all tests by a real builder from its own lines.

PETSTORE names the program. Unless COMPILE is `yes` the build stage is left out and that program, built on Debian 12,
takes its place: compiling takes minutes, and is what the whole suite does anyway.
"""

import atexit
import functools
import os
import shutil
import tempfile
from pathlib import Path

from bare_root import base
from engine import Engine

CHECKOUT = Path(__file__).resolve().parents[2]
DOCKERFILE = CHECKOUT / "deploy/docker/Dockerfile"
BASE_NAMES = ["docker.io/library/debian:12", "docker.io/library/debian:12-slim"]
IMAGE = "localhost/petstore:1.0.0"


@functools.cache
def engine_with_image() -> Engine:
    """An engine that has the image, and ends with the process."""
    engine = Engine()
    atexit.register(engine.close)
    engine.import_root(base(), BASE_NAMES)
    print("Building the image", flush=True)
    if os.environ.get("COMPILE") == "yes":
        engine.build(DOCKERFILE, CHECKOUT, IMAGE)
        return engine
    with tempfile.TemporaryDirectory(prefix="petstore-image-") as name:
        context = Path(name)
        shutil.copytree(CHECKOUT / "deploy/docker", context / "deploy/docker")
        shutil.copy(os.environ["PETSTORE"], context / "petstore")
        engine.build(_runtime_stage_alone(context), context, IMAGE)
    return engine


def _runtime_stage_alone(context: Path) -> Path:
    """The Dockerfile from its second FROM on as it is, and the program where the build stage would put it."""
    text = DOCKERFILE.read_text()
    begin, end = text.index("FROM ${DEBIAN} AS build"), text.index("FROM ${DEBIAN_SLIM}")
    shortened = context / "Dockerfile"
    shortened.write_text(f"{text[:begin]}FROM scratch AS build\nCOPY petstore /src/build/release/\n{text[end:]}")
    return shortened
