# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""Usage: image.py TREE CONTENTS ROOT VERSION REVISION ARCHIVE

Makes an image as an OCI archive (OCI image format 1.0) with the program and its libraries from TREE, the C library of the
system in ROOT, certificates, and nothing else: no shell, no package manager. It has the user, the paths and the settings of the
image of deploy/docker, and needs no registry to be made."""

import gzip
import hashlib
import io
import json
import os
import sys
import tarfile
from datetime import datetime, timezone
from pathlib import Path

USER = 65532
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
SETTINGS = Path(__file__).resolve().parents[2] / "docker/petstore.toml"


def main() -> None:
    tree, contents, root, version, revision, archive = sys.argv[1:]
    system = json.loads(Path(contents).read_text())
    layer = Layer()
    for folder in ("etc", "etc/petstore", "etc/ssl", "etc/ssl/certs", "usr", "usr/lib", "usr/lib/ssl", "usr/local",
                   "usr/local/bin", "usr/local/lib", "var", "var/lib"):
        layer.add_folder(folder)
    layer.add_folder("tmp", mode=0o1777)
    layer.add_folder("var/lib/petstore", mode=0o700, user=USER)
    layer.add_text("etc/passwd", f"root:x:0:0::/:\npetstore:x:{USER}:{USER}::/var/lib/petstore:\n")
    layer.add_text("etc/group", f"root:x:0:\npetstore:x:{USER}:\n")
    layer.add_text("etc/nsswitch.conf", "hosts: files dns\n")
    layer.add_file("etc/petstore/petstore.toml", SETTINGS)
    layer.add_file(CERTIFICATES, Path("/") / CERTIFICATES)
    layer.add_link("usr/lib/ssl/cert.pem", f"/{CERTIFICATES}")  # where OpenSSL of Debian looks
    layer.add_file("usr/local/bin/petstore", Path(tree) / "bin/petstore", mode=0o755)
    for library in sorted((Path(tree) / "lib").iterdir()):
        layer.add_file(f"usr/local/lib/{library.name}", library)
    for name in system["system_files"]:
        layer.add_file_with_folders(name, Path(root) / name)
    write_archive(Path(archive), layer, system["system"][0]["architecture"], version, revision)


class Layer:
    """A tar archive whose bytes depend on its contents alone."""

    def __init__(self) -> None:
        self._bytes = io.BytesIO()
        self._tar = tarfile.open(fileobj=self._bytes, mode="w", format=tarfile.PAX_FORMAT)
        self._folders: set[str] = set()

    def add_folder(self, name: str, mode: int = 0o755, user: int = 0) -> None:
        self._folders.add(name)
        self._add(name, mode, user, tarfile.DIRTYPE)

    def add_text(self, name: str, text: str) -> None:
        self.add_bytes(name, text.encode(), 0o644)

    def add_file(self, name: str, source: Path, mode: int = 0o644) -> None:
        self.add_bytes(name, source.read_bytes(), mode)

    def add_file_with_folders(self, name: str, source: Path) -> None:
        for folder in reversed(Path(name).parents[:-1]):
            if str(folder) not in self._folders:
                self.add_folder(str(folder))
        self.add_file(name, source, mode=0o755)

    def add_link(self, name: str, target: str) -> None:
        self._add(name, 0o777, 0, tarfile.SYMTYPE, target)

    def add_bytes(self, name: str, content: bytes, mode: int) -> None:
        entry = self._entry(name, mode, 0, tarfile.REGTYPE)
        entry.size = len(content)
        self._tar.addfile(entry, io.BytesIO(content))

    def _add(self, name: str, mode: int, user: int, kind: bytes, target: str = "") -> None:
        entry = self._entry(name, mode, user, kind)
        entry.linkname = target
        self._tar.addfile(entry)

    @staticmethod
    def _entry(name: str, mode: int, user: int, kind: bytes) -> tarfile.TarInfo:
        entry = tarfile.TarInfo(name)
        entry.mode, entry.uid, entry.gid, entry.type = mode, user, user, kind
        entry.mtime = int(os.environ["SOURCE_DATE_EPOCH"])
        return entry

    def finish(self) -> bytes:
        self._tar.close()
        return self._bytes.getvalue()


def write_archive(path: Path, layer: Layer, architecture: str, version: str, revision: str) -> None:
    plain = layer.finish()
    packed = gzip.compress(plain, mtime=0)
    created = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    notes = {"org.opencontainers.image.title": "petstore",
             "org.opencontainers.image.description": "An HTTP/JSON service for animals up for adoption",
             "org.opencontainers.image.licenses": "BSL-1.0",
             "org.opencontainers.image.version": version,
             "org.opencontainers.image.revision": revision}
    config = as_json({
        "created": created,
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "ExposedPorts": {"8080/tcp": {}, "9090/tcp": {}},
            "Env": ["PATH=/usr/local/bin", "PETSTORE_CONFIG=/etc/petstore/petstore.toml"],
            "Entrypoint": ["/usr/local/bin/petstore"],
            "Cmd": ["serve"],
            "Volumes": {"/var/lib/petstore": {}},
            "WorkingDir": "/var/lib/petstore",
            "StopSignal": "SIGTERM",
            "Labels": notes,
        },
        "rootfs": {"type": "layers", "diff_ids": [digest_of(plain)]},
        "history": [{"created": created, "created_by": "deploy/release"}],
    })
    manifest = as_json({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": descriptor("application/vnd.oci.image.config.v1+json", config),
        "layers": [descriptor("application/vnd.oci.image.layer.v1.tar+gzip", packed)],
        "annotations": notes,
    })
    index = as_json({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [descriptor("application/vnd.oci.image.manifest.v1+json", manifest)
                      | {"annotations": {"org.opencontainers.image.ref.name": f"petstore:{version}"}}],
    })
    layout = Layer()
    layout.add_text("oci-layout", '{"imageLayoutVersion": "1.0.0"}')
    layout.add_text("index.json", index.decode())
    layout.add_folder("blobs")
    layout.add_folder("blobs/sha256")
    for blob in sorted((config, manifest, packed), key=digest_of):
        layout.add_bytes(f"blobs/sha256/{digest_of(blob).removeprefix('sha256:')}", blob, 0o644)
    path.write_bytes(layout.finish())


def as_json(value: dict) -> bytes:
    return json.dumps(value, sort_keys=True).encode()


def digest_of(blob: bytes) -> str:
    return "sha256:" + hashlib.sha256(blob).hexdigest()


def descriptor(media_type: str, blob: bytes) -> dict:
    return {"mediaType": media_type, "digest": digest_of(blob), "size": len(blob)}


if __name__ == "__main__":
    main()
