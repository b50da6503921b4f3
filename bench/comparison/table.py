# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""What was measured, as text (which Markdown shows as a table) and as JSON."""

from .contest import Contender, Entrant
from .rounds import Rounds, Spread, cpu_gain, cpu_to_floor, median_of, throughput_gain, throughput_to_floor

BUSY_ENOUGH = 0.9


def ratios_table(rounds: Rounds, contenders: list[Contender]) -> str:
    several = len({c.variant for c in contenders if c.variant != "nginx"}) > 1
    lines = [["row", "bytes", "requests/s", "p99 µs", "CPU µs", "busy", "by CPU", "", "by throughput", ""]]
    for c in contenders:
        title = f"{c.row.title} ({c.variant})" if several and c.variant != "nginx" else c.row.title
        ratios = (*_spread(cpu_to_floor(rounds, c)), *_spread(throughput_to_floor(rounds, c)))
        lines.append([title, *_figures(rounds, c.entrant), *ratios])
    for floor in dict.fromkeys(c.floor for c in contenders):
        lines.append([floor.title, *_figures(rounds, floor), "1.00", "", "1.00", ""])
    return align(lines)


def gains_table(rounds: Rounds, pairs: list[tuple[Contender, Contender]]) -> str:
    lines = [["row", "by CPU", "", "by throughput", ""]]
    for new, old in pairs:
        lines.append(
            [new.row.title, *_spread(cpu_gain(rounds, new, old)), *_spread(throughput_gain(rounds, new, old))]
        )
    return align(lines)


def pairs_of(contenders: list[Contender], new: str, old: str) -> list[tuple[Contender, Contender]]:
    by = {(c.row, c.variant): c for c in contenders}
    return [(c, by[c.row, old]) for c in contenders if c.variant == new and (c.row, old) in by]


def idle_servers(rounds: Rounds, contenders: list[Contender]) -> list[str]:
    """Those that waited for the client: their throughput is the client's and not their own."""
    entrants = dict.fromkeys(e for c in contenders for e in (c.entrant, c.floor))
    return [e.title for e in entrants if median_of(rounds, e, "busy") < BUSY_ENOUGH]


def as_json(rounds: Rounds, contenders: list[Contender]) -> list[dict]:
    return [
        {
            "row": c.row.name,
            "title": c.row.title,
            "variant": c.variant,
            "answer_bytes": c.entrant.answer_bytes,
            "cpu_ratio": vars(cpu_to_floor(rounds, c)),
            "throughput_ratio": vars(throughput_to_floor(rounds, c)),
            "rounds": [vars(r[c.entrant]) for r in rounds],
            "floor_rounds": [vars(r[c.floor]) for r in rounds],
        }
        for c in contenders
    ]


def align(lines: list[list[str]]) -> str:
    """As a table of Markdown that is also one without Markdown: the first column to the left, numbers to the right."""
    widths = [max(3, *(len(line[i]) for line in lines)) for i in range(len(lines[0]))]
    rule = ["-" * width if i == 0 else "-" * (width - 1) + ":" for i, width in enumerate(widths)]
    lines = [lines[0], rule, *lines[1:]]
    return "\n".join(
        "| " + " | ".join(t.ljust(w) if i == 0 else t.rjust(w) for i, (t, w) in enumerate(zip(line, widths))) + " |"
        for line in lines
    )


def _figures(rounds: Rounds, entrant: Entrant) -> tuple[str, ...]:
    names = ("requests_per_second", "wait_p99_us", "cpu_us", "busy")
    median = {name: median_of(rounds, entrant, name) for name in names}
    return (
        str(entrant.answer_bytes),
        f"{median['requests_per_second']:,.0f}",
        f"{median['wait_p99_us']:,.0f}",
        f"{median['cpu_us']:.2f}",
        f"{median['busy']:.0%}",
    )


def _spread(s: Spread) -> tuple[str, str]:
    return f"{s.median:.2f}", f"{s.low:.2f}..{s.high:.2f}"
