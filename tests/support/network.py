# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A machine of its own, as far as the network goes: a namespace, and cables to it that can be pulled out. Needs root and
`ip`."""

import os
import random
from dataclasses import dataclass

from .checks import find_program, wait_until
from .processes import run

# Reserved for examples, so that no machine has its neighbours there.
NETWORK = "198.51.100"
CABLES_MAX = 64

_dice = random.SystemRandom()


@dataclass(frozen=True)
class Cable:
    """Packets pass between the two addresses until it is cut, and then they vanish without a word."""

    device: str
    here: str
    there: str

    def cut(self) -> None:
        _ip("link", "set", self.device, "down")

    def mend(self) -> None:
        _ip("link", "set", self.device, "up")


class Machine:
    """What is started with `under=machine.under` has no network but its cables and a loopback of its own. It has no
    name: the kernel takes it and its cables away with the last process in it, whatever way the case ends."""

    def __init__(self, stand):
        self._holder = stand.start([find_program("unshare"), "--net", "sleep", "infinity"])
        wait_until(self._is_apart, "no network namespace could be made", self._holder)
        self.under = (find_program("nsenter"), f"--target={self._holder.pid}", "--net")
        self._ip_there("link", "set", "lo", "up")

    def connect(self) -> Cable:
        label = f"{_dice.randrange(1 << 24):06x}"
        here, there = f"ps{label}a", f"ps{label}b"
        _ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", str(self._holder.pid))
        first = 4 * _dice.randrange(CABLES_MAX)
        cable = Cable(here, f"{NETWORK}.{first + 1}", f"{NETWORK}.{first + 2}")
        _ip("address", "add", f"{cable.here}/30", "dev", here)
        self._ip_there("address", "add", f"{cable.there}/30", "dev", there)
        self._ip_there("link", "set", there, "up")
        cable.mend()
        return cable

    def _is_apart(self) -> bool:
        return os.readlink(f"/proc/{self._holder.pid}/ns/net") != os.readlink("/proc/self/ns/net")

    def _ip_there(self, *words: str) -> None:
        run(*self.under, find_program("ip"), *words)


def _ip(*words: str) -> None:
    run(find_program("ip"), *words)
