"""A profile in a notebook: its time, a small timeline, the hottest lines. HTML without script."""

from __future__ import annotations

import html as _html
import os
from typing import Any, Dict, List, Optional, Tuple

#: Rows of the table.
_LINES = 5


def html(
    kernel: str, target: str, total_ns: float, interval: Optional[Tuple[float, float]], lines: List[Dict[str, Any]], picture: str
) -> str:
    """`interval`: nanoseconds. `lines`: the hottest first. `picture`: an SVG. All text is escaped: a kernel's source may hold anything."""
    likely = "" if interval is None else f" (likely {_micros(interval[0])} to {_micros(interval[1])})"
    head = f"<b>{_html.escape(kernel)}</b> on {_html.escape(target)}: {_micros(total_ns)}{likely}"
    hot = [line for line in lines if line["time_ns"] > 0][:_LINES]
    rows = "".join(_row(line) for line in hot)
    table = f'<table><tr><th>share</th><th>time</th><th>line</th><th style="text-align:left">source</th></tr>{rows}</table>'
    return f"<div><p>{head}</p>{picture}{table}</div>"


def _row(line: Dict[str, Any]) -> str:
    place = f"{os.path.basename(line['file'])}:{line['line']}"
    source = f'<td style="text-align:left"><code>{_html.escape(line["text"])}</code></td>'
    return f"<tr><td>{100 * line['share']:.1f} %</td><td>{_micros(line['time_ns'])}</td><td>{_html.escape(place)}</td>{source}</tr>"


def _micros(nanoseconds: float) -> str:
    return f"{nanoseconds / 1000:.1f} µs"
