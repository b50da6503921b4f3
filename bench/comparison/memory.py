# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""How much memory a process holds, and the kernel for everybody."""

from dataclasses import dataclass
from pathlib import Path

PAGE_BYTES = 4096


@dataclass(frozen=True)
class Memory:
    """In bytes. `shared_out` is the process's part of what it maps, where pages of several processes are divided among
    them; `private` is what would be free if it ended; `kernel` is what the kernel holds for all processes together."""

    shared_out: int
    private: int
    kernel: int

    def __sub__(self, other: "Memory") -> "Memory":
        return Memory(self.shared_out - other.shared_out, self.private - other.private, self.kernel - other.kernel)


def memory_of(pid: int) -> Memory:
    rollup = _kilobytes(Path(f"/proc/{pid}/smaps_rollup"))
    private = rollup["Private_Dirty"] + rollup["Private_Clean"]
    return Memory(rollup["Pss"], private, _kilobytes(Path("/proc/meminfo"))["Slab"] + _socket_buffers())


def _kilobytes(file: Path) -> dict[str, int]:
    """Lines of `Name:   123 kB`, in bytes."""
    fields = (line.split() for line in file.read_text().splitlines())
    return {f[0].rstrip(":"): int(f[1]) * 1024 for f in fields if len(f) == 3 and f[2] == "kB"}


def _socket_buffers() -> int:
    """The line is `TCP: inuse 5 orphan 0 tw 0 alloc 5 mem 1`, the last number in pages."""
    for line in Path("/proc/net/sockstat").read_text().splitlines():
        if line.startswith("TCP:"):
            return int(line.rpartition(" mem ")[2].split()[0]) * PAGE_BYTES
    return 0
