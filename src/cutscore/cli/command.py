"""What every command shares: its help switches, `--json`, `--debug`, and how it reads NAME=VALUE."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from cutscore.cells.selection import ItemSelection
from cutscore.core.card import Card
from cutscore.core.errors import BadInput, UnknownName
from cutscore.settings import Settings

Call = TypeVar("Call", bound=Callable[..., Any])

# Who is in rankings and pairs beside those that compete.
with_references_option = click.option(
    "--with-references", is_flag=True, help="Rank and compare oracle, blind, null, planted faults and people as well."
)

# A path as the user wrote it. Whether it is there is said by whoever opens it, with what to do about it.
PATH = click.Path(path_type=Path)


def subcommand(name: str, *, examples: str = "") -> Callable[[Call], click.Command]:
    """Make a function a command; it returns an `Answer` and prints nothing itself."""

    def wrap(call: Call) -> click.Command:
        epilog = f"\b\nexamples:\n{examples.strip(chr(10))}" if examples else None
        made = click.command(name, context_settings={"help_option_names": ["-h", "--help"]}, epilog=epilog)(call)
        made.params += [
            click.Option(["--json"], is_flag=True, expose_value=False, help="Print one JSON object."),
            click.Option(["--debug"], is_flag=True, expose_value=False, help="Show where an error came from."),
        ]
        return made

    return wrap


def pairs(option: str, words: Iterable[str], form: str = "NAME=VALUE") -> Mapping[str, str]:
    """Read repeated NAME=VALUE words; a name twice is an error, since one of them would be lost.

    >>> dict(pairs("--role", ["judge=openai/x"]))
    {'judge': 'openai/x'}
    """
    made: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise BadInput(f"{option} '{word}'", f"is not {form}", f"write {option} {form}")
        if name in made:
            raise BadInput(f"{option} '{word}'", f"'{name}' is given twice", "give it once")
        made[name] = value
    return made


def item_selection(
    items: Sequence[str], where: Iterable[str], limit: int | None, draw: int | None = None
) -> ItemSelection:
    """Read `--item`, `--where GROUP=VALUE`, `--limit` and `--draw`."""
    return ItemSelection(tuple(dict.fromkeys(items)), pairs("--where", where, "GROUP=VALUE"), limit, draw)


def with_address(settings: Settings, engine: str, address: str) -> Settings:
    """Return the settings with the Ray cluster that a command names."""
    if address and engine != "ray":
        raise BadInput(f"--address '{address}'", f"names a Ray cluster, and the engine is {engine}", "add --engine ray")
    return settings.model_copy(update={"ray_address": address}) if address else settings


def split_settings(card: Card, given: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Part what `--set` says into choices in scoring and conditions of work, which the card tells apart."""
    known = (*card.options, *card.all_conditions)
    if odd := next((name for name in given if name not in known), None):
        unknown = UnknownName.among("setting", odd, known)
        raise UnknownName(unknown.what, f"neither an option nor a condition of '{card.name}'", unknown.next)
    options = {name: value for name, value in given.items() if name in card.options}
    conditions = {name: value for name, value in given.items() if name not in card.options}
    try:
        return card.changed_options(options), card.changed_conditions(conditions)
    except ValueError as error:
        raise BadInput("--set", str(error), f"see 'cutscore list --json' for those of '{card.name}'") from None


def scoring_options(card: Card, words: Iterable[str]) -> dict[str, str]:
    """Read `--set NAME=VALUE` as choices in scoring; those that are the defaults anyway are left out."""
    try:
        return card.changed_options(pairs("--set", words))
    except ValueError as error:
        raise BadInput("--set", str(error), f"see 'cutscore list --json' for the options of '{card.name}'") from None
