"""Actions as a model writes them: text ⇄ `Action`, equality of actions, and when a run is ended early. Pure.

`reference` takes what the released code of VideoWebArena takes, and refuses what that refuses. `wide` also takes text
over several lines, ctrl, shift and alt by these names, `upload` and the paper's `tab_close`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from cutscore.core.trajectory import Action

Grammar = Literal["reference", "wide"]
NO_OP = Action(tool="none")  # what a text that is no action does

MAX_STEPS = 30
MAX_TAB_DIGITS = 18  # nobody has so many tabs, and Python refuses to read thousands of digits
MAX_UNREADABLE = 3  # texts in a row that are no action
MAX_REPEATED = 5  # equal actions in a row; of typing into one element, in the whole run

_FENCED = re.compile(r"```(.*?)```", re.S)
_ELEMENT = re.compile(r" ?\[(\d+)\]")
_TYPED = re.compile(r" ?\[(\d+)\] ?\[(.+)\] ?\[(\d+)\]")
_BRACKETED = re.compile(r" ?\[(.+)\]")
_DIRECTION = re.compile(r" ?\[?(up|down)\]?")
_UPLOAD = re.compile(r" ?\[(\d+)\] ?\[([^\n]+)\]")
_FORMS = {
    **dict.fromkeys(("click", "hover", "clear", "tab_focus"), _ELEMENT),
    **dict.fromkeys(("press", "goto"), _BRACKETED),
    "scroll": _DIRECTION,
}
_ARGUMENTS = {
    "press": ("keys",),
    "goto": ("url",),
    "scroll": ("direction",),
    "tab_focus": ("tab",),
    "upload": ("element", "file"),
}
_BARE = ("new_tab", "go_back", "go_forward", "close_tab")
_KEYS = {
    name.lower(): name
    for name in (
        *("Enter", "Tab", "Control", "Shift", "Alt", "Meta", "Backspace", "Delete", "Insert", "Escape"),
        *("ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "PageDown", "PageUp", "Home", "End"),
        *(f"F{number}" for number in range(1, 13)),
    )
}
_WIDE_KEYS = {**_KEYS, "ctrl": "Control", "esc": "Escape", "return": "Enter"}
# The reference does not know these three, and the browser then refuses them.
_REFERENCE_KEYS = {name: key for name, key in _KEYS.items() if name not in ("control", "shift", "alt")}


class UnreadableAction(ValueError):
    """A text that is no action; its words are what the subject is told."""


def extract_action(response: str, public_addresses: Mapping[str, str] | None = None) -> str:
    """Return the action of a reply: the first text between two fences, with addresses as the world knows them.

    Args:
        response: All that the model said.
        public_addresses: How a subject calls a site (`reddit.com`), and the address at which it is.

    >>> extract_action("I look: ```goto [https://reddit.com/f/x]```", {"reddit.com": "http://localhost:9999"})
    'goto [http://localhost:9999/f/x]'
    """
    found = _FENCED.search(response)
    if not found:
        raise UnreadableAction("the reply has no action between two fences ```")
    action = found[1].strip()
    for name, address in (public_addresses or {}).items():
        action = re.sub(rf"https?://{re.escape(name)}", lambda _, to=address: to, action)
    return action


def parse_action(text: str, grammar: Grammar = "reference") -> Action:
    """Return the action that a text stands for; UnreadableAction where it stands for none.

    >>> parse_action("type [5] [hello]").arguments
    {'element': '5', 'text': 'hello', 'enter': True}
    """
    text = text.strip()
    head, bracket, _ = text.partition("[")
    verb = head.strip() if bracket else (text.split() or [""])[0]
    rest = text[text.index(verb) + len(verb) :]
    wide = grammar == "wide"
    if wide and verb == "tab_close":
        verb = "close_tab"
    if verb in _BARE:
        return Action(tool=verb)
    if verb == "stop":
        return Action(tool="stop", arguments={"answer": _answer(text, rest, wide=wide)})
    made = _with_arguments(verb, text, rest, wide=wide)
    if made is None:
        raise UnreadableAction(f"'{text[:200]}' is no action")
    return made


def _answer(text: str, rest: str, *, wide: bool) -> str:
    found = re.match(r"\s*\[(.*)\]", rest, re.S) if wide else re.search(r"stop" + _BRACKETED.pattern, text)
    return found[1] if found else ""


def _with_arguments(verb: str, text: str, rest: str, *, wide: bool) -> Action | None:
    if verb == "type":
        return _typing(text, wide=wide)
    pattern = _FORMS.get(verb) or (_UPLOAD if wide and verb == "upload" else None)
    found = pattern.match(rest) if pattern else None
    if not found:
        return None
    first: JsonValue = found[1]
    if verb == "press":
        first = _name_keys(found[1], wide=wide)
    if verb == "tab_focus":
        first = int(found[1][:MAX_TAB_DIGITS])
    names = _ARGUMENTS.get(verb, ("element",))
    return Action(tool=verb, arguments=dict(zip(names, (first, *found.groups()[1:]), strict=True)))


def _typing(text: str, *, wide: bool) -> Action | None:
    if not text.endswith(("[0]", "[1]")):
        text += " [1]"  # Enter is pressed unless it is said not to be
    found = re.search(r"type" + _TYPED.pattern, text, re.S if wide else 0)
    if not found:
        return None
    return Action(tool="type", arguments={"element": found[1], "text": found[2], "enter": found[3] == "1"})


def _name_keys(keys: str, *, wide: bool) -> str:
    if not wide:
        return "+".join(_REFERENCE_KEYS.get(key.lower(), key) for key in keys.split("+"))
    names = (key.strip() for key in keys.split("+"))
    return "+".join(_WIDE_KEYS.get(name.lower(), name) for name in names)


def write_action(action: Action) -> str:
    r"""Return an action as the reference writes it into a prompt's "previous action".

    >>> write_action(parse_action("type [3] [hi]"))
    'type [3] [hi\n] where [3]'
    """
    given = action.arguments
    match action.tool:
        case "click" | "hover" | "clear":
            return f"{action.tool} [{given['element']}] where [{given['element']}]"
        case "type":
            enter = "\n" if given["enter"] else ""
            return f"type [{given['element']}] [{given['text']}{enter}] where [{given['element']}]"
        case "tab_focus":
            return f"page_focus [{given['tab']}]"
        case "upload":
            return f"upload [{given['element']}] [{given['file']}] where [{given['element']}]"
        case _:
            return " ".join([action.tool, *(f"[{value}]" for value in given.values())])


def are_equivalent(one: Action, other: Action) -> bool:
    """Return whether two actions count as the same: the same kind with the same target; what is typed does not count.

    The reference has no rule for `clear` and fails there; here it compares the element, as click and hover do.
    """
    if one.tool == other.tool == "type":
        return one.arguments["element"] == other.arguments["element"]
    return one == other


@dataclass(frozen=True)
class EarlyStop:
    """Why a run is ended before its next step."""

    reason: str


def find_early_stop(
    actions: Sequence[Action],
    *,
    max_steps: int = MAX_STEPS,
    max_unreadable: int = MAX_UNREADABLE,
    max_repeated: int = MAX_REPEATED,
) -> EarlyStop | None:
    """Return why no further step is taken after these actions; None where one is."""
    if len(actions) >= max_steps:
        return EarlyStop(f"Reach max steps {max_steps}")
    last = actions[-max_unreadable:]
    if len(last) == max_unreadable and all(action == NO_OP for action in last):
        return EarlyStop(f"Failed to parse actions for {max_unreadable} times")
    if not actions:
        return None
    if actions[-1].tool == "type":
        same = sum(are_equivalent(action, actions[-1]) for action in actions)
        return EarlyStop(f"Same typing action for {max_repeated} times") if same >= max_repeated else None
    last = actions[-max_repeated:]
    if len(last) == max_repeated and all(are_equivalent(action, last[-1]) for action in last):
        return EarlyStop(f"Same action for {max_repeated} times")
    return None
