"""Submissions that must not score: the input in disguise, ruined windows, reports that lie, cuts of everything."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType

from cutscore.authoring.hostile import (
    Attack,
    HonestSubmission,
    HostileSubmission,
    attack_submission,
    file_attacks,
    json_attacks,
    write_files,
)
from cutscore.authoring.hostile_films import (
    HEVC,
    IN_HASTE,
    VP9,
    WELL,
    copy_attacks,
    honest_films,
    picture_attacks,
    player_attacks,
    video_attacks,
)
from cutscore.benchmarks.repair import oracle
from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.defect import AUDIO, CUT_OUT, VISUAL
from cutscore.benchmarks.repair.edits.blind_filters import PICTURE_FILTERS, SOUND_FILTERS
from cutscore.benchmarks.repair.edits.effects import black_out, freeze, mute
from cutscore.benchmarks.repair.edits.insertions import cut_out
from cutscore.benchmarks.repair.report import FIXED, REPORT, SCHEMA, ReportedRange, fence, range_block
from cutscore.benchmarks.repair.shortcuts import tile
from cutscore.benchmarks.repair.verify.placement import INSIDE, OUTSIDE
from cutscore.core.files import FileStore
from cutscore.core.frozen import canonical_json
from cutscore.core.timeline import Span
from cutscore.media.edit import apply_filters, join_footage, trim
from cutscore.media.footage import Footage, load_whole_clip, write_footage

# Of a defect in a window, for those who leave the window broken and the rest alone. All of them hand in a right report.
REST = {"paper": 0.1, "precision": 0.1}
WHY_REST = "H.1.1 pays up to 0.1 for a rest that nobody touched"
WHY_FILTER = "H.1.1 pays for what a filter mends without knowing where, and up to 0.1 for the rest"

# Of a clip that is mended, under labels that let a player show something else.
LABELS = {"paper": 1.0, "precision": 1.0, "table2": 1.0}
WHY_LABELS = "Appendix H.1 compares pixels and samples, whatever the labels of a file make a player show"

# Of what is to be cut out, for those who leave half of it in.
HALF = dict.fromkeys(("paper", "precision", "strict", "table2"), 0.6)
WHY_HALF = "half of the defect is mended"


def hostile(item: RepairItem, store: FileStore) -> list[HostileSubmission]:
    """Return attacks on the clip, on the report where it decides, and those that the kind of defect invites."""
    fixed, report = (store.path(ref) for ref in oracle.perfect(item, store).files)
    broken, golden = store.path(item.broken), store.path(item.golden)
    good: dict[str, Path | bytes] = {FIXED: fixed, REPORT: report.read_bytes()}
    films = {**file_attacks(FIXED, fixed), **video_attacks(FIXED, fixed, golden, sound=True)}
    cutting = item.defect.kind in CUT_OUT
    # Who has mended a window does not ruin it; who has cut a clip right may still show something else.
    base = fixed if cutting else broken
    most, spared = ({}, "") if cutting else (REST, WHY_REST)
    return [
        *attack_submission(good, films),
        *attack_submission(good, player_attacks(FIXED, fixed), most=LABELS, spared=WHY_LABELS),
        *attack_submission(
            good, {**picture_attacks(FIXED, base), **copy_attacks(FIXED, broken)}, most=most, spared=spared
        ),
        *(
            _cut_attacks(item, good, broken)
            if cutting
            else attack_submission(good, _window_attacks(item, broken), most=most, spared=spared)
        ),
        *attack_submission(good, _filter_attacks(item, broken), most=_most_of_filters(item), spared=WHY_FILTER),
        HostileSubmission("the report alone", write_files({REPORT: good[REPORT]})),
        HostileSubmission(
            "the input and words of success", write_files({FIXED: broken, REPORT: b"All is mended.\n"}), most, spared
        ),
    ]


def honest(item: RepairItem, store: FileStore) -> list[HonestSubmission]:
    """Return golden as others would deliver and report it.

    Other codecs than H.264 meet the gate that the brief announces.
    """
    fixed, report = (store.path(ref) for ref in oracle.perfect(item, store).files)
    films = attack_submission({FIXED: fixed, REPORT: report}, honest_films(FIXED, fixed))
    return [
        *(
            HonestSubmission(each.name, each.write, announced="codec" if each.name in (HEVC, VP9) else "")
            for each in films
        ),
        *(
            HonestSubmission(f"{REPORT}: {what}", write_files({FIXED: fixed, REPORT: fence(_block(spans))}))
            for what, spans in _other_lists(oracle.true_spans(item)).items()
        ),
    ]


def _other_lists(true: Sequence[Span]) -> dict[str, list[Span]]:
    """Return ways to list the true ranges that mean the same."""
    middle_s = true[0].start_s + true[0].length_s / 2
    first, last = (
        Span(start_s=true[0].start_s, end_s=middle_s + true[0].length_s / 4),
        Span(start_s=middle_s, end_s=true[0].end_s),
    )
    return {"ranges backwards and twice": [*true, *true][::-1], "ranges that overlap": [first, last, *true[1:]]}


def _film_attack(source: Path, change: Callable[[Footage], Footage], *, preset: str = WELL) -> Attack:
    return lambda folder: write_footage(change(load_whole_clip(source)), folder / FIXED, preset=preset)


def _window_attacks(item: RepairItem, broken: Path) -> dict[str, Attack]:
    """Return what lazy hands do to a window, or to all of a clip, to be seen to have done something."""
    window = item.defect.window

    def from_before(rate: Fraction) -> Span:
        """Begin with the last picture that nothing is wrong with."""
        return Span(start_s=max(Fraction(0), window.start_s - 1 / rate), end_s=window.end_s)

    sounds: dict[str, Callable[[Footage], Footage]] = {
        "silent in the window": lambda clip: mute(clip, window),
        "half as loud": lambda clip: apply_filters(clip, sound="volume=0.5"),
    }
    pictures: dict[str, Callable[[Footage], Footage]] = {
        "black in the window": lambda clip: black_out(clip, window),
        "frozen in the window": lambda clip: freeze(clip, window),
        "the picture before the window through all of it": lambda clip: freeze(clip, from_before(clip.rate)),
        "blurred from end to end": lambda clip: apply_filters(clip, pictures="gblur=sigma=4"),
        "grey from end to end": lambda clip: apply_filters(clip, pictures="hue=s=0"),
        "upside down": lambda clip: apply_filters(clip, pictures="vflip"),
    }
    if item.defect.kind == "colour_shift":
        del pictures["grey from end to end"]  # nearer to the right colours than wrong ones are: a poor cure, but one
    lazy: dict[str, Callable[[Footage], Footage]] = {
        # A change of the other stream leaves the defective one as it is, which `copy_attacks` tries already.
        **(sounds if item.defect.kind in AUDIO else pictures),
    }
    # Refused for their length, and never looked at.
    lengths: dict[str, Callable[[Footage], Footage]] = {
        "without the window": lambda clip: cut_out(clip, [_leave_a_picture(clip, window)]),
        "the window alone": lambda clip: trim(clip, window),
        "twice": lambda clip: join_footage([clip, clip]),
    }
    return {
        **{f"{FIXED} is the input, {what}": _film_attack(broken, change) for what, change in lazy.items()},
        **{
            f"{FIXED} is the input, {what}": _film_attack(broken, change, preset=IN_HASTE)
            for what, change in lengths.items()
        },
    }


def _filter_attacks(item: RepairItem, broken: Path) -> dict[str, Attack]:
    """Return the input under filters that know nothing of it; of a defect in a window alone."""
    kind = item.defect.kind
    filters = SOUND_FILTERS if kind in AUDIO else PICTURE_FILTERS if kind in VISUAL else {}
    return {f"{FIXED} is the input, {what}": _film_attack(broken, change) for what, change in filters.items()}


def _most_of_filters(item: RepairItem) -> dict[str, float]:
    """Return what the paper's formula pays for as much as filters reach; `strict` and `table2` pay nothing for it."""
    return dict.fromkeys(("paper", "precision"), INSIDE * item.encode_noise + OUTSIDE)


