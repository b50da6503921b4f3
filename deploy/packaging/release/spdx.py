# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: spdx.py [--with-system] NAME VERSION CONTENTS FILE

Prints an SPDX 2.3 document (ISO/IEC 5962) on what FILE contains, by what bundle.py wrote into CONTENTS. --with-system: the
C library is in it, too."""

import hashlib
import json
import os
import re
import sys
from datetime import datetime, timezone
from pathlib import Path
from urllib.parse import quote


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument != "--with-system"]
    name, version, contents, file = arguments[0], arguments[1], json.loads(Path(arguments[2]).read_text()), Path(arguments[3])
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    parts = [(debian(package), "DYNAMIC_LINK") for package in contents["linked"]]
    parts += [(debian(package), "STATIC_LINK") for package in contents["compiled_in"]]
    parts += [(npm(package), "CONTAINS") for package in contents["npm"]]
    if "--with-system" in sys.argv:
        parts += [(debian(package), "DYNAMIC_LINK") for package in contents["system"]]

    root = {
        "SPDXID": "SPDXRef-petstore",
        "name": "petstore",
        "versionInfo": version,
        "packageFileName": file.name,
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "BSL-1.0",
        "licenseDeclared": "BSL-1.0",
        "copyrightText": "Copyright (c) 2026 the petstore authors",
        "primaryPackagePurpose": "CONTAINER" if "--with-system" in sys.argv else "APPLICATION",
    }
    made = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    print(json.dumps({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"urn:petstore:spdx:{name}:{digest}",
        "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": [f"Tool: petstore-release-{version}"]},
        "packages": [root, *(part for part, _ in parts)],
        "relationships": [related("SPDXRef-DOCUMENT", "DESCRIBES", root["SPDXID"])]
        + [related(root["SPDXID"], how, part["SPDXID"]) for part, how in parts],
    }, indent=1))


def debian(package: dict[str, str]) -> dict:
    """Its license is a file of its own beside the program, which says more than an expression."""
    name, version = package["name"], package["version"]
    where = f"pkg:deb/debian/{quote(name)}@{quote(version)}?arch={package['architecture']}"
    return part_of(f"deb-{name}", name, version, "NOASSERTION", where) | {
        "supplier": "Organization: Debian",
        "sourceInfo": f"built from the Debian source package {package['source']}",
        "licenseComments": f"share/doc/petstore/licenses/{name} is Debian's copyright file.",
    }


def npm(package: dict[str, str]) -> dict:
    name, version = package["name"], package["version"]
    return part_of(f"npm-{name}", name, version, package["license"], f"pkg:npm/{quote(name)}@{quote(version)}") | {
        "licenseComments": f"share/doc/petstore/licenses/{name} has its license and those of its parts.",
    }


def part_of(key: str, name: str, version: str, license_of: str, where: str) -> dict:
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", key),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": license_of,
        "copyrightText": "NOASSERTION",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": where}],
    }


def related(one: str, how: str, other: str) -> dict[str, str]:
    return {"spdxElementId": one, "relationshipType": how, "relatedSpdxElement": other}


if __name__ == "__main__":
    main()
