"""`cutscore list`: benchmarks, subjects, judges, floors; reads cards and imports nothing heavy."""

from typing import Any

from cutscore.cli.command import subcommand
from cutscore.cli.output import CommandOutput
from cutscore.cli.text_tables import NARROW_GAP, align_columns
from cutscore.core.card import Card
from cutscore.registry import benchmarks, broken_cards, plugins

NEXT = "cutscore show BENCHMARK · cutscore run BENCHMARK --subject oracle · cutscore agents list"


@subcommand("list", examples="  cutscore list\n  cutscore list --json | jq '.benchmarks[].name'")
def command() -> CommandOutput:
    """Benchmarks, subjects, judges, floors.

    `floor` is what doing nothing gets, `chance` what guessing gets on the benchmark's own items, `ceiling` what the
    oracle reaches at least, all of the headline score.
    """
    from cutscore.scoring.judges.choose import JUDGES
    from cutscore.subjects.choose import KINDS, kinds

    cards = {name: found.card for name, found in benchmarks().items()}
    subjects = [
        {
            "name": name,
            "about": _about(name),
            "takes_model": KINDS[name].takes_model if name in KINDS else None,
            "spec": KINDS[name].spec if name in KINDS else "",
        }
        for name in kinds()
    ]
    judges = [{"name": name, "about": about} for name, about in JUDGES.items()]
    judges += [{"name": name, "about": f"from {entry.value}"} for name, entry in plugins("judges").items()]
    broken = [card.as_json() for card in broken_cards()]
    plain = {
        "benchmarks": [as_json(name, card) for name, card in cards.items()],
        "subjects": subjects,
        "judges": judges,
        "broken": broken,
    }
    warnings = tuple(f"left out: {card}" for card in broken_cards())
    return CommandOutput(plain, _text(plain), warnings)


def _about(kind: str) -> str:
    """Return what a kind of subject does, or whose it is."""
    from cutscore.subjects.choose import KINDS, planted_kinds

    known = {name: each.about for name, each in KINDS.items()} | dict(planted_kinds())
    return known[kind] if kind in known else f"from {plugins('subjects')[kind].value}"


def as_json(name: str, card: Card) -> dict[str, Any]:
    """Return a benchmark's line of the list."""
    headline = card.scores[card.headline]
    return {
        "name": name,
        "version": card.version,
        "title": card.title,
        "n": next(iter(card.splits.values()), 0),
        "headline": card.headline,
        "floor": headline.floor,
        "chance": headline.chance,
        "ceiling": headline.ceiling,
        "scale": list(headline.scale),
        "modes": list(card.modes),
        "options": {name: option.model_dump(mode="json") for name, option in card.options.items()},
        "conditions": {name: each.model_dump(mode="json") for name, each in card.all_conditions.items()},
        "inputs": dict(card.inputs),
        "judged_by": card.judged_by,
        "judge": card.judge.default,
        "judged": [name for name, score in card.scores.items() if score.judged],
        "subjects": list(card.subjects),
        "extras": list(card.extras),
        "packs": dict(card.packs),
        "licence": card.licence,
    }


def _text(plain: dict[str, Any]) -> str:
    head = ("benchmark", "", "items", "headline", "floor", "chance", "ceiling", "about")
    lines = [head] + [
        (
            each["name"],
            f"v{each['version']}",
            f"{each['n']:,}",
            each["headline"],
            f"{each['floor']:g}",
            "–" if each["chance"] is None else f"{each['chance']:g}",
            f"{each['ceiling']:g}",
            each["title"] + (f" (extra {', '.join(each['extras'])})" if each["extras"] else ""),
        )
        for each in plain["benchmarks"]
    ]
    marked = [("benchmark", "modes", "marked by")] + [
        (
            each["name"],
            ", ".join(each["modes"]) or "–",
            # Which scores there are only with a judge, where none is asked by default.
            each["judged_by"]
            + (f"; with --judge also {', '.join(each['judged'])}" if each["judged"] and not each["judge"] else ""),
        )
        for each in plain["benchmarks"]
    ]
    subjects = [("subject", "about")] + [
        (
            f"{each['name']}:{each['spec']}" if each["spec"] else each["name"],
            each["about"] + (" (takes --model)" if each["takes_model"] else ""),
        )
        for each in plain["subjects"]
    ]
    packs = [("--data", "for", "about")] + [
        (name, each["name"], about) for each in plain["benchmarks"] for name, about in each["packs"].items()
    ]
    judges = [("judge", "about")] + [(each["name"], each["about"]) for each in plain["judges"]]
    parts = [align_columns(lines, right=(2, 4, 5, 6), gap=NARROW_GAP)]
    parts += [align_columns(each, gap=NARROW_GAP) for each in (marked, subjects, judges, packs) if each[1:]]
    return "\n\n".join(parts) + f"\n\nnext: {NEXT}"