def _leave_a_picture(clip: Footage, window: Span) -> Span:
    """Return a window, without the first picture where it is the whole clip: of that nothing would be left."""
    whole = clip.first_at(window.start_s) == 0 and clip.first_at(window.end_s) >= clip.count
    return Span(start_s=1 / clip.rate, end_s=window.end_s) if whole else window


def _cut_attacks(item: RepairItem, good: dict[str, Path | bytes], broken: Path) -> list[HostileSubmission]:
    """Return reports that are none, reports of what was not rendered, and cuts of everything."""
    clip = load_whole_clip(broken)
    true, length_s = oracle.true_spans(item), clip.length_s
    report = good[REPORT]
    assert isinstance(report, bytes)
    attacks = {
        **file_attacks(REPORT, report),
        **{f"{name}, fenced": _fence_attack(attack) for name, attack in json_attacks(REPORT, _block(true)).items()},
        **{f"{REPORT}: {what}": write_files({REPORT: bad}) for what, bad in _bad_reports(true, length_s).items()},
    }
    last = Span(start_s=0, end_s=length_s - 1 / clip.rate)
    renders: dict[str, Callable[[Footage], Footage]] = {
        "the window is cut out, more than reported": lambda film: cut_out(film, [_wider_window(item, film)]),
        "the right length, cut off at its end": lambda film: trim(
            film, Span(start_s=0, end_s=length_s - sum(span.length_s for span in true))
        ),
        "the right cuts, silent": lambda film: mute(cut_out(film, true), Span(start_s=0, end_s=1)),
        "the right cuts, black for a while": lambda film: black_out(cut_out(film, true), Span(start_s=0, end_s=1)),
        "all of it but the last picture": lambda film: cut_out(film, [last]),
    }
    return [
        *attack_submission(good, attacks),
        *attack_submission(
            good, {f"{FIXED}: {what}": _film_attack(broken, change) for what, change in renders.items()}
        ),
        _cut_and_report("half of each range is reported and cut out", broken, _halves(true), HALF, WHY_HALF),
        _cut_and_report("everything is reported and cut out", broken, [last]),
        _cut_and_report("everything is reported in pieces and cut out", broken, tile(clip, true[0].length_s)),
    ]


