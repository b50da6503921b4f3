#!/usr/bin/env python3
# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: exported_symbols.py PREFIX: holds what installed libraries would show, were they shared, against the headers.

What a public header declares has to be visible, or a host that links shared libraries does not link; what none declares
has to be hidden, or it becomes an interface by accident. Static libraries carry the same marks, so no other build is
needed."""

import re
import subprocess
import sys
from pathlib import Path

NAMESPACE = re.compile(r"^namespace ([\w:]+) \{")
NESTED_END = re.compile(r"^\}  // namespace (\w+)$")
CLASS = re.compile(r"^(?:class|struct)(?: alignas\(\d+\)| \[\[\w+\]\]| PETSTORE_EXPORT)* (\w+)(?: final)? ?[:{]")
FUNCTION = re.compile(r"^(?:PETSTORE_EXPORT |\[\[\w+\]\] )*[\w:<>,&* ]*[ &*>](\w+)\(")
SYMBOL = re.compile(r"^ *\d+: [0-9a-f]+ +\S+ (FUNC|OBJECT) +(GLOBAL|WEAK) +(DEFAULT|HIDDEN) +(\S+) (.*)$")


def declared(headers: Path) -> set[str]:
    """The qualified names of the functions and classes that stand in the namespaces of public headers."""
    names: set[str] = set()
    for header in headers.rglob("*.hpp"):
        namespace = ""
        for line in header.read_text().splitlines():
            if opened := NAMESPACE.match(line):
                is_nested = not opened[1].startswith("petstore")
                namespace = f"{namespace}::{opened[1]}" if is_nested else opened[1]
            elif ended := NESTED_END.match(line):
                namespace = namespace.removesuffix(f"::{ended[1]}")
            elif found := CLASS.match(line) or FUNCTION.match(line):
                names.add(f"{namespace}::{found[1]}")
    return names


def symbols(library: Path) -> list[tuple[str, bool]]:
    """What the library defines for others, in our namespace: qualified names, and whether each is visible."""
    listing = subprocess.run(
        ["readelf", "--symbols", "--wide", "--demangle", library], capture_output=True, text=True, check=True
    ).stdout
    found: list[tuple[str, bool]] = []
    for line in listing.splitlines():
        row = SYMBOL.match(line)
        if row is None or row[4] == "UND" or row[2] != "GLOBAL":
            continue
        name = re.sub(r"^(?:vtable|typeinfo|typeinfo name|VTT) for ", "", row[5]).split("(")[0].split("[")[0]
        if name.startswith("petstore::"):
            found.append((name, row[3] == "DEFAULT"))
    return found


def main() -> int:
    prefix = Path(sys.argv[1])
    public = declared(next(prefix.glob("**/include")))
    libraries = sorted(prefix.glob("**/libpetstore_*.a"))
    faults: set[str] = set()
    seen = 0
    for library in libraries:
        for name, is_visible in symbols(library):
            seen += 1
            scopes = name.split("::")
            is_public = any("::".join(scopes[:length]) in public for length in range(2, len(scopes) + 1))
            if is_public != is_visible:
                faults.add(f"{library.name}: {name} is " + ("not visible" if is_public else "visible, and in no header"))
    print(f"{seen} symbols of {len(libraries)} libraries, {len(public)} public names, {len(faults)} faults")
    print("\n".join(sorted(faults)))
    return 1 if faults or seen == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
