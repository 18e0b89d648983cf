"""What of a checklist departs from the paper's rules for writing one (I.1, I.3). Words alone: no model, no video.

Released data break these rules here and there and are marked as they stand, so there it is a remark. What is built
here must keep them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from cutscore.benchmarks.covebench.checklist import (
    COMPARES,
    MEASURE_OF_DIMENSION,
    Category,
    Checklist,
    ChecklistQuestion,
    EditPoint,
    taxonomy,
)

Rule = Literal[
    "visibility", "wording", "time", "absence", "physics", "preservation", "anchors", "answer", "options",
    "duplicate", "dimension", "difficulty", "group", "category", "prohibited", "balance",
]  # fmt: skip

COMPARISON = "Comparing Video A and Video B"  # how a question that sees both begins
OTHER_VIDEO = re.compile(r"\bvideo a\b|\bcompar(e|ed|es|ing|ison)\b|\b(both|two) videos\b", re.IGNORECASE)
FORBIDDEN = re.compile(r"\b(original(ly)?|(un)?edited|previous(ly)?|outputs?)\b", re.IGNORECASE)
TIME = re.compile(
    r"\b\d+:\d\d\b|\bat \d+(\.\d+)? ?s\b|\b(milli)?seconds\b|\b\d+(\.\d+)? ?(ms|secs?|second|minutes?)\b"
    r"|\bframes? (number )?#?\d+|\b\d+(st|nd|rd|th) (frame|second)\b|\btimestamps?\b|\bfirst second\b",
    re.IGNORECASE,
)
# An option must say what is seen: these say only that it is the one, or the other.
PLACEHOLDER = re.compile(
    r"(the )?(same|unchanged|no changes?|not changed|as before|before|after|source|other|something else|anything else"
    r"|none( of the above)?|neither|unknown|n/?a|yes|no|true|false|placeholder|option [ab]|video [ab]|[ab]|[.…]*)[.!]?",
    re.IGNORECASE,
)
PROHIBITED = {
    "a zoom": re.compile(r"\bzoom(s|ed|ing)?\b|\bzoom-", re.IGNORECASE),
    "a cartoon or comic style": re.compile(r"\b(3d cartoon|pixar|comics?|comic-book)\b", re.IGNORECASE),
    "text in the picture": re.compile(r"\b(subtitles?|captions?|typography|lettering|text)\b", re.IGNORECASE),
    "sound": re.compile(r"\b(audio|sounds?|soundtracks?|voice-?over|background music)\b", re.IGNORECASE),
}
GOES_AWAY = ("Subject Replacement", "Subject Removal")
ANCHORED = ("1", "3", "5", "7", "10")
POINTS = {str(points) for points in range(1, 11)}
DIFFICULTIES = ("", "Simple", "Moderate", "Hard")
LEAST_SHARE, MOST_SHARE = 0.4, 0.6  # of each answer, over a whole pack
FEWEST_ANSWERS = 20  # from which on their shares say anything


@dataclass(frozen=True)
class LintFault:
    """One departure from a rule.

    Args:
        question: The id of the question; empty where a group or the whole is at fault.
        fact: The rest of the sentence that the id begins.
    """

    rule: Rule
    question: str
    fact: str

    def __str__(self) -> str:
        return f"{self.question} {self.fact}".strip()


def lint_checklist(instruction: str, checklist: Checklist) -> tuple[LintFault, ...]:
    """Return every departure from the rules: of the instruction, of groups, of questions, of categories.

    >>> from cutscore.benchmarks.covebench.checklist import ChecklistQuestion, EditPoint
    >>> asked = ChecklistQuestion(id="Q1", format="Single-TF", text="Is the edited sky red?", expected="Yes",
    ...     dimension="Physical Logic")
    >>> [str(each) for each in lint_checklist("Redden the sky.", Checklist(points=(EditPoint(target="sky",
    ...     questions=(asked,)),)))]
    ["Q1 says 'edited'"]
    """
    return (
        *lint_instruction(instruction),
        *(fault for point in checklist.points for fault in _lint_group(point, checklist)),
        *(fault for question in checklist.questions for fault in lint_question(question)),
        *_lint_duplicates(checklist.questions),
        *_lint_categories(checklist),
    )


def lint_instruction(instruction: str) -> Iterator[LintFault]:
    """Return what an instruction asks for although no instruction should (I.1)."""
    for what, pattern in PROHIBITED.items():
        if found := pattern.search(instruction):
            yield LintFault("prohibited", "", f"the instruction asks for {what}: '{found[0]}'")


def lint_question(question: ChecklistQuestion) -> Iterator[LintFault]:
    """Return the faults of a question that can be told from itself alone."""
    found: list[tuple[Rule, str]] = [*_lint_words(question), *_lint_dimension(question), *_lint_answer(question)]
    if question.difficulty not in DIFFICULTIES:
        found.append(("difficulty", f"has difficulty '{question.difficulty}'"))
    yield from (LintFault(rule, question.id, fact) for rule, fact in found)


def lint_balance(checklists: Sequence[Checklist]) -> tuple[LintFault, ...]:
    """Return which answers of a whole pack come too often: whoever always gives them scores without looking."""
    asked = [question for checklist in checklists for question in checklist.questions]
    kinds = {
        "yes": [each for each in asked if each.format.endswith("TF")],
        "a": [each for each in asked if each.format == "AB-MCQ"],
    }
    found = []
    for answer, questions in kinds.items():
        share = sum(_expects(each) == answer for each in questions) / max(1, len(questions))
        if len(questions) >= FEWEST_ANSWERS and not LEAST_SHARE <= share <= MOST_SHARE:
            what = "yes-or-no questions expect Yes" if answer == "yes" else "choices expect A"
            even = f"{LEAST_SHARE:.0%} to {MOST_SHARE:.0%} would be even"
            found.append(LintFault("balance", "", f"{share:.0%} of {len(questions):,} {what}; {even}"))
    return tuple(found)


def _expects(question: ChecklistQuestion) -> str:
    return question.expected.strip().lower()


def _lint_words(question: ChecklistQuestion) -> Iterator[tuple[Rule, str]]:
    said = " ".join([question.text, *question.options.values()])
    if question.format in COMPARES:
        if not question.text.startswith(COMPARISON):
            yield "visibility", f"does not begin with '{COMPARISON}', although its judge sees both"
    elif found := OTHER_VIDEO.search(said):
        yield "visibility", f"says '{found[0]}', but its judge sees Video B alone"
    for word in dict.fromkeys(found[0].lower() for found in FORBIDDEN.finditer(said)):
        yield "wording", f"says '{word}'"
    if found := TIME.search(said):
        yield "time", f"names a time: '{found[0]}'"


def _lint_dimension(question: ChecklistQuestion) -> Iterator[tuple[Rule, str]]:
    if question.dimension.strip().lower() not in MEASURE_OF_DIMENSION:
        yield "dimension", f"has dimension '{question.dimension}'"
    if question.measure == "vrs" and question.format == "Dual-TF":
        yield "physics", "compares videos about physics"
    if question.measure == "vrs" and question.format == "AB-MCQ":
        yield "physics", "is an AB-MCQ about physics"
    if (question.measure == "sem") != (question.format == "Score-MCQ"):
        yield "preservation", f"has format {question.format} and dimension '{question.dimension}'"


def _lint_answer(question: ChecklistQuestion) -> Iterator[tuple[Rule, str]]:
    if question.format == "Score-MCQ":
        if lacking := [points for points in ANCHORED if not question.options.get(points, "").strip()]:
            yield "anchors", f"does not say what {', '.join(lacking)} of 10 points mean"
        if strange := sorted(question.options.keys() - POINTS):
            yield "anchors", f"has an anchor '{strange[0]}', which is no score from 1 to 10"
    elif question.format == "AB-MCQ":
        yield from _lint_options(question)
    else:
        if _expects(question) not in ("yes", "no"):
            yield "answer", f"expects '{question.expected}', which is neither yes nor no"
        if question.options:
            yield "options", "has options, although it asks for yes or no"


def _lint_options(question: ChecklistQuestion) -> Iterator[tuple[Rule, str]]:
    if _expects(question) not in ("a", "b"):
        yield "answer", f"expects '{question.expected}', which is neither A nor B"
    for name, words in sorted(question.options.items()):
        if PLACEHOLDER.fullmatch(words.strip()):
            yield "options", f"describes nothing in option {name}: '{words}'"
    if len({_plain(words) for words in question.options.values()}) < len(question.options):
        yield "options", "has two options that are the same"


def _lint_group(point: EditPoint, checklist: Checklist) -> Iterator[LintFault]:
    formats = {question.format for question in point.questions}
    if "Score-MCQ" in formats and len(formats) > 1:
        yield LintFault("preservation", "", f"group '{point.target}' mixes preservation with other questions")
    if point.objective and not any(question.measure == "vrs" for question in point.questions):
        yield LintFault("group", "", f"group '{point.target}' asks nothing about physics")
    ids = {question.id for question in checklist.questions}
    if strange := [id for entry in point.categories for id in entry.questions if id not in ids]:
        fact = f"a category of group '{point.target}' names {strange[0]}, which is no question"
        yield LintFault("category", "", fact)
    for entry in point.categories:
        if entry.level_2 in GOES_AWAY and not _asks_for_absence(entry, point):
            what = entry.level_2.removeprefix("Subject ").lower()
            fact = f"group '{point.target}' has no Single-TF with 'No' right after an AB-MCQ on its {what}"
            yield LintFault("absence", "", fact)


def _asks_for_absence(entry: Category, point: EditPoint) -> bool:
    """Return whether a choice about a thing that goes is followed by the question whether it is still to be seen."""
    pairs = zip(point.questions, point.questions[1:], strict=False)
    return any(
        choice.format == "AB-MCQ"
        and (not entry.questions or choice.id in entry.questions)
        and (after.format, after.measure, _expects(after)) == ("Single-TF", "ifs", "no")
        for choice, after in pairs
    )


def _lint_duplicates(questions: Sequence[ChecklistQuestion]) -> Iterator[LintFault]:
    first: dict[tuple[str, ...], str] = {}
    for question in questions:
        words = (_plain(question.text), *sorted(_plain(each) for each in question.options.values()))
        if words in first:
            yield LintFault("duplicate", question.id, f"asks what {first[words]} asks")
        first.setdefault(words, question.id)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _lint_categories(checklist: Checklist) -> Iterator[LintFault]:
    parts = [entry for point in checklist.points for entry in point.categories]
    for entry in dict.fromkeys((each.level_1, each.level_2) for each in (*checklist.categories, *parts)):
        if entry[1] not in taxonomy().get(entry[0], ()):
            yield LintFault("category", "", f"category '{entry[0]} / {entry[1]}' is not in Table 9")
    whole, union = ({(each.level_1, each.level_2) for each in every} for every in (checklist.categories, parts))
    if whole and whole != union:
        yield LintFault("category", "", "the categories of the task are not those of its groups")
