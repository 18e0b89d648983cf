"""Answers to "is this description correct?": flagged, accepted, hedged or none.

The paper counts a flag and nothing else, so a subject that flags everything gets full marks. Kept apart here are the
four things that an answer can be, so that descriptions which are correct can be asked about, too.
"""

import re
from collections.abc import Iterator
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
    "incorrect incorrectly inaccurate inaccuracy inaccuracies wrong wrongly error errors erroneous mistake mistakes"
    " mistaken false untrue mismatch mismatches discrepancy discrepancies contradict contradicts contradicted conflict"
    " conflicts contrary unlike deviates differs different swapped swaps swap switched reversed reverses omit omits"
    " omitted omission missing skipped skips inconsistent incomplete misstates misstate misdescribes misrepresents"
    " invented fabricated problem problems issue issues flaw flaws fault faults object misordered"
)
_FINE = word_set(
    "correct correctly accurate accurately true match matches consistent valid agrees confirms faithful faithfully"
    " corresponds aligns"
)
# Phrases of one meaning, each as one word of the two sets above.
_PHRASES = (
    (r"\bout of (?:order|sequence)\b", "misordered"),
    (r"\b(?:left|leaves|leave|leaving) out\b", "omitted"),
    (r"\bmixed up\b", "swapped"),
    (r"\bother way (?:round|around)\b", "reversed"),
    (r"\b(?:checks|check|lines|line|holds|hold) (?:out|up)\b", "matches"),
    (r"\bin the order described\b", "matches"),
    (r"\b(?:as described|as shown|what happens|what happened|the same|exactly that|like that)\b", "matches"),
    (
        r"\b(is|are|was|were|be|looks?|seems?|sounds?|it's|that's|all|not|mostly) (?:right|good|fine|ok|okay)\b",
        r"\1 correct",
    ),
    (r"\b(is|are|was|were|looks?|seems?) off\b", r"\1 wrong"),
    (r"\bnot (?:quite|entirely|exactly|fully|completely)$", "wrong"),
    (r"\b(?:instead|rather) (?:of|than)\b", "instead"),
    (r"\b(?:not|isn't) enough\b", "insufficient"),
    (r"\bno way\b", "unknown"),
)
# Nothing by themselves; "does not show" calls a description wrong.
_SHOWN = word_set("show shows shown happen happens happened occur occurs occurred mentioned seen done")
# Set the clip against the description, where nothing plainer is said: "a hammer instead of a saw".
_CONTRAST = word_set("instead actually should whereas")
_HEDGE = word_set(
    "possible possibly perhaps maybe may might could unclear uncertain unsure unknown depends insufficient ambiguous"
    " plausible"
)
# Right, but not wholly: no acceptance.
_PARTLY = word_set("partially partly mostly somewhat largely almost nearly generally")
# Hedges when they are out of reach: "hard to tell", "cannot be verified".
_KNOWN = word_set("tell say know determine determined verify verified confirm confirmed sure certain view watch access")
_OUT_OF_REACH = word_set("hard difficult impossible unable")
_TURN = word_set("but except however although though yet besides apart")
_EXCEPT = word_set("except apart besides")  # turn, and what follows is wrong
_PART = word_set("step steps order half tool tools amount amounts quantity quantities ingredient ingredients rest")
_REPLIES = {**dict.fromkeys(("yes", "yep", "yeah"), "yes"), **dict.fromkeys(("no", "nope"), "no")}
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_REPLY = re.compile(r"\W*(?:yes|yep|yeah|no|nope)\s*(?:[,.:;!–—-]|$)", re.IGNORECASE)
_SAYS_SO = re.compile(r"\bi(?: would|'d) say (yes|no)$")
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

    A last line `ANSWER: correct` or `ANSWER: incorrect` decides (`unsure` is hedged); with other words it is read
    alone, as sentences are, and such a line that is not the last does not count. Without one, questions are left out,
    and the first sentence that begins with yes or no and does not hedge decides. Else clauses that do not hedge are
    searched for words that call something right or wrong; a negation within four words before turns them around.
    Both kinds are a hedge, unless a word such as "but" leads from right to wrong, or only parts are called right:
    "step 1 is correct, step 2 is wrong" is a flag. Where nothing is called either, what is said not to be so ("Nobody
    stirs"), or set against the description ("a fork instead of a spoon"), is a flag. When only hedging clauses are
    left, the answer is hedged.

    >>> [read_verdict(text).verdict for text in ("No, the salt comes last.", "There are no errors.", "Nice video.")]
    ['flagged', 'accepted', 'none']
    >>> read_verdict("Mostly correct, but the order is wrong.").verdict
    'flagged'
    """
    closed = read_closing_line(text)
    if closed is not None:
        both = {"correct", "incorrect"} <= set(words(closed))  # repeats the prompt
        verdict = "none" if both else _CLOSING[closed] if closed in _CLOSING else _read_sentences(closed).verdict
        return VerdictAnswer(verdict, f"the last line answers '{closed[:40]}'")
    if not text.strip():
        return VerdictAnswer("none", "nothing was answered")
    return _read_sentences(remove_answer_lines(text))


@dataclass(frozen=True)
class _Clause:
    """A stretch of a sentence up to a word such as "but".

    Args:
        turned: It begins with such a word.
    """

    sentence: str
    plain: list[str]
    turned: bool

    @property
    def kinds(self) -> list[str]:
        """Return what it calls something: right, wrong."""
        kinds = [kind for place in range(len(self.plain)) if (kind := _kind(self.plain, place))]
        return [kind for kind in kinds if kind == "wrong" or not self.partly]

    @property
    def partly(self) -> bool:
        """Whether it calls something right in part only."""
        return bool(_PARTLY & set(self.plain))

    @property
    def of_a_part(self) -> bool:
        """Whether it speaks of a part of the description."""
        return bool(_PART & set(self.plain))

    @property
    def contrasts(self) -> bool:
        """Whether it says what is not so, or what is so instead."""
        return bool(_CONTRAST & set(self.plain)) or any(map(negates, self.plain))


def _read_sentences(text: str) -> VerdictAnswer:
    said = [
        clause
        for sentence in _SENTENCE.split(text)[:MOST_SENTENCES]
        if not sentence.rstrip().endswith("?")
        for clause in _clauses(sentence)
    ]
    clear = [clause for clause in said if not _hedges(clause.plain)]
    for place, clause in enumerate(clear):
        reply = _reply(clause)
        if reply:
            rest = [other for other in clear[place + 1 :] if other.sentence == clause.sentence]
            return _by_reply(reply, clause, rest)
    return _by_words(clear, hedged=len(clear) < len(said) or any(clause.partly for clause in clear))


def _clauses(sentence: str) -> Iterator[_Clause]:
    plain = " ".join(words(sentence))
    for phrase, word in _PHRASES:
        plain = re.sub(phrase, word, plain)
    clause: list[str] = []
    turned = False
    for word in plain.split():
        if word in _TURN and (clause or turned):
            if clause:
                yield _Clause(sentence, clause, turned)
            clause, turned = [], True
        turned = turned or (word in _TURN and not clause)
        if word not in _TURN or word in _EXCEPT:
            clause.append(word)
    if clause:
        yield _Clause(sentence, clause, turned)


def _reply(clause: _Clause) -> str:
    """Return the reply that a clause begins with: "no, it was oil", but not "no errors were made"."""
    asked = _SAYS_SO.search(" ".join(clause.plain))
    if asked:
        return asked[1]
    reply = _REPLIES.get(clause.plain[0], "")
    if not reply or (clause.turned and len(clause.plain) > 1):
        return ""
    alone = bool(_REPLY.match(clause.sentence)) or len(clause.plain) == 1
    return reply if alone or not (_FAULT | _FINE) & set(clause.plain[1 : 1 + NEAR]) else ""


def _by_reply(reply: str, clause: _Clause, rest: list[_Clause]) -> VerdictAnswer:
    kinds = {_kind(clause.plain[1:], place) for place in range(len(clause.plain) - 1)}
    if reply == "yes" and any("wrong" in other.kinds or other.contrasts for other in rest):
        return VerdictAnswer("flagged", "without a closing line, it says 'yes' and calls a part wrong")
    if ("right" if reply == "no" else "wrong") in kinds:
        return VerdictAnswer("hedged", f"it says '{reply}' and the contrary in one sentence")
    return VerdictAnswer("flagged" if reply == "no" else "accepted", f"without a closing line, it says '{reply}'")


def _by_words(clear: list[_Clause], *, hedged: bool) -> VerdictAnswer:
    right = [place for place, clause in enumerate(clear) if "right" in clause.kinds]
    wrong = [place for place, clause in enumerate(clear) if "wrong" in clause.kinds]
    contrasts = [place for place, clause in enumerate(clear) if clause.contrasts and not clause.kinds]
    if wrong and right:
        turned = any(clear[place].turned and place > right[-1] for place in wrong)
        if turned or all(clear[place].of_a_part for place in right):
            return VerdictAnswer("flagged", "without a closing line, it calls a part wrong")
        return VerdictAnswer("hedged", "without a closing line, it calls it both right and wrong")
    if contrasts and not wrong and (not right or any(clear[at].turned and at > right[-1] for at in contrasts)):
        return VerdictAnswer("flagged", "without a closing line, it says what is otherwise")
    if wrong or right:
        word: Verdict = "flagged" if wrong else "accepted"
        return VerdictAnswer(word, f"without a closing line, it calls it {'wrong' if wrong else 'right'}")
    if hedged:
        return VerdictAnswer("hedged", "without a closing line, it hedges")
    return VerdictAnswer("none", "it says neither right nor wrong")


def _kind(plain: list[str], place: int) -> str:
    word, turned = plain[place], _is_negated(plain, place)
    if word in _EXCEPT:
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
    open_words = {word for word, following in zip(plain, [*plain[1:], ""], strict=True) if following != "not"}
    return bool(_HEDGE & open_words) or any(
        word in _KNOWN and (_is_negated(plain, place) or _OUT_OF_REACH & set(plain[max(0, place - NEAR) : place]))
        for place, word in enumerate(plain)
    )
