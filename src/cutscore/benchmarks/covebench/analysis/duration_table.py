"""How long delivered videos are beside their sources: metrics that pair frames by rank do not show it."""

from collections.abc import Sequence

from cutscore.core.table import Column, Table, TableCell
from cutscore.results.tables.lines import WHO, CellLine

RATIO, LOST = "duration ratio", "lost frames"  # as marking names them; it is not loaded for a table
NEAR = 0.02  # one frame in fifty; a video off by more has another length


def duration_table(lines: Sequence[CellLine]) -> Table:
    """Return mean, shortest and longest ratio of the durations, and of how many videos frames were lost."""
    body: list[tuple[TableCell, ...]] = []
    others = videos = 0
    for line in lines:
        ratios = list(line.by_item(RATIO).values())
        if not ratios:
            continue
        off = sum(abs(each - 1) > NEAR for each in ratios)
        others, videos = others + off, videos + len(ratios)
        lost = sum(LOST in mark.found for mark in line.marks)
        body.append((*line.who, sum(ratios) / len(ratios), min(ratios), max(ratios), len(ratios), off, lost))
    return Table(
        id="durations",
        title=f"Durations: {others} of {videos} videos are not as long as their source",
        columns=(
            *(Column(name=name) for name in WHO),
            *(Column(name=name, digits=2) for name in ("mean ratio", "shortest", "longest")),
            *(Column(name=name) for name in ("videos", "other length", "frames lost")),
        ),
        rows=tuple(body),
        note="seconds of the edited video over those of its source; other length: by more than 2%; frames lost: videos "
        "whose last frames could not be decoded",
    )
