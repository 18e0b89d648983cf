"""Draw the layers of the package, as `make check` holds imports to them: docs/pictures/layers.svg.

python tools/layers.py            write the picture
python tools/layers.py --check    fail when it is not the one that the contract gives
"""

from __future__ import annotations

import argparse
import ast
import sys
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "pictures" / "layers.svg"
WIDTH, ROW, GAP, SIDE = 960, 44, 8, 12
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1a1a1a}.about{font-size:10px;fill:#555}"
    "rect{fill:#eef3f8;stroke:#7f9db9}.bg{fill:#fff;stroke:none}"
)


def layers() -> list[list[str]]:
    """Return the packages of each layer that exist, the highest first."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rows = config["tool"]["importlinter"]["contracts"][0]["layers"]
    named = [[name.strip(" ()") for name in row.split("|")] for row in rows]
    return [row for row in ([name for name in row if about(name) is not None] for row in named) if row]


def about(name: str) -> str | None:
    """Return the first words of a package's docstring; None when there is no such package yet."""
    places = (ROOT / "src" / "cutscore" / name / "__init__.py", ROOT / "src" / "cutscore" / f"{name}.py")
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        return None
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return text.split("\n")[0].rstrip(".")


def draw(rows: list[list[str]]) -> str:
    """Return the picture: one row a layer, imports point down."""
    height = len(rows) * (ROW + GAP) + 2 * SIDE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>Layers of cutscore: imports point down, neighbours never import each other</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="bg" width="{WIDTH}" height="{height}"/>',
    ]
    for number, row in enumerate(rows):
        y = SIDE + number * (ROW + GAP)
        wide = (WIDTH - 2 * SIDE - GAP * (len(row) - 1)) / len(row)
        for place, name in enumerate(row):
            x = SIDE + place * (wide + GAP)
            parts.append(f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{ROW}" rx="4"/>')
            parts.append(f'<text x="{x + 8:.1f}" y="{y + 19}">{escape(name)}</text>')
            words = shorten(about(name) or "", int(wide / 5.2) - 3)
            parts.append(f'<text class="about" x="{x + 8:.1f}" y="{y + 35}">{escape(words)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def shorten(text: str, most: int) -> str:
    """Cut a text after a whole word.

    >>> shorten("rows to estimates", 9)
    'rows to …'
    """
    return text if len(text) <= most else f"{text[: most - 1].rsplit(' ', 1)[0]} …"


def main() -> int:
    """Write the picture, or compare it."""
    parser = argparse.ArgumentParser(description="Draw the layers of the package.")
    parser.add_argument("--check", action="store_true", help="Fail when the picture is not current.")
    made = draw(layers())
    if parser.parse_args().check:
        if PICTURE.read_text(encoding="utf-8") == made:
            return 0
        print("docs/pictures/layers.svg is not current: run python tools/layers.py", file=sys.stderr)
        return 1
    PICTURE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
