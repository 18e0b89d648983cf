"""All scores by the three dimensions of Table 2, each headed by the score that stands for it."""

from collections.abc import Mapping, Sequence

from cutscore.core.card import Card
from cutscore.core.table import Column, Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine
from cutscore.results.tables.score_tables import scores_table

# The scores of Table 3 in its order, the head first; below them what is ours alone or printed elsewhere.
DIMENSIONS: Mapping[str, tuple[str, ...]] = {
    "Instruction Compliance": ("uas", "ifs", "vrs", "clip"),
    "Video Quality": ("vqr", "aes", "msm", "tq"),
    "Video Fidelity": ("sem", "ssim", "mf", "src", "psnr", "mf_lk"),
}
OURS = ("clip", "psnr", "mf_lk")  # not in Table 3


def dimension_table(lines: Sequence[CellLine], card: Card, mode: str) -> Table:
    """Return a line for each score and a column for each subject; what nobody measured is blank."""
    names = [name for each in DIMENSIONS.values() for name in each]
    scales = {name: card.scores[name].scale for name in names if name in card.scores}
    wide = scores_table("wide", "", lines, names, mode=mode, compared=(), note="", scales=scales)
    cells = {name: [row[at] for row in wide.rows] for at, name in enumerate(names, start=len(WHO))}
    body: list[tuple[TableCell, ...]] = []
    for dimension, members in DIMENSIONS.items():
        for place, name in enumerate(members):
            if name in OURS and not any(cells[name]):
                continue
            body.append((dimension if place == 0 else "", name, *cells[name]))
    blank = [name for name in names if name not in OURS and not any(cells[name])]
    missing = f"; not measured here: {', '.join(blank)}" if blank else ""
    heads = ", ".join(members[0] for members in DIMENSIONS.values())
    return Table(
        id="dimensions",
        title=f"All scores by dimension, headed by {heads}",
        columns=(
            Column(name="dimension"),
            Column(name="score"),
            *(Column(name=line.label or "subject") for line in lines),
        ),
        rows=tuple(body),
        note=f"{mode}; the first score of a dimension stands for it; {', '.join(OURS)} are not in Table 3{missing}",
        paper="Table 2 and Table 3",
    )
