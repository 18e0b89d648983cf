"""The command line: one file per command; each parses, calls and gives an answer to print."""

from cutscore.cli.app import main

__all__ = ["main"]
