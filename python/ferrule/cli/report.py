"""The explanation as one HTML page that needs nothing else."""

from __future__ import annotations

from html import escape
from pathlib import Path

from .console import time_text
from .explain import Explanation, Launch

STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --line: #d7dce3;
  --soft: #5b6675; --bar: #3b6fb6; --back: #eef1f5; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --paper: #14181e;
  --line: #2e3540; --soft: #98a2b0; --bar: #6fa0e0; --back: #1e242c; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); max-width: 1180px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.35rem; overflow-wrap: anywhere; }
p { color: var(--soft); margin: .2rem 0; }
table { border-collapse: collapse; width: 100%; margin-top: 1.2rem; font-size: 13.5px; }
th, td { text-align: left; padding: .35rem .6rem; vertical-align: top;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { position: sticky; top: 0; background: var(--paper); color: var(--soft);
  font-weight: 600; }
td.number, th.number { text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
td.bar { min-width: 90px; }
td.bar div { background: var(--back); height: .8rem; border-radius: 2px;
  margin-top: .25rem; }
td.bar div div { background: var(--bar); margin: 0; min-width: 1px; }
"""
COLUMNS = (
    ("#", "number"),
    ("what it computes", ""),
    ("layer", ""),
    ("time", "number"),
    ("share", "number"),
    ("", "bar"),
    ("rate", "number"),
    ("roofline", "number"),
    ("", "bar"),
    ("threads", "number"),
)


def cell(text: str, kind: str = "") -> str:
    return (
        f'<td class="{kind}">{escape(text)}</td>'
        if kind
        else f"<td>{escape(text)}</td>"
    )


def bar(fraction: float | None) -> str:
    if fraction is None:
        return "<td></td>"
    width = min(100.0, 100 * fraction)
    return f'<td class="bar"><div><div style="width:{width:.1f}%;height:.8rem"></div></div></td>'


def row(explanation: Explanation, launch: Launch) -> str:
    share, fraction = explanation.share(launch), explanation.fraction(launch)
    return "".join(
        (
            "<tr>",
            cell(str(launch.number), "number"),
            cell(launch.operations or launch.kernel),
            cell(launch.layer),
            cell(time_text(launch.seconds), "number"),
            cell(f"{share:.1%}", "number"),
            bar(share),
            cell(explanation.rate(launch), "number"),
            cell("" if fraction is None else f"{fraction:.0%}", "number"),
            bar(fraction),
            cell(str(launch.threads), "number"),
            "</tr>\n",
        )
    )


def write_html(explanation: Explanation, path: Path) -> None:
    """Writes all launches in the order of their time."""
    head = "".join(f'<th class="{kind}">{name}</th>' for name, kind in COLUMNS)
    body = "".join(row(explanation, launch) for launch in explanation.by_time())
    lines = "".join(f"<p>{escape(line)}</p>\n" for line in explanation.summary())
    path.write_text(
        f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(explanation.title)}</title><style>{STYLE}</style></head>
<body><h1>{escape(explanation.title)}</h1>
{lines}<table><thead><tr>{head}</tr></thead>
<tbody>
{body}</tbody></table></body></html>
""",
        encoding="utf-8",
    )
