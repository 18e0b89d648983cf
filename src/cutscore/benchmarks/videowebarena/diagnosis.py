"""Why a web agent did or did not do a task, told beside its scores: pure functions of its steps. None of it counts.

    knew_did, knew_not_did, did_not_know, neither   the answer about the tutorial against the end of the task
    evidence_not_shown     a stretch of the tutorial that the task needs was not among what it was shown
    no_action              a reply without an action that could be read
    named_element          an element by its words, where its number is wanted
    several_actions        more than one action in a reply
    unknown_element        a number that was not on the page
    repeated_action        the same action again, after it had changed nothing
    foreign_address        an address that is on no site of the task
    ended_early            a limit of the run ended it
    failed                 the model failed: it refused, or had no room

Each is 1 where it was seen and 0 where it was not, however often; its words say how often and where first.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cutscore.core.deliverable import Deliverable
from cutscore.core.finding import Finding
from cutscore.core.timeline import Span, seconds
from cutscore.core.trajectory import Action, Step
from cutscore.environments.browser.grammar import NO_OP, UnreadableAction, parse_action

PREFIX = "diagnosis/"
KNOWING = {
    (True, True): ("knew_did", "knew the fact and did the task"),
    (True, False): ("knew_not_did", "knew the fact and did not do the task"),
    (False, True): ("did_not_know", "did the task without knowing the fact"),
    (False, False): ("neither", "neither knew the fact nor did the task"),
}
_FENCED = re.compile(r"```(.*?)```", re.S)
_NAMED = re.compile(r"\s*(?:click|hover|clear|type|upload)\s*\[(?!\s*\d+\s*\])")
_VERB = re.compile(r"(?<![\w\[])(?:click|hover|clear|type|press|scroll|goto|tab_focus|upload|stop) ?\[")
_INNERMOST = re.compile(r"\[[^\[\]]*\]")
_WITH_ELEMENT = ("click", "hover", "clear", "type", "upload")


@dataclass(frozen=True)
class Reply:
    """What a model said at a step, what was done, and the step before it.

    Args:
        number: Of the step among all steps of the run.
        earlier: The reply before it, None for the first.
    """

    number: int
    said: str
    did: Action
    error: str
    before: Step
    after: Step
    earlier: "Reply | None" = None

    @property
    def changed_nothing(self) -> bool:
        """Whether the page is the same afterwards, its text and its picture."""
        return self.before.saw == self.after.saw and _picture(self.before) == _picture(self.after)


def read_replies(steps: Sequence[Step]) -> list[Reply]:
    """Return the replies of a model among the steps of a world, which begin with a first look."""
    replies: list[Reply] = []
    looks = [step for step in steps if step.by == "environment"]
    for before, after in pairwise(looks):
        if after.did and (after.said or after.did[0] == NO_OP):
            earlier = replies[-1] if replies else None
            replies.append(Reply(after.n, after.said, after.did[0], after.error, before, after, earlier))
    return replies


def diagnose_replies(steps: Sequence[Step], sites: Collection[str]) -> Iterator[Finding]:
    """Return what is odd about the replies of a run; nothing where no model replied."""
    replies = read_replies(steps)
    if not replies:
        return
    signs: Mapping[str, Callable[[Reply], bool]] = {
        "no_action": lambda reply: reply.did == NO_OP and not names_element(reply.said),
        "named_element": lambda reply: reply.did == NO_OP and names_element(reply.said),
        "several_actions": lambda reply: count_actions(reply.said) > 1,
        "unknown_element": lambda reply: reply.did.tool in _WITH_ELEMENT and reply.error.endswith("is not on the page"),
        "repeated_action": repeats_in_vain,
        "foreign_address": lambda reply: reply.did.tool == "goto" and is_foreign(reply.did, sites),
    }
    for name, shows in signs.items():
        yield _count(name, [reply for reply in replies if shows(reply)], len(replies))


def names_element(said: str) -> bool:
    """Return whether the action of a reply names an element by words.

    >>> names_element("```click [Sign in]```"), names_element("```click [12]```")
    (True, False)
    """
    found = _FENCED.search(said)
    return found is not None and _NAMED.match(found[1]) is not None


def count_actions(said: str) -> int:
    """Return how many actions stand between fences; an action that is typed as text is none.

    >>> count_actions("```click [1]``` and then ```type [2] [a]```"), count_actions("```click [1], click [2]```")
    (2, 2)
    >>> count_actions("```type [1] [click [2]]```"), count_actions("```go_back```")
    (1, 1)
    """
    lines = (line for block in _FENCED.findall(said) for line in block.splitlines() if line.strip())
    return sum(max(len(_VERB.findall(_INNERMOST.sub("[]", line))), _is_action(line)) for line in lines)


def repeats_in_vain(reply: Reply) -> bool:
    """Return whether an action is the one before it, which had changed nothing."""
    earlier = reply.earlier
    return earlier is not None and reply.did != NO_OP and reply.did == earlier.did and earlier.changed_nothing


def is_foreign(goto: Action, sites: Collection[str]) -> bool:
    """Return whether an address is on none of the sites; the record has those as placeholders.

    >>> is_foreign(Action(tool="goto", arguments={"url": "http://books.example.org/"}), ["reddit"])
    True
    >>> is_foreign(Action(tool="goto", arguments={"url": "__REDDIT__/f/books"}), ["reddit"])
    False
    """
    url = str(goto.arguments["url"])
    is_absolute = url.startswith("__") or "://" in url
    return is_absolute and not url.startswith(tuple(f"__{site.upper()}__" for site in sites))


def diagnose_end(deliverable: Deliverable, steps: Sequence[Step]) -> Iterator[Finding]:
    """Return whether a run was ended early, and whether its model failed; nothing where no model worked."""
    if not read_replies(steps) and not deliverable.failure:
        return
    early = deliverable.text.startswith("Early stop: ")
    yield _finding("ended_early", early, deliverable.text if early else "the run was not ended early")
    failure = f"{deliverable.failure_class or 'crash'}: {deliverable.failure}"
    yield _finding("failed", bool(deliverable.failure), failure if deliverable.failure else "the model did not fail")


def diagnose_knowing(knew: bool, did: bool, *, mode: str = "") -> Iterator[Finding]:
    """Return which of the four cells of knowing and doing a task is in."""
    for cell, (name, words) in KNOWING.items():
        here = cell == (knew, did)
        yield _finding(name, here, words if here else f"not so: {KNOWING[knew, did][1]}", mode=mode)


def diagnose_evidence(
    steps: Sequence[Step], needed: Sequence[tuple[str, Span]], *, is_heard: bool
) -> Iterator[Finding]:
    """Return whether a stretch of the tutorial that a task needs was not shown.

    A stretch is shown where a frame of it is, or where the clip went out whole; where it has to be heard, also by the
    words of the tutorial.

    Args:
        steps: One of them tells what was watched; nothing is said where none does.
        needed: Names and spans, in seconds of the tutorial.
        is_heard: Whether the task needs what is said.
    """
    watched = next((did.arguments for step in steps for did in step.did if did.tool == "watch"), None)
    if watched is None or not needed:
        return
    listed = watched.get("at_s")
    times = [seconds(at) for at in listed] if isinstance(listed, list) else []
    whole, told = watched.get("sent_as") == "video", is_heard and bool(watched.get("words_by"))
    missing = [each for each in needed if not (whole or told or any(each[1].holds(at) for at in times))]
    if not missing:
        yield _finding("evidence_not_shown", False, f"all stretches that the task needs were shown ({len(needed)})")
        return
    words = ", ".join(f"'{mark}' at {at}" for mark, at in missing)
    file = str(watched.get("file", "")) or None
    yield _finding("evidence_not_shown", True, f"not shown: {words}", file=file, at=missing[0][1] if file else None)


def _is_action(line: str) -> bool:
    try:
        parse_action(line)
    except UnreadableAction:
        return False
    return True


def _picture(step: Step) -> str:
    return step.media[0].sha256 if step.media else ""


def _count(name: str, found: Sequence[Reply], total: int) -> Finding:
    if not found:
        return _finding(name, False, f"in none of {total} replies")
    first = found[0]
    said = " ".join(first.said.split())
    where = f"first at step {first.number}: {said[-120:]}"
    return _finding(name, True, f"in {len(found)} of {total} replies, {where}")


def _finding(
    name: str, seen: bool, because: str, *, mode: str = "", file: str | None = None, at: Span | None = None
) -> Finding:
    return Finding(name=f"{PREFIX}{name}", value=float(seen), because=because, mode=mode, file=file, at=at)
