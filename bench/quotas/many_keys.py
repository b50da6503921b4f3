# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What quotas of many keys cost a Redis, by what it counts itself and by what the clients were told."""

import json
import subprocess
from contextlib import ExitStack
from pathlib import Path

from comparison.processes import environment, on_core
from comparison.table import align

from . import baseline
from .redis import Redis

BASELINE_SHARE = 1 / 4  # of the time of the measurement, for each of the two


def measure(program: Path, redis: Redis, options) -> dict:
    command = [program, "--redis", redis.uri(0)]
    for name in ("keys", "zipf", "rate", "seconds", "nodes", "per_minute", "per_day", "moves_every"):
        command += [f"--{name.replace('_', '-')}", getattr(options, name)]
    command += [f"--{name.replace('_', '-')}" for name in ("addresses", "by_key") if getattr(options, name)]
    words = [str(word) for word in command]
    with ExitStack() as stack:
        child = stack.enter_context(
            subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), text=True,
                             preexec_fn=on_core(None)))
        stack.callback(child.terminate)
        expect_line(child, "ready")
        before = redis.figures()
        print("go", file=child.stdin, flush=True)
        expect_line(child, "done")
        after = redis.figures()
        print("end", file=child.stdin, flush=True)
        told = json.loads(child.stdout.readline() or "{}")
        child.wait()
    if child.returncode != 0 or not told:
        raise SystemExit(f"{program} failed")
    of_redis = {name: after[name] - before[name] for name in before}
    calls_a_second = max(1, of_redis["scripts"]) / options.seconds
    of_nothing = baseline.measure(redis, options.nodes, calls_a_second, options.seconds * BASELINE_SHARE)
    return told | of_redis | of_nothing | {"memory": after["memory"] - before["memory"], "stored": after["stored"]}


def expect_line(child: subprocess.Popen, line: str) -> None:
    if child.stdout.readline().strip() != line:
        raise SystemExit(f"{child.args[0]} did not say '{line}'")


def tell(m: dict) -> str:
    requests = max(1, m["requests"])
    of_call = m["cpu"] / max(1, m["scripts"])
    rows = {
        "requests": f"{m['requests']:,}",
        "calls (EVALSHA) a request": f"{m['scripts'] / requests:.4f}",
        "calls, of the least possible": f"{m['scripts'] / max(1, m['least_calls']):.2f}",
        "the least possible: distinct (key, node, period)": f"{m['least_calls']:,}",
        "calls that only gave back or reported": f"{m['settlements']:,}",
        "Redis commands a request": f"{m['commands'] / requests:.3f}",
        "round trips (reads of Redis) a request": f"{m['reads'] / requests:.4f}",
        "Redis CPU a request, µs": f"{m['cpu'] * 1e6 / requests:.2f}",
        "Redis CPU a call, µs": f"{of_call * 1e6:.1f}",
        "  a PING as often, on as many connections": _beside(m["ping"], of_call),
        "  an empty script likewise": _beside(m["empty_script"], of_call),
        "requests a second that one core of Redis carries": f"{requests / max(1e-9, m['cpu']):,.0f}",
        "waited for Redis": f"{m['waited'] / requests:.1%}",
        "without an answer": f"{m['unanswered']:,}",
        "over-admissions": f"{m['over_admissions']:,}",
        "exhausted periods, granted of their tokens": f"{m['exhausted_periods']:,}, {m['granted_of_exhausted']:.2%}",
        "longest between a refusal and an admission after it, s": f"{m['longest_early_refusal_s']:.2f}",
        "keys in Redis, bytes each": f"{m['stored']:,}, {m['memory'] / max(1, m['stored']):.0f}",
    }
    return align([["measured", ""], *([name, figure] for name, figure in rows.items())])


def _beside(seconds: float, of_call: float) -> str:
    return f"{seconds * 1e6:.1f}, {seconds / of_call:.0%} of it"
