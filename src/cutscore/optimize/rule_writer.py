"""The optimiser `rules`, a simulation: no model, it adds rules to a prompt by the words of feedback alone.

A benchmark whose reader is told by its prompt what to look for offers the rules that it understands, each with what it
is about (`keyless.READING_RULES`). For every omission the one whose words are nearest, of those that the prompt lacks,
is added at its end. Neither labels nor films are seen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from cutscore.core.errors import BadInput
from cutscore.scoring.matching.similarity import character_similarity

if TYPE_CHECKING:
    from cutscore.optimize.problem import AskOptimizer
    from cutscore.registry import Benchmark

RULES = "rules"  # its name for `--optimizer`
SIMULATION = "rules are added by the words of feedback, no model writes them"
HOOK = "READING_RULES"
# What a request of ours looks like (`prompts/`), and feedback in it (`problem.py`).
PRESENT = re.compile(r"^## Present instructions\n\n(.*)\n\n## (?:What went wrong|Criticism)", re.DOTALL | re.MULTILINE)
FENCED = re.compile(r"^<+ EVIDENCE (\w+)\n(.*)\nEVIDENCE \1 >+$", re.DOTALL | re.MULTILINE)
SEAL = re.compile(r"^BEGIN PROMPT (\w+)$", re.MULTILINE)
OMITTED = re.compile(r"Omissions: (.*?); Hallucinations:", re.DOTALL)


def open_rule_writer(benchmark: Benchmark | None) -> AskOptimizer:
    """Return the optimiser for a benchmark whose reader can be told what to look for."""
    rules = getattr(benchmark.part("keyless"), HOOK, None) if benchmark and benchmark.has_part("keyless") else None
    if not rules:
        fact = f"benchmark '{benchmark.name}' has no reader that a prompt tells what to look for" if benchmark else ""
        fact = fact or "the labels are of no benchmark, so there are no rules to add"
        raise BadInput(f"optimizer '{RULES}'", fact, "name a model with --optimizer PROVIDER/NAME")
    return partial(reply_with_rules, rules=rules)


def reply_with_rules(request: str, rules: Mapping[str, str]) -> str:
    """Return the new prompt between its marks; to a request for criticism, what was omitted, for the next request."""
    fenced = FENCED.search(request)
    omitted = OMITTED.findall(fenced[2]) if fenced else []
    ours = FENCED.sub("", request)  # what is inside the fence may look like a request, too
    seal, present = SEAL.search(ours), PRESENT.search(ours)
    if seal is None or present is None:
        return "\n".join(f"Omissions: {each}; Hallucinations: none" for each in omitted)
    named = [text for each in omitted for text in each.split(" | ") if text != "none"]
    return f"BEGIN PROMPT {seal[1]}\n{add_rules(present[1], named, rules)}\nEND PROMPT {seal[1]}"


def add_rules(prompt: str, omissions: list[str], rules: Mapping[str, str]) -> str:
    r"""Return a prompt with the nearest rule that it lacks for each omission, in the order of the rules.

    >>> rules = {"Look for: camera": "the camera goes elsewhere", "Look for: sound": "the sound is not heard"}
    >>> add_rules("Judge.", ["The camera stands still."], rules)
    'Judge.\nLook for: camera'
    """
    lines = prompt.splitlines()
    lacking = [rule for rule in rules if rule not in lines]
    if not omissions or not lacking:
        return prompt
    nearness = character_similarity(sorted(set(omissions)), [rules[rule] for rule in lacking])
    nearest = set(nearness.argmax(axis=1).tolist())
    return "\n".join([*lines, *(rule for number, rule in enumerate(lacking) if number in nearest)])
