# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""HAProxy and nginx as children of a case. What they do is the text that the case gives them."""

from .checks import find_program, wait_until
from .http import is_listening
from .processes import Child

# What nginx has around the files of its conf.d, without the privileges it has there; one process, which ends when it is
# told to, whatever way.
NGINX = """
daemon off;
master_process off;
pid {directory}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 1000; }}
http {{
    access_log off;
    client_body_temp_path {directory}/bodies;
    proxy_temp_path {directory}/answers;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    {site}
}}
"""


def haproxy(stand, text: str) -> list[str]:
    """The command that runs it with that file."""
    file = stand.directory / "haproxy.cfg"
    file.write_text(text)
    return [find_program("haproxy"), "-db", "-f", str(file)]


def nginx(stand, site: str) -> list[str]:
    """The same for what stands within `http`."""
    file = stand.directory / "nginx.conf"
    file.write_text(NGINX.format(directory=stand.directory, site=site))
    return [find_program("nginx"), "-e", "stderr", "-c", str(file)]


def start(stand, command: list[str], port: int) -> Child:
    """Until it listens there."""
    child = stand.start(command)
    wait_until(lambda: is_listening(port), f"{command[0]} did not start", child)
    return child
