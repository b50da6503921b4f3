# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The ratios as bars, in an SVG of its own colours: readable on light and dark pages, without any script."""

from dataclasses import dataclass
from xml.sax.saxutils import escape

from .contest import Contender
from .rounds import Rounds, Spread, cpu_to_floor, throughput_to_floor

WIDTH = 760
LABELS = 230  # where the bars begin
RIGHT = 60  # left free for the last number
TOP = 64
ROW = 44
BAR = 14

STYLE = """\
  .page { fill: #ffffff } .text { fill: #1f2328 } .quiet { fill: #59636e } .cpu { fill: #2f6fb5 }
  .throughput { fill: #c9782b } .line { stroke: #8b949e; stroke-width: 1 }
  .spread { stroke: #1f2328; stroke-width: 1.5 }
  text { font: 13px system-ui, sans-serif } .title { font-size: 15px; font-weight: 600 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 } .text { fill: #e6edf3 } .quiet { fill: #9198a1 } .cpu { fill: #5aa0ea }
    .throughput { fill: #e09a55 } .spread { stroke: #e6edf3 }
  }
"""


@dataclass(frozen=True)
class Bar:
    title: str
    cpu: Spread
    throughput: Spread


def bars_of(rounds: Rounds, contenders: list[Contender]) -> list[Bar]:
    several = len({c.variant for c in contenders if c.variant != "nginx"}) > 1
    return [
        Bar(
            f"{c.row.title} ({c.variant})" if several and c.variant != "nginx" else c.row.title,
            cpu_to_floor(rounds, c),
            throughput_to_floor(rounds, c),
        )
        for c in contenders
    ]


def draw(bars: list[Bar]) -> str:
    most = max(1.0, *(s.high for b in bars for s in (b.cpu, b.throughput)))
    scale = (WIDTH - LABELS - RIGHT) / most
    height = TOP + ROW * len(bars) + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        ' role="img" aria-label="Each server beside the loopback floor">',
        f"<style>\n{STYLE}</style>",
        f'<rect class="page" width="{WIDTH}" height="{height}"/>',
        '<text class="text title" x="16" y="26">Beside the loopback floor, which is 1.00 (more is better)</text>',
        *_legend(),
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        x = LABELS + tick * scale
        dash = "" if tick in (0.0, 1.0) else ' stroke-dasharray="2 4"'
        parts.append(f'<line class="line" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{height - 20}"{dash}/>')
        parts.append(f'<text class="quiet" x="{x:.1f}" y="{height - 6}" text-anchor="middle">{tick:.2f}</text>')
    for i, bar in enumerate(bars):
        y = TOP + i * ROW + 6
        parts.append(
            f'<text class="text" x="{LABELS - 10}" y="{y + BAR + 5}" text-anchor="end">{escape(bar.title)}</text>'
        )
        parts += _bar("cpu", bar.cpu, y, scale)
        parts += _bar("throughput", bar.throughput, y + BAR + 2, scale)
    return "\n".join([*parts, "</svg>", ""])


def _legend() -> list[str]:
    return [
        '<rect class="cpu" x="16" y="38" width="12" height="12"/>',
        '<text class="quiet" x="34" y="49">by processor time for each request</text>',
        '<rect class="throughput" x="276" y="38" width="12" height="12"/>',
        '<text class="quiet" x="294" y="49">by requests a second</text>',
        '<line class="spread" x1="446" y1="44" x2="464" y2="44"/>',
        '<text class="quiet" x="470" y="49">middle half of the rounds</text>',
    ]


def _bar(kind: str, s: Spread, y: float, scale: float) -> list[str]:
    middle = y + BAR / 2
    low, median, high = (LABELS + value * scale for value in (s.low, s.median, s.high))
    return [
        f'<rect class="{kind}" x="{LABELS}" y="{y}" width="{median - LABELS:.1f}" height="{BAR}"/>',
        f'<line class="spread" x1="{low:.1f}" y1="{middle}" x2="{high:.1f}" y2="{middle}"/>',
        f'<text class="text" x="{high + 6:.1f}" y="{middle + 4.5}">{s.median:.2f}</text>',
    ]
