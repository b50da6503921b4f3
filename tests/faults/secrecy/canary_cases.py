# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""A key in every wrong place. Whatever is repeated is repeated to somebody: in a log, to a proxy, on a screen."""

import json
import re
import signal
import socket

from runner.case import case
from support.checks import hold, wait_until
from support.http import Connection, request

from .canary import Canary, is_in_no_file, is_in_none_of
from .wrong_places import JSON, message, requests

STORE = "lmdb:data/shop"
STORE_ALONE = "lmdb:shop"
NO_LIMITS = ("--anonymous-per-minute", "1000000", "--ban-strikes", "0", "--max-connections", "64")
LOGS = ("--log-level", "debug", "--log-file", "data/log", "--access-log", "data/access")
# Some messages are a good request and something behind it. Nothing here is three requests.
ANSWERS_MAX = 2


def _exchange(port: int, sent: bytes, end: int) -> bytes:
    """All that comes back. `end` is where the bytes are cut in two."""
    with Connection(port) as connection:
        try:
            connection.send(sent[:end])
            connection.send(sent[end:])
            connection.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # refused before all of it was sent: the answer is there
        return connection.read_to_end()


def _check_answer(answer: bytes, what: str) -> None:
    """What every answer carries, whatever was asked."""
    heads = [part.split(b"\r\n\r\n")[0].lower() for part in answer.split(b"HTTP/1.1 ")[1:]]
    hold(1 <= len(heads) <= ANSWERS_MAX, f"{what}: {len(heads)} answers in {answer[:300]!r}")
    for head in heads:
        for field in (b"date", b"x-request-id", b"x-ratelimit-limit", b"x-ratelimit-remaining", b"x-ratelimit-reset"):
            hold(b"\r\n" + field + b": " in head, f"{what}: no {field.decode()} in {head!r}")
        for line in (b"x-content-type-options: nosniff", b"cache-control: no-store"):
            hold(line in head, f"{what}: no {line.decode()} in {head!r}")


def _serve_with_animals(stand) -> tuple:
    stand.directory.joinpath("data").mkdir()
    good = stand.make_key(STORE)
    # With what makes the service look into Origin and X-Forwarded-For.
    looks = ("--cors-origins", "https://shop.test", "--trusted-proxies", "127.0.0.0/8")
    server = stand.serve(STORE, *NO_LIMITS, *LOGS, *looks)
    for _ in range(3):
        made = request(server.port, "POST", "/v1/pets", good, {"name": "x", "categoryId": 1})
        hold(made.status == 201, f"an animal is answered {made.status}")
    return server, good


