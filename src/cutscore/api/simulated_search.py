"""A search without key, people or model: the reader judge of CLVG-Bench learns from films with planted weaknesses.

    FOLDER/films/         the films, a run like any other
    FOLDER/labels.jsonl   what the verifier, who knows what was staged, says of each
    FOLDER/few.md         p0, which names two detectors
    FOLDER/better.md      p*, and beside it its record and its work

It shows that the machinery finds on held-out cases what it was taught on others, and says nothing about people.
"""

from pathlib import Path

from cutscore.api.optimizing import OptimizeRequest, plan_search, run_search
from cutscore.api.running import run
from cutscore.benchmarks.clvg.known_films import films_to_make, label_films
from cutscore.bridge.rows import read_rows
from cutscore.labels.files import write_labels
from cutscore.labels.split import THIRDS, split_labels
from cutscore.optimize.record import OptimizeRecord
from cutscore.optimize.rule_writer import RULES

FAMILY = "prompt_following"
FIRST = "You look for weaknesses.\nLook for: standstill\nLook for: no_change\n"
# Sixteen cases are few: half of them are held out, and a step learns from all of `train`.
SHARES, MINIBATCH, CALLS = {"train": 0.25, "dev": 0.25, "test": 0.5}, 24, 200
# Half of the cases, those whose detectors look briefly: enough to watch, too few to decide.
FEW_CASES = (
    *("sepia-den", "grey-road", "robot-crosses", "cat-on-the-way"),
    *("paint-star", "remove-heart", "roll-before", "hop-between"),
)
FILMS, LABELS, P0_FILE, PROMPT = "films", "labels.jsonl", "few.md", "better.md"


def simulate_search(folder: Path, *, few: bool = False) -> OptimizeRecord:
    """Film, label and search in a folder; the same call again goes on after a kill.

    Args:
        folder: Where everything goes.
        few: Whether half of the cases are enough; then each split gets a third of them.
    """
    for subject, cases in films_to_make(FAMILY).items():
        if items := [case for case in cases if not few or case in FEW_CASES]:
            run("clvg", subject=subject, items=items, log_dir=folder / FILMS)
    labels = label_films(read_rows(folder / FILMS))
    write_labels(folder / LABELS, split_labels(labels, shares=THIRDS if few else SHARES))
    (folder / P0_FILE).write_text(FIRST, encoding="utf-8")
    return run_search(plan_search(search_request(folder)))


def search_request(folder: Path) -> OptimizeRequest:
    """Return what is searched for in a folder whose films and labels are made."""
    return OptimizeRequest(
        labels=(folder / LABELS,),
        runs=(folder / FILMS,),
        judge="reader",
        out=folder / PROMPT,
        method="textgrad",
        optimizer=RULES,
        votes=1,
        calls=CALLS,
        minibatch=MINIBATCH,
        prompts={f"judge_{FAMILY}": folder / P0_FILE},
    )
