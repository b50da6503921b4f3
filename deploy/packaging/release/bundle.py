# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: bundle.py TREE BUILD [ROOT]

ROOT: the programs are for 64-bit ARM, and their libraries in the directory that arm64_root has made.

Puts the libraries that the programs in TREE/bin need into TREE/lib, all but those of the C library, and makes the programs
look there first; puts the licenses into TREE/share/doc/petstore/licenses. Prints, as JSON, of which packages of Debian the
libraries are, the headers that the build in BUILD compiled in, and the files of the C library; the packages from npm; and
the version of the C library that all of it needs."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

# The system's own: its version has to match that of the kernel's loader, and every Linux has it.
SYSTEM = ("libc6", "libc6-dev", "linux-libc-dev")
MODULES = Path("server/pages/npm/node_modules")


# Where the libraries and headers of the programs are.
ROOT = Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else Path("/")
DPKG_QUERY = ("dpkg-query", f"--admindir={ROOT / 'var/lib/dpkg'}")


def main() -> None:
    tree, build = Path(sys.argv[1]), Path(sys.argv[2])
    programs = sorted((tree / "bin").iterdir())
    owners = packages_of_files(needed_libraries(programs))
    bundled = {file: package for file, package in owners.items() if package not in SYSTEM}

    libraries = tree / "lib"
    libraries.mkdir(exist_ok=True)
    for file in bundled:
        copy = libraries / file.name
        shutil.copyfile(file.resolve(), copy)
        copy.chmod(0o644)
        run("patchelf", "--set-rpath", "$ORIGIN", str(copy))
    for program in programs:
        run("patchelf", "--set-rpath", "$ORIGIN/../lib", str(program))

    compiled_in = sorted(set(packages_of_files(included_headers(build)).values()) - set(SYSTEM))
    linked = sorted(set(bundled.values()))
    licenses = tree / "share/doc/petstore/licenses"
    licenses.mkdir(parents=True)
    for package in sorted({*linked, *compiled_in}):
        shutil.copyfile(ROOT / "usr/share/doc" / package / "copyright", licenses / package)
    from_npm = npm_packages(build)
    for package in from_npm:
        (licenses / package["name"]).write_text(npm_license(build / MODULES / package["name"]))

    print(json.dumps({
        "glibc": needed_glibc([*programs, *libraries.iterdir()]),
        "linked": [described(package) for package in linked],
        "compiled_in": [described(package) for package in compiled_in if package not in linked],
        "system": [described("libc6")],
        "system_files": sorted(str(file.relative_to(ROOT)) for file, package in owners.items() if package in SYSTEM),
        "npm": from_npm,
    }, indent=1))


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed_libraries(programs: list[Path]) -> set[Path]:
    """The shared libraries that the loader finds for them here, by the names under which they are looked up."""
    loader = ("ldd",)
    if ROOT != Path("/"):
        loader = ("qemu-aarch64", "-L", str(ROOT), str(ROOT / "lib/ld-linux-aarch64.so.1"), "--list")
    found = set()
    for program in programs:
        for line in run(*loader, str(program)).splitlines():
            if "not found" in line:
                raise SystemExit(f"A library is missing: {line.strip()}")
            if path := re.search(r"(/\S+) \(0x", line):
                found.add(ROOT / path[1].removeprefix(str(ROOT)).lstrip("/"))
    return found


def included_headers(build: Path) -> set[Path]:
    """The headers of the system that were compiled into the programs. Those of the cross compiler's own library are the same
    as in its package for ARM64."""
    parts = set(run("ninja", "-C", str(build), "-t", "inputs", "petstore", "petstore-load").splitlines())
    found = set()
    for line in run("ninja", "-C", str(build), "-t", "deps").splitlines():
        if not line.startswith(" "):
            is_part = line.partition(": #deps")[0] in parts
        elif is_part:
            found.add(Path(line.strip().replace("/usr/aarch64-linux-gnu/include/", f"{ROOT}/usr/include/")))
    return {header for header in found if header.is_relative_to(ROOT / "usr/include")}


def packages_of_files(files: set[Path]) -> dict[Path, str]:
    """The package of Debian that each file belongs to. Files of no package are left out: something else's headers."""
    names: dict[str, Path] = {}
    for file in files:
        # A library is known by where its package put it, which may be another spelling of the directory.
        for spelling in (file, file.resolve(), ROOT / "usr" / file.relative_to(ROOT)):
            names.setdefault(str(spelling), file)
    asked = subprocess.run([*DPKG_QUERY, "--search", *sorted(names)], capture_output=True, text=True).stdout
    owners: dict[Path, str] = {}
    for line in asked.splitlines():
        packages, _, name = line.partition(": ")
        if name in names and not line.startswith("diversion "):
            owners.setdefault(names[name], packages.split(",")[0].split(":")[0])
    return dict(sorted(owners.items()))


def described(package: str) -> dict[str, str]:
    shown = run(*DPKG_QUERY, "--show", "--showformat", "${Version} ${Architecture} ${source:Package}\\n", package)
    version, architecture, source = shown.splitlines()[0].split()
    return {"name": package, "version": version, "architecture": architecture, "source": source}


def needed_glibc(files: list[Path]) -> str:
    """The newest version of the C library of which a symbol is used."""
    versions = run("readelf", "--wide", "--version-info", *map(str, sorted(files)))
    return max(re.findall(r"Name: GLIBC_(2\.\d+)", versions), key=lambda version: int(version.partition(".")[2]))


def npm_packages(build: Path) -> list[dict[str, str]]:
    """What the pages contain, if they were built with npm."""
    lock = Path(__file__).resolve().parents[3] / "server/pages/package-lock.json"
    if not (build / MODULES).exists():
        return []
    return [{"name": path.removeprefix("node_modules/"), "version": package["version"],
             "license": package.get("license", "NOASSERTION")}
            for path, package in sorted(json.loads(lock.read_text())["packages"].items())
            if path and not package.get("dev")]


def npm_license(package: Path) -> str:
    """The package's notice and license, and the licenses of what its files contain."""
    texts = [file for pattern in ("NOTICE*", "LICENSE*", "*-bundle.js.LICENSE.txt") for file in sorted(package.glob(pattern))]
    return "\n".join(file.read_text() for file in texts)


if __name__ == "__main__":
    main()
