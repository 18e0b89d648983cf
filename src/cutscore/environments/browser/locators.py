"""What a locator finds: a task's own script, run in the page after its prep actions, and valued as the reference does.

document.… or […document.…   the text that Python makes of the value; empty where the script throws
lambda:…                     the same; none where it throws or the value is false
"""

import json

from pydantic import JsonValue

from cutscore.environments.browser.session import ANSWER_S, BrowserSession, PageFault

MAX_VALUE_CHARS = 20_000_000  # of what a locator finds, as JSON
_EXPRESSION, _LAMBDA = ("document.", "[...document."), "lambda:"


def is_script(locator: str) -> bool:
    """Return whether a locator is a script of the page."""
    return locator.startswith((*_EXPRESSION, _LAMBDA))


async def run_locator(session: BrowserSession, locator: str, prep: JsonValue) -> dict[str, JsonValue]:
    """Run a locator that is a script; return its value, its text, and what became of the prep actions."""
    if locator.startswith(_LAMBDA):
        # The reference strips any of these letters, not the word, so that `lambda:document…` never works.
        made = await _find(session, locator.lstrip(_LAMBDA), thrown=None)
        return made if made["raw"] else {**made, "text": None}
    done = await _prepare(session, [str(each) for each in prep] if isinstance(prep, list) else [])
    return {"prep": done, **await _find(session, f"() => {locator}", thrown="")}


async def _prepare(session: BrowserSession, scripts: list[str]) -> list[JsonValue]:
    done: list[JsonValue] = []
    for script in scripts:
        try:
            await _run(session, f"() => {script}")
        except PageFault as fault:
            done.append({"ok": False, "error": str(fault)})
            break
        done.append({"ok": True, "error": ""})
    return done


async def _find(session: BrowserSession, script: str, *, thrown: str | None) -> dict[str, JsonValue]:
    try:
        value = await _run(session, script)
    except PageFault as fault:
        return {"raw": None, "text": thrown, "thrown": str(fault)}
    return {"raw": value, "text": str(value)}


async def _run(session: BrowserSession, script: str) -> JsonValue:
    """Run a task's script in the page itself, whose own functions it may call."""
    client, _ = await session.client(session.page)
    value: JsonValue = await session.within(ANSWER_S, session.page.evaluate(script), stuck=client)
    try:
        length = len(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError):
        value = str(value)
        length = len(value)
    if length > MAX_VALUE_CHARS:
        raise PageFault(f"what it found is longer than {MAX_VALUE_CHARS:,} characters")
    return value
