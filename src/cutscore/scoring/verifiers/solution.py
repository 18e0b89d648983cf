"""`solution.json`: an order of clips (sequencing) or a clip for each slot (assembly), read from a stranger's text.

The paper names the file and what it holds, not its form. We read these forms and refuse all others by name:

    ["c.mp4", "a.mp4", …]                        a list of names, in order; for slots null leaves one empty
    {"order": ["c.mp4", …], "notes": "…"}        an object with exactly one list and no other list or object
    {"slot1": "c.mp4", "slot2": null, …}         slot → name, for slots only
    {"slots": {"slot1": "c.mp4", …}}             an object with exactly one such mapping and no other list or object

A number is never a name: 3 may be `3.mp4`, the third clip or the fourth, and nobody can tell.
"""

import unicodedata
from collections.abc import Sequence

from pydantic import JsonValue

from cutscore.core.deliverable import Deliverable
from cutscore.core.evidence import Evidence
from cutscore.core.files import media_type_of
from cutscore.core.strict_json import read_json
from cutscore.scoring.verifiers.refusal import Refusal, quote, refuse_missing

# Twenty file names take two thousand. Evidence gives at least 250,000 characters of a file before it cuts off, so
# whatever was cut off is refused here and never read in part.
LONGEST = 100_000
_BOM = "\ufeff"


def solution_text(deliverable: Deliverable, evidence: Evidence, file: str = "solution.json") -> str | None:
    """Return the text of a solution: of the file, or of the answer when no file at all was handed over."""
    if evidence.file(file) is None and not deliverable.files and deliverable.text.strip():
        return deliverable.text.strip()
    return evidence.text(file)


def read_order_file(
    text: str | None, clips: Sequence[str], *, file: str = "solution.json", failure: str = ""
) -> list[str] | Refusal:
    """Read an ordered list of clips from the content of a file, which is None when it was not delivered.

    `failure` of the deliverable says why a file was not taken in.
    Whether each clip comes exactly once is for `order_score` of sequencing to say.

    Returns:
        Names out of `clips`, or why there are none: `missing file`, `too long`, `not JSON` (also duplicate keys, NaN,
        depth), `shape`, `wrong type`, `unknown`, `ambiguous`.

    >>> read_order_file('{"order": ["/workspace/clips/b.mp4", "a"]}', ["a.mp4", "b.mp4"])
    ['b.mp4', 'a.mp4']
    """
    whole = _parse(text, file, failure)
    if isinstance(whole, Refusal):
        return whole
    listed = _only_container(whole)
    if not isinstance(listed, list):
        return Refusal("shape", f"{file} is neither a list nor an object with exactly one")
    order: list[str] = []
    for place, given in enumerate(listed, 1):
        name = _find_clip(given, clips, f"entry {place} of {file}")
        if isinstance(name, Refusal):
            return name
        order.append(name)
    return order


def read_slot_file(
    text: str | None, slots: Sequence[str], clips: Sequence[str], *, file: str = "solution.json", failure: str = ""
) -> dict[str, str | None] | Refusal:
    """Read which clip stands in which slot.

    A slot that is null or left out is empty. A list has to have one entry for each slot: of a shorter one nobody can
    tell which slots it fills.

    Returns:
        A name out of `clips` or None for every slot, or why there is none: as `read_order_file`, and `unknown slot`.

    >>> read_slot_file('{"s1": "b"}', ["s1", "s2"], ["a.mp4", "b.mp4"])
    {'s1': 'b.mp4', 's2': None}
    """
    whole = _parse(text, file, failure)
    if isinstance(whole, Refusal):
        return whole
    given = _slot_entries(whole, slots, file)
    if isinstance(given, Refusal):
        return given
    chosen: dict[str, str | None] = dict.fromkeys(slots)
    for slot, clip in given.items():
        if slot not in chosen:
            return Refusal("unknown slot", f"{file} fills {quote(slot)}, which is none of the slots")
        name = None if clip is None else _find_clip(clip, clips, f"slot {quote(slot)} of {file}")
        if isinstance(name, Refusal):
            return name
        chosen[slot] = name
    return chosen


def _parse(text: str | None, file: str, failure: str) -> JsonValue | Refusal:
    if text is None:
        return refuse_missing(file, failure)
    if len(text) > LONGEST:
        return Refusal("too long", f"{file} has more than {LONGEST:,} characters")
    try:
        # Some editors put one byte order mark in front, which RFC 8259 lets a reader ignore.
        return read_json(text.removeprefix(_BOM))
    except ValueError as fault:
        return Refusal("not JSON", f"{file} {str(fault)[:100]}")


def _only_container(whole: JsonValue) -> JsonValue:
    """Return the one list or object that an object holds; whatever else there is as it is."""
    held = [value for value in whole.values() if isinstance(value, list | dict)] if isinstance(whole, dict) else []
    return held[0] if len(held) == 1 else whole


def _slot_entries(whole: JsonValue, slots: Sequence[str], file: str) -> dict[str, JsonValue] | Refusal:
    """Return slot → whatever was written there."""
    # Who fills a slot by name fills all of them so: a list in one slot is not the order of all.
    named = isinstance(whole, dict) and any(slot in whole for slot in slots)
    given = whole if named else _only_container(whole)
    if isinstance(given, dict) and not any(isinstance(value, list | dict) for value in given.values()):
        return given
    if not isinstance(given, list):
        return Refusal("shape", f"{file} is neither slot → clip nor a list, nor an object with exactly one of them")
    if len(given) != len(slots):
        return Refusal("shape", f"{file} lists {len(given)} clips for {len(slots)} slots")
    return dict(zip(slots, given, strict=True))


def _find_clip(given: JsonValue, clips: Sequence[str], where: str) -> str | Refusal:
    """Return the clip that is meant.

    The very name wins. Else a name means a clip when one of the two paths ends with the other, part by part, where the
    ending of a video file may be left out of either. Accents may be composed or not; nothing else is forgiven: neither
    case nor look-alike letters nor spaces.
    """
    if not isinstance(given, str):
        return Refusal("wrong type", f"{where} is not a text but {type(given).__name__}")
    exact = [clip for clip in clips if _plain(clip) == _plain(given)]
    meant = exact or [clip for clip in clips if _same_end(_plain(given), _plain(clip))]
    if len(meant) == 1:
        return meant[0]
    if not meant:
        return Refusal("unknown", f"{where}, {quote(given)}, is none of the clips")
    return Refusal("ambiguous", f"{where}, {quote(given)}, may be {quote(meant[0])} or {quote(meant[1])}")


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _same_end(given: str, clip: str) -> bool:
    one, other = (name.replace("\\", "/").split("/") for name in (given, clip))
    if _is_video(one[-1]) != _is_video(other[-1]):
        for path in (one, other):
            path[-1] = path[-1].rpartition(".")[0] if _is_video(path[-1]) else path[-1]
    shared = min(len(one), len(other))
    return one[-shared:] == other[-shared:]


def _is_video(name: str) -> bool:
    return media_type_of(name).startswith("video/")
