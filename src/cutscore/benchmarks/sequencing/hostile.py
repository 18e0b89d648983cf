"""Submissions that must not score: files that are no order, and films that do not show the delivered order."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import islice
from pathlib import Path

from cutscore.authoring.clip_cache import splice_clips
from cutscore.authoring.hostile import (
    Attack,
    HonestSubmission,
    HostileSubmission,
    attack_submission,
    file_attacks,
    json_attacks,
    write_files,
)
from cutscore.authoring.hostile_films import IN_HASTE, WELL, picture_attacks, player_attacks, video_attacks
from cutscore.benchmarks.sequencing.dataset import FILM, ORDER, SequencingItem
from cutscore.core.files import FileRef, FileStore
from cutscore.core.frozen import canonical_json
from cutscore.core.timeline import Span
from cutscore.media.edit import change_speed, trim
from cutscore.media.footage import Footage, change_pictures, load_footage, write_footage
from cutscore.media.orientation import Pixels
from cutscore.media.render import write_clip

SPARED = {"paper": 1.0}
WHY = "equation 3 of the paper marks solution.json; what solution.mp4 shows is a finding there"
_GLIMPSE = 2  # pictures: less than half of any clip


def hostile(item: SequencingItem, store: FileStore) -> list[HostileSubmission]:
    """Return attacks on the order, which get 0 in every mode, and on the film, which get 0 in `strict`."""
    film, order = store.path(splice_clips(store, FILM, item.clips_in_order)), canonical_json(list(item.order))
    good: dict[str, Path | bytes] = {ORDER: order, FILM: film}
    orders = {**file_attacks(ORDER, order), **json_attacks(ORDER, order), **_order_attacks(list(item.order))}
    containers = {**file_attacks(FILM, film), **video_attacks(FILM, film), **player_attacks(FILM, film)}
    films = {**containers, **picture_attacks(FILM, film)}
    return [
        *attack_submission(good, orders),
        *attack_submission(good, {**films, **_film_attacks(item.clips_in_order, store)}, most=SPARED, spared=WHY),
        HostileSubmission("the film without an order", write_files({FILM: film})),
        HostileSubmission("the order in words beside the film", write_files({FILM: film, "answer.txt": order})),
    ]


def honest(item: SequencingItem, store: FileStore) -> list[HonestSubmission]:
    """Return films that show the order, encoded, scaled, timed or trimmed in other ways."""
    film, order = splice_clips(store, FILM, item.clips_in_order), canonical_json(list(item.order))

    def recoded(
        name: str, change: Callable[[Footage], Footage], *, crf: int = 18, preset: str = IN_HASTE
    ) -> HonestSubmission:
        def write_both(folder: Path) -> None:
            (folder / ORDER).write_bytes(order)
            write_footage(change(load_footage(store.path(film))), folder / FILM, crf=crf, preset=preset)

        return HonestSubmission(name, write_both)

    def larger(pixels: Pixels) -> Pixels:
        return pixels.repeat(2, axis=0).repeat(2, axis=1)

    return [
        HonestSubmission("the film itself", write_files({ORDER: order, FILM: store.path(film)})),
        recoded("coarsely encoded", lambda footage: footage, crf=38, preset=WELL),
        recoded("twice as large", lambda footage: change_pictures(footage, lambda old: map(larger, old))),
        recoded("a tenth slower", lambda footage: change_speed(footage, Fraction(9, 10))),
        recoded("without the first and the last picture", _trim_ends),
    ]


def _trim_ends(footage: Footage) -> Footage:
    return trim(footage, Span(start_s=1 / footage.rate, end_s=footage.length_s - 1 / footage.rate))


def _order_attacks(order: list[str]) -> dict[str, Attack]:
    contents: dict[str, object] = {
        "the film backwards": order[::-1],
        "the first clip twice": [order[0], *order],
        "the first clip in every place": [order[0]] * len(order),
        "two orders in one list": order + order[::-1],
        "two orders in one object": {"order": order, "other": order[::-1]},
        "without its last clip": order[:-1],
        "with a clip that nobody gave": ["clip-99.mp4", *order[1:]],
        "as numbers": list(range(1, len(order) + 1)),
        "as numbers in text": [str(number) for number in range(1, len(order) + 1)],
        "as the names of wishes": [f"{name} or any other" for name in order],
        "in a list in a list": [order],
    }
    return {f"{ORDER}: {what}": write_files({ORDER: canonical_json(value)}) for what, value in contents.items()}


def _film_attacks(clips: Sequence[FileRef], store: FileStore) -> dict[str, Attack]:
    """Return films of the right clips that do not show them as the order says."""

    def film(choose: Callable[[list[list[Pixels]]], Iterable[Sequence[Pixels]]], *, preset: str = IN_HASTE) -> Attack:
        def attack(folder: Path) -> None:
            (folder / FILM).unlink()
            given = [load_footage(store.path(clip)) for clip in clips]
            pictures = [picture for part in choose([list(each.pictures()) for each in given]) for picture in part]
            write_clip(folder / FILM, pictures, rate=given[0].rate, preset=preset)

        return attack

    by_name = [list(clips).index(clip) for clip in sorted(clips, key=lambda clip: clip.name)]
    return {
        f"{FILM}: the clips in the order of their names": film(lambda parts: [parts[number] for number in by_name]),
        f"{FILM}: the clips backwards": film(lambda parts: parts[::-1]),
        f"{FILM}: each clip backwards in its place": film(lambda parts: [part[::-1] for part in parts], preset=WELL),
        f"{FILM}: the first picture of each clip": film(
            lambda parts: [part[:1] * len(part) for part in parts], preset=WELL
        ),
        f"{FILM}: two clips the wrong way round": film(lambda parts: [parts[1], parts[0], *parts[2:]]),
        f"{FILM}: the first clip alone": film(lambda parts: parts[:1]),
        f"{FILM}: without the last clip": film(lambda parts: parts[:-1]),
        f"{FILM}: the first clip again at the end": film(lambda parts: [*parts, parts[0]]),
        f"{FILM}: the whole film twice": film(lambda parts: [*parts, *parts]),
        f"{FILM}: a glimpse of each clip": film(lambda parts: [list(islice(part, _GLIMPSE)) for part in parts]),
        f"{FILM}: the first clip for as long as all others": film(
            lambda parts: [[parts[0][0]] * sum(map(len, parts)), *parts[1:]]
        ),
    }
