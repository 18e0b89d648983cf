"""The words of a text, as the Penn Treebank cuts them: what `must_include` compares one-word references with.

The released code cuts words with NLTK (3.9 in its days), whose sentence splitter needs a table that has to be
downloaded. Here a small splitter stands in for it: all that words depend on is whether a period ends a sentence, and
then it is a word of its own. It does, unless it follows an abbreviation, or a number or single letter before a word in
lower case.

    marks      ; @ # $ % & ? ! * brackets, quotes, -- and … as dots stand alone; : and , do unless a digit follows
    endings    's 'm 'd 'll 're 've n't and a closing ' are cut off; cannot, gonna and a few more are two words
"""

import re
from collections.abc import Iterator

# Abbreviations after which a sentence goes on. Lower case, without the last period.
ABBREVIATIONS = frozenset({
    "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "vs", "inc", "ltd", "co", "corp", "gen", "sen", "rep", "lt",
    "col", "bros", "ave", "ft", "jan", "feb", "aug", "sep", "sept", "oct", "nov", "dec",
    "a.m", "p.m", "u.s", "u.k", "u.n", "u.s.a", "d.c", "n.y", "ph.d",
})  # fmt: skip

_MARKS = r"[;@#$%&?!*()\[\]{}<>«“‘„»”’\"]"
_PIECE = re.compile(rf"\.{{2,}}|{_MARKS}|``|`|--|''|[:,](?!\d)|\.")
_SPACE = re.compile(r"\s")
_CHUNK = re.compile(r"\S+")
_SPACES = " \n\t\r\xa0\x0b\x0c\x1c\x1d\x1e\x1f\x85\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
# After a period these may stand, and it can still end a sentence; before it, they end the word that it belongs to.
_AFTER_PERIOD = frozenset(")\";}]*:@'({[?!")
_BEFORE_WORD = '("`{[:;&#*@)}]-,'
_WORD_BORDER = re.compile(r"[)\";}\]*:@'({\[?!]")
_CLOSERS = "])}>\"'»”’"
_LETTER = re.compile(r"\w")
# Of words that are cut in two, the second halves.
_SECONDS = ("not", "ye", "me", "na", "ta", "n", "is", "was")
_NO_CUT_BEFORE = r"(?<![\w/=+~^|\\])(?<!\w\.)(?<!\w-)"
_NO_CUT_AFTER = rf"(?![/=+~^|\\]|\.\w|-\w|(?!{'|'.join(_SECONDS)})\w)"
_NEAR = 256  # characters in which most chunks begin
_LONGEST_TAIL, _LONGEST_WORD = 20, 60  # characters around a period that are looked at
_GOES_ON = frozenset(";:,.!?")
_NUMBER = re.compile(r"-?[.,]?\d[\d,.-]*")
_OPENS_QUOTE = frozenset("([{<")

_LONE_LETTER = re.compile(r"'(?!re|ve|ll|[mtsdn])(?=\w\b)", re.IGNORECASE)
_ENDING = re.compile(r"(?<=[^'])('[smdSMD]|'ll|'LL|'re|'RE|'ve|'VE|n't|N'T|')$")
_TWO_WORDS = re.compile(
    r"\b(?:(can)(not)|(d)('ye)|(gim)(me)|(gon)(na)|(got)(ta)|(lem)(me)|(more)('n))\b", re.IGNORECASE
)
_WANNA = re.compile(r"\b(wan)(na)$", re.IGNORECASE)
_TIS = re.compile(r"^('t)(is|was)\b", re.IGNORECASE)


def tokens(text: str) -> list[str]:
    """Return all words of a text.

    >>> tokens("it's 3:30, and the u.s. total: $0.00.")
    ['it', "'s", '3:30', ',', 'and', 'the', 'u.s.', 'total', ':', '$', '0.00', '.']
    """
    return [word for chunk in _CHUNK.finditer(text) for word in _cut(text, chunk.start(), chunk.end())]


def has_word(word: str, text: str) -> bool:
    """Return whether a word is among those of a text; of a long text only the places where its letters stand are cut.

    >>> has_word("0", "10 of 20"), has_word("0", "total: 0.")
    (False, True)
    """
    if not word or _SPACE.search(word) or word not in text:  # the last is far faster than any pattern
        return False
    done, places = 0, _places_of(word)
    while place := places.search(text, done):
        at = place.start()
        start = _start_of_chunk(text, done, at)
        end = found.start() if (found := _SPACE.search(text, at)) else len(text)
        if word in _cut(text, start, end):
            return True
        done = end
    return False


