"""Tables as files for others: CSV for spreadsheets, Markdown for issues and pages, LaTeX for papers.

Text from models and files is inert in each: no formula in a spreadsheet, no markup on a page, no command in LaTeX.
"""

import csv
import io

from cutscore.core.estimate import Estimate
from cutscore.core.inert_text import Clean, escape_markdown, make_inert
from cutscore.core.table import Table, TableCell
from cutscore.results.tables.text import CellText, paper_reference, table_text

# How a cell that a spreadsheet would compute begins; wide forms count in Japanese and Chinese ones.
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
PARTS = ("low", "high", "n", "clusters", "unscored")  # what stands beside the value of an estimate
# LaTeX without packages for other alphabets knows neither these signs nor their names.
_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: rf"\{sign}" for sign in "{}$&#_%"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    "|": r"\textbar{}",
    '"': "''",
    "[": "{[}",  # after the end of a row it would be read as a length
    "]": "{]}",
    "<": "$<$",
    ">": "$>$",
    "−": "$-$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "Δ": r"$\Delta$",
    "′": "$'$",
    "·": r"$\cdot$",
    "–": "--",
    "…": r"\ldots{}",
}


def as_csv(table: Table, clean: Clean = str) -> str:
    """Write a table with values as they are; an estimate has a column for each of its parts."""
    wide = [any(isinstance(row[at], Estimate) for row in table.rows) for at in range(len(table.columns))]
    names = [
        name
        for column, parts in zip(table.columns, wide, strict=True)
        for name in (column.name, *(f"{column.name} {part}" for part in PARTS if parts))
    ]
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_not_formula(name, clean) for name in names)
    for row in table.rows:
        cells = (_parts(cell, clean, wide=parts) for cell, parts in zip(row, wide, strict=True))
        writer.writerow(part for cell in cells for part in cell)
    return stream.getvalue()


def _parts(cell: TableCell, clean: Clean, *, wide: bool) -> list[object]:
    if isinstance(cell, Estimate):
        return [cell.value, *(getattr(cell, part) for part in PARTS)]
    return [_not_formula(cell, clean) if isinstance(cell, str) else cell, *([None] * len(PARTS) if wide else ())]


def _not_formula(text: str, clean: Clean) -> str:
    """Write text so that no spreadsheet computes it."""
    plain = " ".join(make_inert(text, clean).split())
    return f"'{plain}" if plain.startswith(FORMULA) else plain


def as_markdown_table(table: Table, clean: Clean = str) -> str:
    """Write a table for a Markdown page, with its finding above and its note below."""

    def clean_text(text: str) -> str:
        return escape_markdown(make_inert(text, clean))

    written = table_text(table)
    heads = [clean_text(f"{each.name}, {each.n}" if each.n else each.name) for each in written.headings]
    lines = [
        heads,
        ["---:" if each.numeric else "---" for each in written.headings],
        *([clean_text(str(cell)) for cell in row] for row in written.rows),
    ]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    below = "; ".join(filter(None, (written.note, paper_reference(table))))
    return "\n\n".join(filter(None, (f"**{clean_text(table.title)}**", body, clean_text(below)))) + "\n"


def as_latex(table: Table, clean: Clean = str) -> str:
    """Write a table for a paper; its only package is booktabs."""

    def clean_text(text: str) -> str:
        return escape_latex(make_inert(text, clean))

    def figures(cell: CellText) -> str:
        beside = " ".join(filter(None, (cell.interval, cell.beside)))
        return clean_text(cell.text) + (rf" {{\footnotesize {clean_text(beside)}}}" if beside else "")

    written = table_text(table)
    shape = "".join("r" if each.numeric else "l" for each in written.headings)
    below = "; ".join(filter(None, (written.note, paper_reference(table))))
    heads = [[clean_text(each.name) for each in written.headings]]
    if any(each.n for each in written.headings):
        heads.append([rf"{{\footnotesize {clean_text(each.n)}}}" if each.n else "" for each in written.headings])
    lines = (
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        rf"\caption{{{clean_text(table.title)}{f' ({clean_text(below)})' if below else ''}}}",
        rf"\label{{tab:{table.id}}}",
        rf"\begin{{tabular}}{{{shape}}}",
        r"\toprule",
        *(" & ".join(head) + r" \\" for head in heads),
        r"\midrule",
        *(" & ".join(figures(cell) for cell in row) + r" \\" for row in written.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    )
    return "\n".join(lines) + "\n"


def escape_latex(text: str) -> str:
    r"""Write text so that LaTeX prints it.

    >>> print(escape_latex(r"50% of a_b \input{x}"))
    50\% of a\_b \textbackslash{}input\{x\}
    """
    return " ".join("".join(_LATEX.get(letter, letter) for letter in text).split())
