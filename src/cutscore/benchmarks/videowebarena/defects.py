"""What is wrong with the data of a task, each in a sentence. Nothing here mends: `overlay` does."""

import re
from collections.abc import Iterator

from cutscore.benchmarks.videowebarena.released import EvalSection, MatchRule, WebTask
from cutscore.benchmarks.videowebarena.task_checks import find_fault

DIFFICULTIES = ("easy", "medium", "hard")
LOWER_OR = "|or|"


def find_defects(task: WebTask) -> list[str]:
    """Return the defects of a task as the file has it; empty for most."""
    fault = find_fault(task.eval)
    section = task.eval or EvalSection(eval_types=())
    return [
        *([f"cannot be marked as it is written: it {fault}"] if fault else []),
        *_find_strays(task),
        *_find_intermediate(task),
        *_find_section(section),
        *_find_spelling(task),
    ]


def _find_strays(task: WebTask) -> Iterator[str]:
    if task.program_html:
        yield "program_html stands outside of 'eval', where nobody reads it"
    if task.reference_url is not None:
        yield "a reference_url stands outside of 'eval', where nobody reads it"
    if task.string_note:
        yield "a string_note stands outside of 'eval', where nobody reads it"


def _find_intermediate(task: WebTask) -> Iterator[str]:
    section = task.intermediate_eval
    if section is None:
        return
    if section.eval_types is None:
        yield "intermediate_eval has no eval_types (nobody reads them)"
    elif section.eval_types != ("string_match",):
        yield f"intermediate_eval has the types {', '.join(section.eval_types)[:80]} (nobody reads them)"


def _find_section(section: EvalSection) -> Iterator[str]:
    kinds = section.eval_types
    contents = [{rule.kind for rule in target.required_contents} for target in section.program_html]
    if any({"must_include", "must_exclude"} <= each for each in contents):
        yield "must_include and must_exclude in one target: the reference never checks the second"
    if len(section.page_image_query) > 1:
        yield f"{len(section.page_image_query)} image queries: for the reference only the last counts"
    images = [image for query in section.page_image_query for image in query.match_images]
    if local := [image for image in images if not image.startswith(("http://", "https://", "__"))]:
        yield f"compares with the image '{local[0]}', a path of a file that is not shipped"
    if "url_match" in kinds and set(kinds[: kinds.index("url_match")]) & {"program_html", "page_image_query"}:
        stays = all(each.url == "last" for each in section.program_html)
        stays = stays and all(each.eval_image_url == "last" for each in section.page_image_query)
        why = "they stay on the page" if stays else "the reference reads the address where its own check went"
        yield f"url_match stands behind checks of pages: {why}"
    if len(rules := section.reference_answers or ()) > 1:
        yield f"{' and '.join(rule.kind for rule in rules)} in one answer: both must hold"


def _find_spelling(task: WebTask) -> Iterator[str]:
    if any(LOWER_OR in text for rule in _rules(task) for text in rule.texts):
        yield f"alternatives are written '{LOWER_OR}', which the reference does not split"
    levels = (task.overall_difficulty, task.reasoning_difficulty, task.visual_difficulty, task.intermediate_difficulty)
    yield from (f"'{level[:40]}' is no difficulty" for level in levels if level and level not in DIFFICULTIES)
    if _words(_fill_template(task)) != _words(task.intent):
        yield "the intent is not its filled template"


def _rules(task: WebTask) -> Iterator[MatchRule]:
    yield from (task.eval.reference_answers or ()) if task.eval else ()
    yield from task.intermediate_eval.reference_answers if task.intermediate_eval else ()
    for target in task.eval.program_html if task.eval else ():
        yield from target.required_contents


def _fill_template(task: WebTask) -> str:
    """Return the template with its blanks filled, which are written with one brace or with two."""
    text = task.intent_template
    for name, value in task.instantiation_dict.items():
        text = text.replace("{{" + name + "}}", str(value)).replace("{" + name + "}", str(value))
    return text


def _words(text: str) -> str:
    """Return a text without what is no difference: spaces, and marks at its end."""
    return re.sub(r"[\s.?!]+$", "", " ".join(text.split()))
