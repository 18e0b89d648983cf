"""Rules about the address of the active tab: `url_match`."""

from cutscore.benchmarks.videowebarena.evaluators.verdict import (
    Mode,
    Verdict,
    invalid_task,
    show_value,
    split_alternatives,
)

EXACT, GOLD_IN_PRED = "EXACT", "GOLD in PRED"
_BORDERS = frozenset("/?#&")


def normalise_url(url: str) -> str:
    """Return an address as the reference compares it: one name for this machine, and no slash at the end.

    >>> normalise_url("http://localhost:7770/a/")
    'http://127.0.0.1:7770/a'
    """
    return url.replace("localhost", "127.0.0.1").removesuffix("/")


def match_url(current: str, reference: str, note: str | None, mode: Mode) -> Verdict:
    """Check the current address against the references, any of which will do.

    The note is `EXACT`, which is also meant where nothing is said, or `GOLD in PRED`: the reference is a part of it. In
    `strict` that part begins the address, or follows a border, and ends at one: /a is no part of /abc.
    """
    references = [normalise_url(each) for each in split_alternatives(reference, mode)]
    url, rule = normalise_url(current), EXACT if note is None else note
    if rule == EXACT:
        passed, how = url in references, "exactly "
    elif rule == GOLD_IN_PRED and mode == "reference":
        passed, how = any(each in url for each in references), "in it "
    elif rule == GOLD_IN_PRED:
        passed, how = any(_is_part(each, url) for each in references), "in it, up to the end of a name, "
    else:
        raise invalid_task(f"url_note {show_value(rule)}", f"is neither '{EXACT}' nor '{GOLD_IN_PRED}'")
    wanted = " or ".join(map(show_value, references))
    return Verdict(passed, f"seen {show_value(url)}, wanted {how}{wanted}")


def _is_part(reference: str, url: str) -> bool:
    """Return whether a reference stands in an address between borders; an empty one names no page.

    >>> _is_part("http://h/a", "http://h/a?x=1"), _is_part("http://h/a", "http://h/abc")
    (True, False)
    """
    if not reference:
        return False
    is_whole = "://" in reference or reference.startswith("__")  # with its site; else it is a part of a path
    at = url.find(reference)
    while at >= 0:
        end = at + len(reference)
        begins = at == 0 or (not is_whole and (url[at - 1] in _BORDERS or reference[0] in _BORDERS))
        if begins and (end == len(url) or url[end] in _BORDERS or reference[-1] in _BORDERS | {"="}):
            return True
        at = url.find(reference, at + 1)
    return False
