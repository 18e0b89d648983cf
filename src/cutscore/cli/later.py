"""Commands of later versions: they exist, say so in one sentence, and stop."""

import click

import cutscore
from cutscore.cli.command import subcommand
from cutscore.cli.output import CommandOutput
from cutscore.core.errors import Stopped


def later(name: str) -> click.Command:
    """Return the command of that name, which takes whatever it is given."""

    def call(words: tuple[str, ...]) -> CommandOutput:
        fact = f"does not exist yet in cutscore {cutscore.__version__}"
        raise Stopped(f"'cutscore {name}'", fact, "a later version brings it; CHANGELOG.md says when")

    call.__doc__ = "Not in this version yet."
    made = subcommand(name)(click.argument("words", nargs=-1, type=click.UNPROCESSED)(call))
    made.ignore_unknown_options = True
    return made
