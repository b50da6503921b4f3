# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Recipe for Conan 2, of the tree that it lies in:

    conan create deploy/packaging/conan --build=missing -s compiler.cppstd=20 -o "petstore/*:redis=True"
"""

from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Petstore(ConanFile):
    name = "petstore"
    version = "1.0.0"
    license = "BSL-1.0"
    description = "A rate limiter that needs the C++ standard library alone, and an HTTP/JSON service built on it"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        "core": [True, False],
        "server": [True, False],
        "postgres": [True, False],
        "redis": [True, False],
    }
    default_options = {"shared": False, "core": True, "server": True, "postgres": False, "redis": False}

    def export_sources(self) -> None:
        root = Path(self.recipe_folder).parents[2]
        for pattern in ("CMakeLists.txt", "CHANGELOG.md", "LICENSE", "cmake/*", "core/*", "deploy/petstore.example.toml",
                        "docs/*.md", "docs/examples/*", "server/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def configure(self) -> None:
        if not self.options.core:
            self.options.server = False
        if not self.options.server:
            self.options.postgres = False
            self.options.redis = False

    def validate(self) -> None:
        check_min_cppstd(self, 20)

    def layout(self) -> None:
        cmake_layout(self)

    def requirements(self) -> None:
        if self.options.core:
            self.requires("boost/[>=1.81 <2]", transitive_headers=True)
            self.requires("openssl/[>=3 <4]")
        if self.options.server:
            self.requires("lmdb/[>=0.9.24 <1]")
        if self.options.postgres:
            self.requires("libpq/[>=13]")
        if self.options.redis:
            self.requires("hiredis/[>=0.14]")

    def generate(self) -> None:
        toolchain = CMakeToolchain(self)
        for part in ("core", "server", "postgres", "redis"):
            toolchain.cache_variables[f"PETSTORE_BUILD_{part.upper()}"] = bool(self.options.get_safe(part))
        for part in ("PROGRAM", "TESTS", "BENCH", "DOCS"):
            toolchain.cache_variables[f"PETSTORE_BUILD_{part}"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self) -> None:
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self) -> None:
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder) / "licenses")
        CMake(self).install()

    def package_info(self) -> None:
        # The project's own package of CMake's, which has the components and their dependencies.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append("lib/cmake/petstore")
