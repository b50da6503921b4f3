# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The balancers' files in deploy/, judged by the balancers."""

from runner.case import case
from support.checks import hold

from . import fronts


@case(
    injected="nothing: HAProxy judges its file by itself",
    must_hold="it is valid, and there is nothing to warn of",
    needs=("haproxy", "openssl"),
)
def haproxy_takes_its_file(stand) -> None:
    _hold_no_warning(stand, "haproxy")


@case(
    injected="nothing: HAProxy judges the file for containers by itself",
    must_hold="it is valid, and there is nothing to warn of",
    needs=("haproxy", "openssl"),
)
def haproxy_takes_its_file_for_containers(stand) -> None:
    _hold_no_warning(stand, "compose")


def _hold_no_warning(stand, kind: str) -> None:
    said = fronts.check(stand, kind)
    hold("WARNING" not in said, said)


@case(
    injected="nothing: nginx judges its file by itself",
    must_hold="it is valid, and there is nothing to warn of",
    needs=("nginx", "openssl"),
)
def nginx_takes_its_file(stand) -> None:
    said = fronts.check(stand, "nginx")
    hold("[warn]" not in said, said)
