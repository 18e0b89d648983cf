"""Submissions that must not score: what is no film, and films that tell nothing; and honest ones that must."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import count
from pathlib import Path

import numpy as np

from cutscore.authoring.hostile import (
    Attack,
    HonestSubmission,
    HostileSubmission,
    attack_submission,
    file_attacks,
    write_files,
)
from cutscore.authoring.hostile_films import (
    copy_attacks,
    honest_films,
    picture_attacks,
    player_attacks,
    video_attacks,
)
from cutscore.benchmarks.repurpose.dataset import FILM, REPORT, Commission
from cutscore.benchmarks.repurpose.excerpts import join_excerpts
from cutscore.benchmarks.repurpose.oracle import perfect
from cutscore.core.files import FileStore
from cutscore.core.timeline import Span
from cutscore.media.edit import change_speed, join_footage, replace_sound
from cutscore.media.footage import Footage, change_pictures, change_sound, load_footage, write_footage
from cutscore.media.orientation import Pixels

RULES = "the paper's rubric gives points item by item, and this film breaks a rule of the delivery only"
LABELS = "the paper's rubric does not ask what the labels of a file make a player show"


def hostile(item: Commission, store: FileStore) -> list[HostileSubmission]:
    """Return submissions that must not score; all but the file in question are those of a perfect one."""
    good = {ref.name: store.path(ref) for ref in perfect(item, store).files}
    film, source = good[FILM], store.path(item.source)
    bad = {
        **file_attacks(FILM, film),
        **video_attacks(FILM, film),
        **picture_attacks(FILM, film),
        **copy_attacks(FILM, source),
        **_fillers(item, film, source),
    }
    return [
        *attack_submission(good, bad),
        *attack_submission(good, _rule_breakers(film), most={"paper": 0.97}, spared=RULES),
        *attack_submission(good, player_attacks(FILM, film), most={"paper": 1.0}, spared=LABELS),
        HostileSubmission("a report alone", write_files({REPORT: good[REPORT]})),
    ]


def honest(item: Commission, store: FileStore) -> list[HonestSubmission]:
    """Return the perfect film as others encode it."""
    good = {ref.name: store.path(ref) for ref in perfect(item, store).files}
    films = attack_submission(good, honest_films(FILM, good[FILM]))
    return [HonestSubmission(each.name, each.write) for each in films]


def _fillers(item: Commission, film: Path, source: Path) -> dict[str, Attack]:
    """Return films of the right length, picture and container that are filled instead of told."""
    length_s, aspect = item.film.length_s or Fraction(8), item.film.aspect

    def filmed(make: Callable[[], Footage]) -> Attack:
        return lambda folder: write_footage(make(), folder / FILM)

    def cut(spans: Sequence[Span]) -> Footage:
        return join_excerpts(source, [(span, 0.5) for span in spans], aspect)

    def changed(change: Callable[[Iterator[Pixels]], Iterator[Pixels]]) -> Attack:
        return filmed(lambda: change_pictures(load_footage(film), change))

    def slides() -> Footage:
        whole = load_footage(source)
        step_s = whole.length_s / int(length_s)
        spans = [Span(start_s=number * step_s, end_s=number * step_s + 1) for number in range(int(length_s))]
        return join_footage([_hold_first(cut([span])) for span in spans])

    def hurried() -> Footage:
        whole = load_footage(source)
        return change_speed(whole, whole.length_s / length_s)

    second = Span(start_s=1, end_s=2)
    return {
        f"{FILM} is one second, over and over": filmed(lambda: cut([second] * int(length_s))),
        f"{FILM} is a slide a second": filmed(slides),
        f"{FILM} is the film in bars that fill half of the picture": changed(lambda old: map(_add_bars, old)),
        f"{FILM} is cards with bars of text": changed(lambda old: map(_card, old, count())),
        f"{FILM} is the whole source, hurried through": filmed(hurried),
        f"{FILM} is the film with its pictures shuffled": changed(_shuffle),
    }


def _rule_breakers(film: Path) -> dict[str, Attack]:
    """Return honest films that break one rule which the brief has told."""

    def filmed(change: Callable[[Footage], Footage]) -> Attack:
        return lambda folder: write_footage(change(load_footage(film)), folder / FILM)

    def halve(pixels: Pixels) -> Pixels:
        return pixels[: len(pixels) // 4 * 2]

    return {
        f"{FILM} has no sound track": filmed(lambda whole: replace_sound(whole, None)),
        f"{FILM} has a sound track on which nothing is heard": filmed(
            lambda whole: change_sound(whole, lambda sound: np.zeros_like(sound.samples))
        ),
        f"{FILM} is cut to half of its height": filmed(
            lambda whole: change_pictures(whole, lambda old: map(halve, old))
        ),
    }


def _hold_first(part: Footage) -> Footage:
    first = next(part.pictures())
    return change_pictures(part, lambda old: (first for _ in old))


def _add_bars(pixels: Pixels) -> Pixels:
    """Show a picture at half of its height between bars, as one who meets an aspect by padding."""
    small = pixels[::2]
    out = np.zeros_like(pixels)
    top = (len(out) - len(small)) // 2
    out[top : top + len(small)] = small
    return out


def _card(pixels: Pixels, number: int) -> Pixels:
    out = np.full_like(pixels, 20)
    for line in range(3):
        top = len(out) * (line + 1) // 5
        out[top : top + 4, out.shape[1] // 6 : out.shape[1] // 6 + 12 + (5 * line + number // 8) % 20] = 230
    return out


def _shuffle(old: Iterator[Pixels]) -> Iterator[Pixels]:
    pictures = list(old)
    return (pictures[number] for number in np.random.default_rng(0).permutation(len(pictures)))
