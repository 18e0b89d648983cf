"""Authoring: can the task be done as it is told, and is all that is measured told?"""

from collections.abc import Iterator
from fractions import Fraction

from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.core.ask import Ask
from cutscore.core.bundle import Bundle
from cutscore.core.errors import BadInput
from cutscore.core.files import FileRef
from cutscore.core.gate import Gate, make_gate
from cutscore.media import deliverable

LONGEST_BRIEF = 20_000  # characters; a production request is a page or two
# Of an editor: the paper's longest task takes a week. More than four is most often a sum in seconds.
LONGEST_WORK_MIN = 4 * 7 * 24 * 60
HOOK = "authoring_faults"


def check_authoring(bench: LoadedBenchmark, item: Bundle) -> Gate:
    """Check the brief: in size, feasible, every delivery told; and what the family itself holds against it."""
    ask: Ask = bench.found.ask(item, bench.prompts)
    own = getattr(bench.found.part("dataset"), HOOK, None)
    faults = [*_brief_faults(item, ask), *_feasibility_faults(bench, item), *(own(item) if own else ())]
    return make_gate("authoring", faults)


def _brief_faults(item: Bundle, ask: Ask) -> Iterator[str]:
    if len(ask.brief) > LONGEST_BRIEF:
        yield f"the brief has {len(ask.brief):,} characters, {LONGEST_BRIEF:,} are enough"
    for each in item.deliveries:
        if each.brief_line not in ask.brief:
            yield f"the brief does not tell the delivery '{each.brief_line}'"
    wanted, asked = {each.name for each in item.deliveries}, {each.name for each in ask.wanted}
    if wanted != asked:
        yield f"the ask wants {', '.join(sorted(asked)) or 'nothing'}, deliveries are {', '.join(sorted(wanted))}"
    given, named = {ref.name for ref in ask.files}, {ref.name for ref in item.materials}
    if given != named:
        odd = sorted(given ^ named)[0]
        yield f"the ask gives other files than the materials: '{odd}'"


def _feasibility_faults(bench: LoadedBenchmark, item: Bundle) -> Iterator[str]:
    """Return why nobody could deliver: more film is asked than there is, or work without end."""
    if item.human_minutes is not None and item.human_minutes > LONGEST_WORK_MIN:
        many = f"{item.human_minutes:,.0f} minutes, {LONGEST_WORK_MIN:,} are four weeks"
        yield f"an editor would need {many}; see that they are minutes"
    asked = [each.length_s - each.within_s for each in item.deliveries if each.length_s is not None]
    if not asked:
        return
    there = sum((_seconds(bench, ref) for ref in item.materials), Fraction(0))
    if (longest := max(asked)) > there:
        yield f"{float(longest):g} s of film are asked for, materials last {float(there):g} s"


def _seconds(bench: LoadedBenchmark, ref: FileRef) -> Fraction:
    if not ref.media_type.startswith("video/"):
        return Fraction(0)
    try:
        return deliverable.probe(bench.store.path(ref)).duration_s or Fraction(0)
    except BadInput:  # the asset gate says what is wrong with it
        return Fraction(0)
