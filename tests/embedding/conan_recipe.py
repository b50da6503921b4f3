#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: conan_recipe.py ROOT FOLDER CMAKE COMPILER: goes through the recipe as Conan would, with the little of Conan
that it needs in Conan's place. What it exports must be enough to build the limiter, and a host of what it packages.
Whether Conan itself likes it can only be seen with Conan."""

import fnmatch
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

ROOT, FOLDER, CMAKE, COMPILER = (Path(word) for word in sys.argv[1:5])
RECIPE = ROOT / "deploy/packaging/conan/conanfile.py"
NEEDED = {"core": {"boost", "openssl"}, "server": {"lmdb"}, "postgres": {"libpq"}, "redis": {"hiredis"}}


class Options(dict):
    __getattr__ = dict.get
    __setattr__ = dict.__setitem__
    get_safe = dict.get


class ConanFile:
    def __init__(self, folder: Path, options: dict):
        self.recipe_folder = str(RECIPE.parent)
        self.export_sources_folder = self.source_folder = str(folder / "source")
        self.build_folder, self.package_folder = folder / "build", str(folder / "package")
        self.options = Options(self.default_options | options)
        self.required: set[str] = set()
        self.cpp_info = types.SimpleNamespace(builddirs=[], set_property=lambda name, value: None)

    def requires(self, reference: str, **traits) -> None:
        self.required.add(reference.split("/")[0])


class CMakeToolchain:
    def __init__(self, recipe: ConanFile):
        self.cache_variables = recipe.cache_variables = {}

    def generate(self) -> None: ...


class CMake:
    def __init__(self, recipe: ConanFile):
        self._recipe = recipe

    def configure(self) -> None:
        r = self._recipe
        entries = [f"-D{name}={'ON' if value else 'OFF'}" for name, value in r.cache_variables.items()]
        run(CMAKE, "-S", r.source_folder, "-B", r.build_folder, f"-DCMAKE_CXX_COMPILER={COMPILER}",
            f"-DCMAKE_INSTALL_PREFIX={r.package_folder}", *entries)  # fmt: skip

    def build(self) -> None:
        run(CMAKE, "--build", self._recipe.build_folder)

    def install(self) -> None:
        run(CMAKE, "--install", self._recipe.build_folder)


def run(*command) -> None:
    subprocess.run([str(word) for word in command], check=True)


def copy(_, pattern: str, source: Path, target: Path) -> None:
    """Conan's: `*` stands for slashes, too. Not below build/, where other tests make and remove files meanwhile."""
    for folder, folders, files in os.walk(source):
        folders[:] = [name for name in folders if Path(folder, name) != Path(source) / "build"]
        for below in (Path(folder, name).relative_to(source) for name in files):
            if not fnmatch.fnmatch(str(below), pattern):
                continue
            (Path(target) / below).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(Path(source) / below, Path(target) / below)


def load_recipe() -> type:
    parts = {
        "conan": {"ConanFile": ConanFile},
        "conan.tools": {},
        "conan.tools.build": {"check_min_cppstd": lambda recipe, standard: None},
        "conan.tools.cmake": {
            "CMake": CMake,
            "CMakeDeps": lambda recipe: types.SimpleNamespace(generate=lambda: None),
            "CMakeToolchain": CMakeToolchain,
            "cmake_layout": lambda recipe: None,
        },
        "conan.tools.files": {"copy": copy},
    }
    for name, members in parts.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)
    spec = importlib.util.spec_from_file_location("conanfile", RECIPE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Petstore


def check(condition: bool, otherwise: str) -> None:
    if not condition:
        sys.exit(f"The recipe: {otherwise}.")


def main() -> None:
    recipe_type = load_recipe()
    project = (ROOT / "CMakeLists.txt").read_text()
    check(f"project(petstore VERSION {recipe_type.version} " in project, "its version is not the project's")

    for asked in ({"core": False, "redis": True}, {}, {"postgres": True}, {"redis": True}, {"server": False}):
        recipe = recipe_type(FOLDER, asked)
        recipe.configure()
        recipe.requirements()
        recipe.generate()
        chosen = [part for part in NEEDED if recipe.options[part]]
        needed = set().union(*(NEEDED[part] for part in chosen))
        check(recipe.required == needed, f"with {asked} it requires {recipe.required}")
        for name in recipe.cache_variables:
            check(re.search(rf"option\({name} ", project) is not None, f"the project has no option {name}")

    shutil.rmtree(FOLDER, ignore_errors=True)
    limiter = recipe_type(FOLDER, {"core": False})
    limiter.configure()
    limiter.export_sources()
    limiter.generate()
    limiter.build()
    limiter.package()
    limiter.package_info()
    check((FOLDER / "package/licenses/LICENSE").is_file(), "the package has no license")
    found = FOLDER / "package" / limiter.cpp_info.builddirs[0] / "petstore-config.cmake"
    check(found.is_file(), "the package's builddirs do not lead to its CMake files")

    run(CMAKE, "-S", RECIPE.parent / "test_package", "-B", FOLDER / "host", f"-DCMAKE_CXX_COMPILER={COMPILER}",
        f"-Dpetstore_DIR={found.parent}", "-DCMAKE_CXX_STANDARD=20")  # fmt: skip
    run(CMAKE, "--build", FOLDER / "host")
    run(FOLDER / "host/host")


if __name__ == "__main__":
    main()