@case(
    injected="a key in some 200 places of a request where no key belongs, whole, in part and percent-encoded, with and "
    "without authorization, on both listeners",
    must_hold="no answer, log at level debug, access log, metric, output, audit log or file of the store repeats it, "
    "and every answer has its security and quota fields",
)
def sent_in_wrong_places(stand) -> str:
    server, good = _serve_with_animals(stand)
    misplaced = Canary(stand.make_key(STORE))
    canaries = [misplaced, Canary(good)]
    count = 0
    for form, text in misplaced.forms().items():
        for authorization in (), (f"Authorization: Bearer {good}",):
            for place, sent in requests(text, authorization):
                what = f"{place}, {form}, {'with' if authorization else 'without'} authorization"
                answer = _exchange(server.port, sent, len(sent) // 2)
                _check_answer(answer, what)
                is_in_none_of(canaries, answer, f"the answer to {what}")
                count += 1
        for place, sent in requests(text, ()):
            answer = _exchange(server.admin_port, sent, len(sent))
            is_in_none_of(canaries, answer, f"the admin answer to {place}, {form}")
            count += 1
    page = request(server.admin_port, "GET", "/metrics").body
    hold(b"petstore_" in page, "there is no page of metrics")
    is_in_none_of(canaries, page, "/metrics")
    audit = stand.run("keys", "audit", "--store", STORE, "--json") + stand.run("keys", "list", "--store", STORE)
    hold(server.stop() == 0, "the service did not end well")
    is_in_none_of(canaries, audit.encode(), "the audit log")
    is_in_none_of(canaries, server.child.errors().encode(), "standard error")
    files = is_in_no_file(canaries, stand.directory / "data")
    hold((stand.directory / "data/access").read_text().count("ps_live_***") > 10, "the access log shows no blot")
    return f"{count} requests, {files} files"


@case(
    injected="a key as the name of an animal, which is stored and shown on purpose",
    must_hold="the answers show it, and no log, metric or audit log does",
)
def stored_as_a_name(stand) -> None:
    server, good = _serve_with_animals(stand)
    name = Canary(stand.make_key(STORE))
    body = json.dumps({"name": name.key})
    category = _exchange(
        server.port, message("POST", "/v1/categories", f"Authorization: Bearer {good}", JSON, body=body), 10
    )
    hold(b" 201 " in category and name.is_in(category), "a category with this name cannot be made")
    again = request(server.port, "POST", "/v1/categories", good, {"name": name.key})
    hold(again.status == 409, f"the second category of a name is answered {again.status}")
    is_in_none_of([name], again.body, "the conflict")
    made = request(server.port, "POST", "/v1/pets", good, {"name": name.key, "categoryId": 1})
    hold(made.status == 201 and made.json()["name"] == name.key, "the name is not taken as sent")
    is_in_none_of([name], request(server.admin_port, "GET", "/metrics").body, "/metrics")
    hold(server.stop() == 0, "the service did not end well")
    for file in ("data/log", "data/access"):
        is_in_none_of([name], (stand.directory / file).read_bytes(), file)
    is_in_none_of([name], stand.run("keys", "audit", "--store", STORE).encode(), "the audit log")


# With a key for each @.
FILES = ("@", "@ = 1", "[@]", '"@" = ', 'x = "@', "[plans.@]", "a = @")


def _settings(stand) -> dict[str, str]:
    """By the flag's name, its key in the file."""
    rows = [line.split("|") for line in stand.run("config", "table").splitlines() if line.startswith("| `--")]
    return {row[1].strip(" `").split(" ")[0]: row[3].strip(" `") for row in rows}


@case(
    injected="a key as the value of every flag, variable and key of the file, as names of them, and as arguments of "
    "every command",
    must_hold="neither output repeats it, and no identity gets it as its name",
)
def given_on_the_command_line(stand) -> str:
    stand.run("keys", "create", "--store", STORE_ALONE, "--plan", "free", "--name", "somebody")
    canary = Canary(stand.make_key(STORE_ALONE))
    settings = _settings(stand)
    hold(len(settings) > 30, f"only {len(settings)} settings are known")
    count = 0

    def run(*arguments: str, variables: dict[str, str] | None = None) -> None:
        nonlocal count
        count += 1
        done = stand.try_run(*arguments, variables=variables)
        what = f"petstore {' '.join(arguments)} {variables or ''}"
        is_in_none_of([canary], (done.stdout + done.stderr).encode(), what)
        hold(done.returncode in (0, 1, 2), f"{what} ended with {done.returncode}")

    config = stand.directory / "petstore.toml"
    for text in (canary.key, canary.forms()["secret characters alone"], canary.forms()["percent-encoded"]):
        for flag, key in settings.items():
            run("config", "show", f"{flag}={text}")
            run("config", "show", variables={"PETSTORE_" + flag[2:].upper().replace("-", "_"): text})
            config.write_text(_toml(key, text))
            run("config", "check", "--config", "petstore.toml")
        for content in FILES:
            config.write_text(content.replace("@", text))
            run("config", "check", "--config", "petstore.toml")
        for plan in (f'per_minute = "{text}"', f"{text} = 1", f'refill = "{text}"'):
            config.write_text(f"[plans.free]\n{plan}\n")
            run("plans", "--config", "petstore.toml")
        run("config", "check", variables={f"PETSTORE_{text}": "1", f"PETSTORE_X{text}": text})
        for arguments in _command_lines(text):
            run(*arguments)
        for name in ("PLAN", "NAME", "EXPIRES", "SCOPE", "PER_MINUTE", "STORE"):
            variables = {"PETSTORE_STORE": STORE_ALONE, "PETSTORE_PLAN": "free", f"PETSTORE_{name}": text}
            run("keys", "create", "--json", variables=variables)
    is_in_none_of([canary], stand.run("keys", "list", "--store", STORE_ALONE, "--json").encode(), "keys list")
    is_in_none_of([canary], stand.run("keys", "audit", "--store", STORE_ALONE, "--json").encode(), "the audit log")
    is_in_no_file([canary], stand.directory / STORE_ALONE.removeprefix("lmdb:"))
    return f"{count} command lines"


def _toml(key: str, text: str) -> str:
    table, _, name = key.rpartition(".")
    return (f"[{table}]\n" if table else "") + f'{name} = "{text}"\n'


def _command_lines(text: str) -> list[tuple[str, ...]]:
    keys = ("--store", STORE_ALONE)
    return [
        (text,),
        (f"--{text}",),
        ("config", text),
        ("config", "check", f"--{text}=1"),
        ("config", "check", "--config", text),
        ("serve", text),
        ("serve", "--store", text),
        ("plans", text),
        ("version", text),
        ("keys", text),
        ("keys", "create", *keys, "--plan", text),
        ("keys", "create", *keys, "--plan", "free", "--name", text),
        ("keys", "create", *keys, "--plan", "free", "--expires", text),
        ("keys", "create", *keys, "--plan", "free", "--scope", text),
        ("keys", "create", *keys, "--plan", "free", "--per-minute", text),
        ("keys", "create", *keys, "--plan", "free", "--per-day", text),
        ("keys", "create", "--store", text, "--plan", "free"),
        ("keys", "create", "--store", f"lmdb:{text}", "--plan", "free"),
        ("keys", "create", "--store", f"lmdb:{text}", "--plan", "free", "--environment", "staging"),
        ("export", "--store", f"lmdb:{text}"),
        ("export", "--store", f"lmdb:no-{text}"),
        ("keys", "create", *keys, "--plan", "free", text),
        ("keys", "list", "--store", f"lmdb:/proc/{text}"),
        *[("keys", command, *keys, text) for command in ("show", "revoke", "rotate", "ban", "unban", "reset-quota")],
        ("keys", "rotate", *keys, "k1", "--grace", text),
        ("keys", "ban", *keys, "k1", "--for", text),
        ("keys", "set-plan", *keys, "k1", "--plan", text),
        ("export", "--store", text),
        ("export", *keys, "--output", f"/proc/{text}"),
        ("export", *keys, text),
        ("import", *keys, text),
        ("backup", *keys, "--output", f"/proc/{text}"),
        ("backup", *keys, text),
        ("restore", "--store", f"lmdb:back-{text}", "--from", text),
        ("restore", *keys, "--from", "/proc", text),
        ("check", "--store", f"lmdb:no-{text}"),
        ("check", *keys, text),
        ("import", *keys, f"/proc/{text}", text),
    ]


HEADER = '{"type":"petstore-export","version":1,"environment":"production"}'
IMPORTS = (
    "@",
    '{"type":"@","version":1,"environment":"production"}',
    '{"type":"petstore-export","version":"@","environment":"production"}',
    '{"type":"petstore-export","version":@,"environment":"production"}',
    '{"type":"petstore-export","version":1,"environment":"@"}',
    '{"type":"petstore-export","version":1,"environment":"production","@":1}',
    HEADER + "\n@",
    HEADER + '\n{"type":"@","record":{}}',
    HEADER + '\n{"type":"pet","record":{"id":1,"name":"@"}}',
    HEADER + '\n{"type":"pet","record":{"id":1,"name":"@","categoryId":"@"}}',
    HEADER + '\n{"type":"pet","record":{"id":1,"name":"x","categoryId":1,"status":"@"}}',
    HEADER + '\n{"type":"pet","record":{"id":1,"name":"x","categoryId":1,"@":1,"@":2}}',
    HEADER + '\n{"type":"pet","record":{"id":"@","name":"x","categoryId":1}}',
    HEADER + '\n{"type":"category","record":{"id":1,"name":"@"}}\n{"type":"category","record":{"id":2,"name":"@"}}',
    HEADER + '\n{"type":"category","record":{"id":1,"name":"@\x01"}}',
    HEADER + '\n{"type":"order","record":{"id":1,"petId":"@"}}',
    HEADER + '\n{"type":"order","record":{"id":1,"petId":1,"status":"@","createdAt":"@","updatedAt":"@"}}',
    HEADER + '\n{"type":"order","record":{"id":1,"petId":1,"status":"placed","createdAt":"@","updatedAt":"@"}}',
)


@case(
    injected="files to import with a key in every place where it makes the line wrong",
    must_hold="the file is refused without repeating the key, and nothing of it is stored",
)
def in_a_file_to_import(stand) -> str:
    canary = Canary(stand.make_key(STORE_ALONE))
    for number, content in enumerate(IMPORTS):
        for form, text in canary.forms().items():
            path = stand.directory / "import.jsonl"
            path.write_text(content.replace("@", text) + "\n")
            done = stand.try_run("import", "--store", STORE_ALONE, path.name)
            hold(done.returncode == 1, f"import {number} ({form}) ended with {done.returncode}: {done.stderr}")
            is_in_none_of([canary], (done.stdout + done.stderr).encode(), f"import {number}, {form}")
    is_in_no_file([canary], stand.directory / "shop")
    return f"{len(IMPORTS)} files"


@case(
    injected="a key put into the file while the service runs, then SIGHUP, then a key where the log file is",
    must_hold="what the log says of the changes does not repeat it",
)
def reloaded_with_the_file(stand) -> None:
    config = stand.directory / "petstore.toml"
    config.write_text("")
    server = stand.serve("memory:", "--config", "petstore.toml", "--log-level", "debug")
    canary = Canary(stand.make_key(STORE_ALONE))
    settings = ("base_url", "cors_origins", "log_level", "store", "no_such_key")
    contents = [f'{key} = "{canary.key}"\n' for key in settings]
    contents += [f'base_url = "https://{canary.key}.test"\n', f'log_file = "{canary.key}"\n', f"[plans.{canary.key}]\n"]
    contents += [f'access_log = "{text}"\n' for text in canary.forms().values()]
    for content in contents:
        config.write_text(content)
        _reload(server)
    log = server.child.errors()
    hold("restart_needed" in log and "ps_live_***" in log, f"the log tells of no change:\n{log}")
    hold(server.stop() == 0, "the service did not end well")
    is_in_none_of([canary], server.child.errors().encode(), "the log")


def _reload(server) -> None:
    """Waits until the log tells of it."""

    def count() -> int:
        return len(re.findall('"event":"configuration_(not_)?reloaded"', server.child.errors()))

    before = count()
    server.child.send_signal(signal.SIGHUP)
    wait_until(lambda: count() != before, "the log does not tell of the reload")
