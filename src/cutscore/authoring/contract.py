"""What every benchmark folder promises, as checks that return what is wrong.

The contract tests and `cutscore check BENCH` run the same functions. Each returns sentences that name the item
and the fact; an empty list is a kept promise. Nothing here needs Inspect, a key or a network.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

from cutscore.authoring.chance import chance_faults
from cutscore.authoring.faults import try_author_code
from cutscore.authoring.leaks import (
    HOSTILE,
    RecordingJudge,
    find_truth_leaks,
    hostile_deliverable,
    keyless_subjects_reach_no_truth,
    marking_reaches_no_recipe,
)
from cutscore.authoring.loaded_benchmark import LoadedBenchmark, scorable_items
from cutscore.core.ask import Ask
from cutscore.core.card import ScoreCard
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.errors import BadInput, Stopped
from cutscore.core.finding import Finding, score_key
from cutscore.core.frozen import canonical_json, digest_of
from cutscore.core.item import Item
from cutscore.registry import PARTS

REQUIRED = (
    *("README.md", "benchmark.toml", "dataset.py", "ask.py", "mark.py", "oracle.py", "keyless.py"),
    *("tables.py", "task.py", "prompts"),
)
# Truth that a variant may tell: its hint, and a file of the marker's.
TOLD = ("hints", "hidden")


def folder_has_what_all_have(bench: LoadedBenchmark) -> list[str]:
    """The files that every benchmark has are there, and the README says how to run it; what else is there is free."""
    names = {path.name for path in bench.found.folder.iterdir()}
    problems = [f"the folder has no {name}" for name in REQUIRED if name not in names]
    command, readme = f"cutscore run {bench.found.name}", bench.found.folder / "README.md"
    if not readme.is_file() or command not in readme.read_text(encoding="utf-8", errors="replace"):
        problems.append(f"no README.md says how to run it; write into it the line: {command} --subject oracle")
    if not bench.found.card.version.strip():
        problems.append("the card has no version")
    return problems


def every_part_can_be_imported(bench: LoadedBenchmark) -> list[str]:
    """Each Python file that means something to us can be imported; what lacks an extra here is left alone."""
    by_place: dict[str, str] = {}
    for name in filter(bench.found.has_part, PARTS):
        with suppress(Stopped):
            _, fault = try_author_code(partial(bench.found.part, name), bench.found.folder)
            by_place.setdefault(fault.partition(": ")[0], fault)  # one bad line, and all parts that import it
    return [fault for fault in by_place.values() if fault]


def items_are_as_the_card_says(bench: LoadedBenchmark) -> list[str]:
    """As many items as the default split; ids that stay apart on every disk; the same items at the second call."""
    problems = []
    split, wanted = next(iter(bench.found.card.splits.items()), ("", 0))
    if bench.data is None and len(bench.items) != wanted:
        problems.append(f"there are {len(bench.items)} items, the card says {wanted} in split '{split}'")
    folded = Counter(item.id.casefold() for item in bench.items)
    problems += [f"item '{name}': {times} items have this id" for name, times in folded.items() if times > 1]
    again = scorable_items(bench.found.part("dataset").items(bench.store, bench.data))
    if [item.id for item in again] != [item.id for item in bench.items]:
        problems.append("a second call of items() gives other ids or another order")
    changed = [one.id for one, two in zip(bench.items, again, strict=False) if one != two]
    problems += [f"item '{name}': a second call of items() gives it another content" for name in changed]
    names = Counter(tuple(sorted(item.groups)) for item in bench.items)
    usual = names.most_common(1)[0][0] if names else ()
    for item in bench.items:
        if tuple(sorted(item.groups)) != usual:
            problems.append(f"item '{item.id}': its groups are {sorted(item.groups)}, others have {list(usual)}")
    if (by := bench.found.card.stop_by) and by not in usual:
        problems.append(f"the card stops a failing provider by '{by}', and items have no such group")
    return problems


def subject_sees_no_truth(bench: LoadedBenchmark) -> list[str]:
    """What a subject gets is equal to the byte when every truth field is replaced, one by one and all at once.

    So is what it gets under every choice of the card's own conditions, of the items that can be asked so.
    """
    problems = find_truth_leaks(bench.items, bench.ask_bytes)
    card = bench.found.card
    if not hasattr(bench.found.part("ask"), "ask_under"):
        return problems
    for name, value in [(name, value) for name, each in card.conditions.items() for value in each.choices]:
        asked = partial(_ask_bytes_under, bench, card.condition_values({name: value}))
        able = [item for item in bench.items if asked(item)]
        if not able and bench.data is None:
            problems.append(f"condition '{name}={value}': no item can be asked so")
        problems += [f"condition '{name}={value}': {fault}" for fault in find_truth_leaks(able, asked)]
    return problems


def _ask_bytes_under(bench: LoadedBenchmark, conditions: Mapping[str, str], item: Item) -> bytes:
    """Return the bytes of an ask under conditions; nothing where the item cannot be asked so."""
    try:
        return canonical_json(bench.found.ask(item, bench.prompts, conditions))
    except BadInput:
        return b""


def every_blank_is_filled(bench: LoadedBenchmark) -> list[str]:
    """No brief has a blank left, and each says which prompts it was made from."""
    problems = []
    for item in bench.items:
        faults = _ask_faults(bench, item, bench.ask(item))
        problems += [f"item '{item.id}': {fault}" for fault in faults]
    return problems


def _ask_faults(bench: LoadedBenchmark, item: Item, ask: Ask) -> list[str]:
    problems = [f"the brief still has a '{mark}'" for mark in ("{{", "}}") if mark in ask.brief]
    if ask.item != item.id:
        problems.append(f"the ask names item '{ask.item}'")
    for name, digest in ask.prompts.items():
        if name not in bench.prompts or bench.prompts[name].digest != digest:
            problems.append(f"the ask names prompt '{name}' with another digest")
    return problems


def variants_are_as_the_card_says(bench: LoadedBenchmark) -> list[str]:
    """Each input that the card lists asks otherwise than the task itself, and tells no more of the truth than it says.

    A variant's hint and a file of the marker that it shows are what it is there to tell; all other truth stays hidden.
    A data pack need not have something for every variant.
    """
    variant = getattr(bench.found.part("ask"), "variant", None)
    names = bench.found.card.inputs
    if variant is None or not names:
        fault = "ask.py has no variant, the card lists inputs" if names else "ask.py has a variant, the card lists none"
        return [fault] if variant is not None or names else []
    problems = []
    for name in names:
        made = [(item, variant(item, bench.prompts, name)) for item in bench.items]
        if not any(ask for _, ask in made) and bench.data is None:
            problems.append(f"input '{name}': no item has anything for it")
        for item, ask in made:
            where = f"item '{item.id}', input '{name}'"
            if ask is not None and canonical_json(ask) == bench.ask_bytes(item):
                problems.append(f"{where}: the variant asks what the task asks; give None where there is nothing")
            problems += [f"{where}: {fault}" for fault in _ask_faults(bench, item, ask)] if ask is not None else []
        able = [item for item, ask in made if ask is not None]
        moved = find_truth_leaks(able, partial(_variant_bytes, bench, variant, name), told=TOLD)
        problems += [f"input '{name}': {fault}" for fault in moved]
    return problems


def _variant_bytes(bench: LoadedBenchmark, variant: Callable[..., Ask | None], name: str, item: Item) -> bytes:
    return canonical_json(variant(item, bench.prompts, name) or {})


def oracle_gets_full_marks(bench: LoadedBenchmark) -> list[str]:
    """Every score of a perfect deliverable is at the top of its scale, or reaches what the card asks of the oracle."""
    problems = []
    for item in bench.items:
        for mode in bench.modes:
            ending = bench.mark(bench.oracle_deliverable("perfect", item), item, mode)
            problems += _marking_faults("the oracle", item, ending)
            for name, card in bench.found.card.scores.items():
                value = ending.scores.get(score_key(name, mode))
                if value is not None and not card.ceiling <= value <= card.scale[1]:
                    least = "" if card.oracle is None else f", the card asks for {card.oracle:g}"
                    said = f"the oracle gets {name} {value:g}{least}: {_reason(ending, name)}"
                    problems.append(f"item '{item.id}': {said}")
    return problems


def empty_gets_the_floor(bench: LoadedBenchmark) -> list[str]:
    """An empty deliverable is marked with the floor of the headline, with a reason."""
    floor = bench.found.card.scores[bench.headline].floor
    return _headline_faults(bench, "empty", lambda value: value == floor, f"not its floor {floor:g}")


def near_miss_does_not_pass(bench: LoadedBenchmark) -> list[str]:
    """A near miss stays below full marks, and below what the card asks of the oracle."""
    card = bench.found.card.scores[bench.headline]
    wrong = "full marks" if card.oracle is None else f"not below the {card.oracle:g} of the oracle"
    return _headline_faults(bench, "near_miss", lambda value: value < card.ceiling, wrong)


def _headline_faults(bench: LoadedBenchmark, made: str, fine: Callable[[float], bool], wrong: str) -> list[str]:
    problems, who = [], made.replace("_", " ")
    for item in bench.items:
        for mode in bench.modes:
            ending = bench.mark(bench.oracle_deliverable(made, item), item, mode)
            problems += _marking_faults(who, item, ending)
            value = ending.scores.get(score_key(bench.headline, mode))
            if value is not None and not fine(value):
                why = _reason(ending, bench.headline)
                problems.append(f"item '{item.id}': {who} gets {bench.headline} {value:g}, {wrong}: {why}")
    return problems


def marking_repeats(bench: LoadedBenchmark) -> list[str]:
    """Marking twice gives the same findings, to the byte."""
    problems = []
    for item in bench.items:
        for made in ("perfect", "empty", "near_miss"):
            deliverable = bench.oracle_deliverable(made, item)
            first, second = bench.mark(deliverable, item), bench.mark(deliverable, item)
            if canonical_json(first) != canonical_json(second):
                problems.append(f"item '{item.id}': marking '{made}' twice gives two results")
    return problems


def findings_are_what_the_card_lists(bench: LoadedBenchmark) -> list[str]:
    """Scores keep to the card's scales and modes, every listed score occurs, and files that findings name exist.

    A finding that the card does not list is no score but an explanation, and there may be any number of them. A data
    pack need not have items for every score.
    """
    problems, found, gaps = [], set[str](), set[str]()
    card = bench.found.card
    for item in bench.items:
        asked = bench.ask(item)
        for made in ("perfect", "near_miss"):
            work = bench.oracle_deliverable(made, item)
            ending = bench.mark(work, item)
            recorded = bench.play(work, item).evidence.files if ending.findings else ()
            known = {file.name for file in (*asked.files, *recorded)}
            gaps |= {gap.name for gap in ending.gaps}
            for finding in ending.findings:
                where = f"item '{item.id}': finding '{finding.name}'"
                found.add(finding.name)
                if finding.mode and finding.mode not in card.modes:
                    problems.append(f"{where} has mode '{finding.mode}', which the card does not list")
                problems += [f"{where} {fault}" for fault in _score_faults(card.scores.get(finding.name), finding)]
                if finding.file is not None and finding.file not in known:
                    problems.append(f"{where} names file '{finding.file}', which nobody asked or delivered")
    problems += [f"a gap names '{name}', which is no score of the card" for name in sorted(gaps - {*card.scores})]
    wanted = [name for name, score in card.scores.items() if bench.judge or not score.judged]
    if bench.items and bench.data is None:
        problems += [f"the card lists '{name}', but no marking found it" for name in wanted if name not in found | gaps]
    return problems


def _score_faults(card: ScoreCard | None, finding: Finding) -> list[str]:
    """Say what a finding that is a score has otherwise than the card: its scale, or whether it is part of a whole."""
    if card is None:
        return []
    if card.ratio != (finding.whole is not None):
        return ["is no part of a whole, the card says ratio" if card.ratio else "has a whole, the card says no ratio"]
    low, high = card.scale
    # The allowance is for parts and wholes that are sums of decimals.
    if finding.score is None or low - 1e-9 <= finding.score <= high + 1e-9:
        return []
    return [f"is {finding.amount}, its scale is {low:g} to {high:g}"]


def judges_are_asked_in_our_words(bench: LoadedBenchmark) -> list[str]:
    """Nothing that a subject hands in gets into a question or a label; evidence stands behind the fence."""
    problems = []
    for item in bench.items if bench.found.card.takes_judge else ():
        heard = RecordingJudge()
        heard_in = dict.fromkeys(bench.found.card.judge.roles, heard)
        replace(bench, judge=heard, roles=heard_in).mark(hostile_deliverable(bench.store), item)
        problems += [
            f"item '{item.id}': question '{question.id}' quotes what was handed in"
            for question in heard.asked
            if HOSTILE in question.model_dump_json()
        ]
        problems += [
            f"item '{item.id}': label '{shown.label}' quotes what was handed in"
            for view in heard.views
            for shown in view.shown
            if HOSTILE in shown.label
        ]
    return problems


def blind_knows_no_more_than_chance(bench: LoadedBenchmark, *, rounds: int = 1) -> list[str]:
    """`blind` sees the ask alone and scores what chance is over all rounds; no fixed choice scores more.

    Where the card names another `guess`, blind may score less.
    """
    problems: list[str] = []
    card = bench.found.card.scores[bench.headline].model_copy(update={"chance": bench.chance})
    blind = getattr(bench.found.part("keyless"), "blind", None)
    if blind is None:
        return ["keyless.py has no blind, the card lists it"] if "blind" in bench.found.card.subjects else []
    asks = [(item, bench.ask(item)) for item in bench.items]
    turns = ((item, ask, turn) for item, ask in asks for turn in range(rounds))
    endings = []
    for item, ask, turn in turns:
        seed = int(digest_of([item.id, turn])[:12], 16)
        endings.append(bench.mark(blind(ask, seed, bench.store), item))
        problems += _marking_faults("blind", item, endings[-1])
    problems += chance_faults("blind", bench.headlines(endings), card, above_only=bool(card.guess))
    for place in range(min((len(ask.choices) for _, ask in asks), default=0)):
        fixed = [bench.mark(Deliverable(text=ask.choices[place]), item) for item, ask in asks]
        problems += chance_faults(f"always taking choice {place + 1}", bench.headlines(fixed), card, above_only=True)
    return problems


def _marking_faults(who: str, item: Item, ending: Ending) -> list[str]:
    if ending.status != "marked":
        return [f"item '{item.id}': {who} is {ending.status}: {ending.because}"]
    lost = [gap for gap in ending.gaps if gap.status == "unscored"]
    return [f"item '{item.id}': {gap.name} of {who} is unscored: {gap.because}" for gap in lost]


def _reason(ending: Ending, name: str) -> str:
    return next((finding.because for finding in ending.findings if finding.name == name), "no finding says why")


EMPTY = "an empty deliverable gets the floor"
CHECKS: Mapping[str, Callable[[LoadedBenchmark], list[str]]] = {
    "the folder has what all have": folder_has_what_all_have,
    "every part can be imported": every_part_can_be_imported,
    "marking reaches no recipe": marking_reaches_no_recipe,
    "keyless subjects reach no truth": keyless_subjects_reach_no_truth,
    "items are as the card says": items_are_as_the_card_says,
    "the subject sees no truth": subject_sees_no_truth,
    "every blank is filled": every_blank_is_filled,
    "variants are as the card says": variants_are_as_the_card_says,
    "the oracle gets full marks": oracle_gets_full_marks,
    EMPTY: empty_gets_the_floor,
    "a near miss does not pass": near_miss_does_not_pass,
    "marking repeats": marking_repeats,
    "findings are what the card lists": findings_are_what_the_card_lists,
    "judges are asked in our words": judges_are_asked_in_our_words,
    "blind knows no more than chance": blind_knows_no_more_than_chance,
}

# A data pack has no code: the code of its benchmark is not its business.
ABOUT_CODE = {
    *("the folder has what all have", "every part can be imported"),
    *("marking reaches no recipe", "keyless subjects reach no truth"),
}


def run_check(name: str, bench: LoadedBenchmark) -> list[str]:
    """Run one check and give what is wrong; an exception in the author's code is a fault, with its file and line."""
    found, fault = try_author_code(partial(CHECKS[name], bench), bench.found.folder)
    return [fault] if found is None else found


def problems(bench: LoadedBenchmark) -> list[str]:
    """Run every check and give all that is wrong."""
    return [problem for name in CHECKS for problem in run_check(name, bench)]
