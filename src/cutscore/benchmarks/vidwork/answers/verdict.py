"""Answers to "is this description correct?": flagged, accepted, hedged or none.

The paper counts a flag and nothing else, so a subject that flags everything gets full marks. Kept apart here are the
four things that an answer can be, so that descriptions which are correct can be asked about, too.
"""

import re
from dataclasses import dataclass
from typing import Literal

from cutscore.benchmarks.vidwork.answers.closing_line import read_closing_line, remove_answer_lines
from cutscore.benchmarks.vidwork.words import negates, word_set, words

Verdict = Literal["flagged", "accepted", "hedged", "none"]

# How suspicious a verdict is, for AUC: who does not decide stands between the two.
SUSPICION: dict[Verdict, float] = {"flagged": 1.0, "hedged": 0.5, "none": 0.5, "accepted": 0.0}

_CLOSING: dict[str, Verdict] = {
    **dict.fromkeys(("incorrect", "no", "not correct", "wrong"), "flagged"),
    **dict.fromkeys(("correct", "yes"), "accepted"),
    **dict.fromkeys(("unsure", "uncertain", "unclear", "cannot tell", "possibly"), "hedged"),
}
_FAULT = word_set(
    "incorrect incorrectly inaccurate wrong wrongly error errors erroneous mistake mistakes mistaken false untrue"
    " mismatch discrepancy discrepancies contradict contradicts contradicted swapped reversed omits omitted missing"
    " inconsistent"
)
_FINE = word_set("correct correctly accurate accurately true match matches consistent valid agrees")
# Nothing by themselves; "does not show" calls a description wrong.
_SHOWN = word_set("show shows shown happen happens happened occur occurs occurred appear appears mentioned seen done")
_HEDGE = word_set(
    "possible possibly perhaps maybe may might could unclear uncertain unsure unknown depends insufficient ambiguous"
    " plausible partially partly mostly somewhat"
)
# Hedges when they are out of reach: "hard to tell", "cannot be verified".
_KNOWN = word_set("tell say know determine determined verify verified confirm confirmed sure certain")
_OUT_OF_REACH = word_set("hard difficult impossible unable")
_TURN = word_set("but except however although though yet besides apart")
_EXCEPT = "except"  # turns, and what follows is wrong
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_REPLY = re.compile(r"\W*(?:yes|no)\s*(?:[,.:;!–—-]|$)", re.IGNORECASE)
NEAR = 4  # words before a word in which a negation turns it around: "does not contain any errors"
MOST_SENTENCES = 400


@dataclass(frozen=True)
class VerdictAnswer:
    """What was answered.

    Args:
        verdict: flagged: says that the description is wrong. accepted: that it is right. hedged: both, or neither
            for sure. none: not an answer.
        reading: How it was read, as the start of a sentence.
    """

    verdict: Verdict
    reading: str


def read_verdict(text: str) -> VerdictAnswer:
    """Read whether an answer calls a description wrong.

    A last line `ANSWER: correct` or `ANSWER: incorrect` decides (`unsure` is hedged, anything else is none); such a
    line that is not the last does not count. Without one, questions are left out, and the first sentence that begins
    with yes or no and does not hedge decides. Else sentences that do not hedge are searched for words that call
    something right or wrong; a negation within four words before turns them around. Both kinds of words are a
    hedge, unless a word such as "but" leads from right to wrong: "correct, but step 2 is wrong" is a flag. When
    only hedging sentences are left, the answer is hedged.

    >>> [read_verdict(text).verdict for text in ("No, the salt comes last.", "There are no errors.", "Nice video.")]
    ['flagged', 'accepted', 'none']
    """
    closed = read_closing_line(text)
    if closed is not None:
        return VerdictAnswer(_CLOSING.get(closed, "none"), f"the last line answers '{closed[:40]}'")
    if not text.strip():
        return VerdictAnswer("none", "nothing was answered")
    sentences = [
        each for each in _SENTENCE.split(remove_answer_lines(text))[:MOST_SENTENCES] if not each.rstrip().endswith("?")
    ]
    said = [(sentence, plain) for sentence in sentences if (plain := words(sentence))]
    clear = [(sentence, plain) for sentence, plain in said if not _hedges(plain)]
    for sentence, plain in clear:
        if _is_reply(sentence, plain):
            return _by_reply(plain)
    return _by_words([plain for _, plain in clear], hedged=len(clear) < len(said))


def _is_reply(sentence: str, plain: list[str]) -> bool:
    """Return whether a sentence begins with a reply: "no, it was oil", but not "no errors were made"."""
    if plain[0] not in ("yes", "no"):
        return False
    return bool(_REPLY.match(sentence)) or not (_FAULT | _FINE) & set(plain[1 : 1 + NEAR])


def _by_reply(plain: list[str]) -> VerdictAnswer:
    reply, kinds = plain[0], {_kind(plain[1:], place) for place in range(len(plain) - 1)}
    if ("right" if reply == "no" else "wrong") in kinds:
        return VerdictAnswer("hedged", f"it says '{reply}' and the contrary in one sentence")
    return VerdictAnswer("flagged" if reply == "no" else "accepted", f"without a closing line, it says '{reply}'")


def _by_words(clear: list[list[str]], *, hedged: bool) -> VerdictAnswer:
    kinds = [_kind(plain, place) for plain in clear for place in range(len(plain))]
    turns = [place for place, word in enumerate(word for plain in clear for word in plain) if word in _TURN]
    wrong, right = "wrong" in kinds, "right" in kinds
    if wrong and right:
        last_right = len(kinds) - 1 - kinds[::-1].index("right")
        if any(last_right < place for place in turns) and kinds.index("wrong") > last_right:
            return VerdictAnswer("flagged", "without a closing line, it calls a part wrong")
        return VerdictAnswer("hedged", "without a closing line, it calls it both right and wrong")
    if wrong or right:
        word: Verdict = "flagged" if wrong else "accepted"
        return VerdictAnswer(word, f"without a closing line, it calls it {'wrong' if wrong else 'right'}")
    if hedged:
        return VerdictAnswer("hedged", "without a closing line, it hedges")
    return VerdictAnswer("none", "it says neither right nor wrong")


def _kind(plain: list[str], place: int) -> str:
    word, turned = plain[place], _is_negated(plain, place)
    if word == _EXCEPT:
        return "wrong"
    if word in _SHOWN:
        return "wrong" if turned else ""
    if word in _FINE and plain[place - 1 : place] == ["the"]:
        return ""  # "the correct order is another" corrects, and accepts nothing
    if word in _FAULT or word in _FINE:
        return "wrong" if (word in _FAULT) != turned else "right"
    return ""


def _is_negated(plain: list[str], place: int) -> bool:
    return sum(map(negates, plain[max(0, place - NEAR) : place])) % 2 == 1


def _hedges(plain: list[str]) -> bool:
    return bool(_HEDGE & set(plain)) or any(
        word in _KNOWN and (_is_negated(plain, place) or _OUT_OF_REACH & set(plain[max(0, place - NEAR) : place]))
        for place, word in enumerate(plain)
    )