def _places_of(word: str) -> re.Pattern[str]:
    """Return where a word may stand: not beside what is never cut from it, so that most near misses cost nothing."""
    before = _NO_CUT_BEFORE if _LETTER.match(word[0]) and "'" not in word and word not in _SECONDS else ""
    after = _NO_CUT_AFTER if _LETTER.match(word[-1]) else ""
    return re.compile(f"{before}{re.escape(word)}{after}")


def _start_of_chunk(text: str, done: int, at: int) -> int:
    """Return where the letters begin that no space parts from a place."""
    near = text[max(done, at - _NEAR) : at]
    if not near or near[-1].isspace():
        return at
    tail = near.rsplit(None, 1)[-1]
    if len(tail) < _NEAR:
        return at - len(tail)
    return max(max(text.rfind(space, done, at) for space in _SPACES) + 1, done)


def _cut(text: str, start: int, end: int) -> Iterator[str]:
    """Cut what stands between two spaces."""
    chunk = text[start:end]
    spaced = end == len(text) or text[end] == " "  # the endings are cut off before a plain space alone
    last, skip = 0, -1
    for piece in _PIECE.finditer(chunk):
        at, mark = piece.start(), piece[0]
        if at == skip or (mark == "." and not _ends_sentence(text, chunk, at, end)):
            continue  # of two colons in a row the second stays with what follows it
        if mark in (":", ","):
            skip = at + 1 if chunk[at + 1 : at + 2] in (":", ",") else -1
        yield from _cut_word(chunk[last:at], spaced=True)
        yield _quote(text, start + at) if mark == '"' else mark
        last = piece.end()
    yield from _cut_word(chunk[last:], spaced=spaced or _ends_at(text, end))


def _cut_word(word: str, *, spaced: bool) -> Iterator[str]:
    """Cut a word that no mark stands in: at its endings, where a space follows it."""
    *firsts, last = _split_after(_LONE_LETTER, word)
    for part in firsts:
        yield from _cut_ending(part, spaced=True)
    yield from _cut_ending(last, spaced=spaced)


def _split_after(pattern: re.Pattern[str], word: str) -> list[str]:
    cuts = [found.end() for found in pattern.finditer(word)] if "'" in word else []
    return [word[a:b] for a, b in zip([0, *cuts], [*cuts, len(word)], strict=True)]


def _cut_ending(word: str, *, spaced: bool) -> Iterator[str]:
    ending = _ENDING.search(word) if spaced else None
    stem, rest = (word[: ending.start()], ending[0]) if ending else (word, "")
    for pattern in (_TWO_WORDS, _WANNA, _TIS):
        if found := pattern.search(stem):
            first, second = (each for each in found.groups() if each)
            stem = f"{stem[: found.start()]} {first} {second} {stem[found.end() :]}"
    yield from stem.split()
    if rest:
        yield rest


def _quote(text: str, at: int) -> str:
    opens = at == 0 or text[at - 1] == " " or text[at - 1] in _OPENS_QUOTE
    return "``" if opens else "''"


def _ends_at(text: str, end: int) -> bool:
    """Return whether a sentence ends with a chunk; then what follows counts as a space."""
    return text[end - 1] in ".?!" if end else False


def _ends_sentence(text: str, chunk: str, at: int, end: int) -> bool:
    """Return whether the period of a chunk that ends at a place of the text ends a sentence."""
    following = chunk[at + 1 : at + 2]
    if following and following not in _AFTER_PERIOD and following not in _CLOSERS:
        return False
    later = _CHUNK.search(text, end)
    if later is None and not chunk[at + 1 : at + 1 + _LONGEST_TAIL].strip(_CLOSERS):
        return True
    if following and following not in _AFTER_PERIOD:
        return False
    window = chunk[max(0, at - _LONGEST_WORD) : at]
    word = _WORD_BORDER.split(window)[-1].lstrip(_BEFORE_WORD)
    kind = word.lower()
    if kind in ABBREVIATIONS or kind.rpartition("-")[2] in ABBREVIATIONS:
        return False
    if following or later is None or not (_NUMBER.fullmatch(word) or (len(word) == 1 and word.isalpha())):
        return True
    return not (later[0][0].islower() or later[0][0] in _GOES_ON)