def _halves(true: Sequence[Span]) -> list[Span]:
    return [Span(start_s=span.start_s, end_s=span.start_s + span.length_s / 2) for span in true]


def _cut_and_report(
    name: str, broken: Path, spans: Sequence[Span], most: Mapping[str, float] = MappingProxyType({}), spared: str = ""
) -> HostileSubmission:
    def write_both(folder: Path) -> None:
        _film_attack(broken, lambda film: cut_out(film, list(spans)))(folder)
        write_files({REPORT: fence(_block(spans))})(folder)

    return HostileSubmission(name, write_both, most, spared)


def _wider_window(item: RepairItem, film: Footage) -> Span:
    """Return a second more than the window."""
    window = item.defect.window
    start_s = max(Fraction(0), window.start_s - 1)
    return Span(start_s=start_s, end_s=min(film.length_s, window.end_s + (1 if start_s == 0 else 0)))


def _bad_reports(true: Sequence[Span], length_s: Fraction) -> dict[str, bytes]:
    first, *_ = plain = [{"start_s": float(span.start_s), "end_s": float(span.end_s)} for span in true]
    turned = {"start_s": first["end_s"], "end_s": first["start_s"]}
    late = {"start_s": first["start_s"], "end_s": float(length_s) + 9}
    right = _block(true)
    return {
        "nothing was found": _fenced_ranges([]),
        "ranges that end before they begin": _fenced_ranges([turned, *plain[1:]]),
        "a range that ends after the clip": _fenced_ranges([late]),
        "a range before the clip": _fenced_ranges([{"start_s": -3, "end_s": -1}, *plain]),
        "a range without a length": _fenced_ranges([{"start_s": 0, "end_s": 0}, *plain]),
        "times as texts": _fenced_ranges([{name: str(value) for name, value in first.items()}]),
        "2,000 ranges": _fenced_ranges([first] * 2000),
        "another schema": fence(right.replace(SCHEMA.encode(), b"my-ranges-1")),
        "two blocks": fence(right) * 2,
        "a block that is not closed": fence(right).removesuffix(b"```\n"),
        "a block without a fence": right,
    }


def _fenced_ranges(ranges: object) -> bytes:
    return fence(canonical_json({"schema": SCHEMA, "ranges": ranges}))


def _block(spans: Sequence[Span]) -> bytes:
    return range_block([ReportedRange(span) for span in spans])


def _fence_attack(attack: Attack) -> Attack:
    """Put what an attack writes into a fenced block."""

    def fenced(folder: Path) -> None:
        attack(folder)
        (folder / REPORT).write_bytes(fence((folder / REPORT).read_bytes()))

    return fenced
