"""The reader answers by what is told and shown, guesses like `blind` where neither helps, and never sees the truth."""

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import cutscore
from cutscore.authoring.loaded_benchmark import LoadedBenchmark
from cutscore.benchmarks.vidwork import keyless
from cutscore.benchmarks.vidwork.ask import ask
from cutscore.benchmarks.vidwork.dataset import ADAPTER, TRANSCRIPT, put_transcripts
from cutscore.core.ask import Ask
from cutscore.core.files import FileRef
from cutscore.core.subject import WorkContext
from cutscore.media.frames import encode_jpeg
from cutscore.media.render import write_clip
from cutscore.prompts import Prompt
from cutscore.stats.paired import paired_difference
from cutscore.store import Store

HOME = Path(cutscore.__file__).parent.parent

# Seven steps of four seconds, of which the third and the fourth are not told.
TOLD = {
    4: "Crack 3 eggs into the bowl. They hold the batter together.",
    8: "Whisk the batter with the fork.",
    20: "Pour the batter into the pan.",
    24: "Turn on the stove.",
    28: "Bake it until it is brown.",
}
SEEN = {"bottle": (214, 58, 56), "plate": (52, 104, 200)}
AXES: dict[str, dict[str, Any]] = {
    "s": {"axis": "step_recognition", "question": "List the steps.", "steps": ["a b", "c d", "e f"]},
    "o": {
        "axis": "temporal_ordering",
        "question": "Did A happen before or after B?",
        "first": "Turn on the stove",
        "second": "Whisk the batter with the fork",
        "gold": "after",
    },
    "c": {
        "axis": "causal_reasoning",
        "question": 'Why is this step done: "Crack 3 eggs into the bowl"?',
        "reference": "They hold the batter together.",
    },
    "x": {
        "axis": "cross_modal_grounding",
        "question": "What colour is the bottle?",
        "reference": "Red.",
        "key_terms": ["red"],
    },
    "e": {
        "axis": "error_detection",
        "question": "Is this description correct?",
        "description": "Turn on the stove, then whisk the batter with the fork.",
        "error_type": "step_swap",
    },
}
ANSWERS = {
    "s": "1. Crack 3 eggs into the bowl\n2. Whisk the batter with the fork\n3. Pour the batter into the pan\n"
    "4. Turn on the stove\n5. Bake it until it is brown",
    "o": "ANSWER: after",
    "c": "They hold the batter together.",
    "x": "red",
    "e": "ANSWER: incorrect",
}


def scene(bottle: tuple[int, int, int], plate: tuple[int, int, int]) -> np.ndarray:
    """A purple table before a wall, 320 × 180: from the left a high thing, a flat one and three white balls."""
    pixels = np.full((180, 320, 3), (205, 215, 225), np.uint8)
    pixels[150:] = (120, 60, 170)
    pixels[114:152, 52:68], pixels[141:152, 92:148] = bottle, plate
    for x in (200, 224, 248):
        cv2.circle(pixels, (x, 141), 9, (250, 250, 250), -1, cv2.LINE_AA)
    return pixels


class World:
    """One clip with its transcript on a shelf, and whatever is asked about it."""

    def __init__(self, folder: Path, prompts: Mapping[str, Prompt]) -> None:
        self.folder, self.prompts, self.store = folder, prompts, Store(folder / "store")
        self.clip = self.filmed("clip", SEEN)

    def filmed(self, name: str, colours: Mapping[str, tuple[int, int, int]]) -> FileRef:
        path = self.folder / f"{name}.mp4"
        write_clip(path, (scene(**colours) for _ in range(4)), rate=Fraction(1), crf=12)
        return self.store.put(path, name="clip.mp4", media_type="video/mp4")

    def ask(self, key: str, *, told: Mapping[int, str] = TOLD, **fields: Any) -> Ask:
        lines = [{"start_s": 0, "end_s": 1, "text": "How to bake."}]
        lines += [{"start_s": at_s, "end_s": at_s + 2, "text": text} for at_s, text in told.items()]
        said = {"made_by": "a test", "segments": [*lines, {"start_s": 32, "end_s": 33, "text": "It is ready."}]}
        common = {"id": key, "cluster": "c", "domain": "cooking", "clip": self.clip, "transcript": said}
        item = ADAPTER.validate_python({**common, **AXES[key], **fields})
        put_transcripts([item], self.store)
        return ask(item, self.prompts)

    def context(self, seed: int = 7) -> WorkContext:
        return WorkContext(self.store, lambda: self.folder, epoch=1, seed=seed, frames="fps=1,max=8")

    def answer(self, asked: Ask, seed: int = 7) -> str:
        return keyless.reader(asked, self.context(seed)).text

    def blind(self, asked: Ask, seed: int = 7) -> str:
        return keyless.blind(asked, seed, self.store).text

    def is_guess(self, asked: Ask) -> bool:
        return all(self.answer(asked, seed) == self.blind(asked, seed) for seed in range(12))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, vidwork: LoadedBenchmark) -> World:
    return World(tmp_path_factory.mktemp("world"), vidwork.prompts)


def only(asked: Ask, *families: str) -> Ask:
    kept = tuple(ref for ref in asked.files if ref.media_type.partition("/")[0] in families)
    return asked.model_copy(update={"files": kept})


@pytest.mark.parametrize("axis", ANSWERS)
def test_each_axis_is_answered_by_what_is_told_and_shown(world: World, axis: str) -> None:
    asked = world.ask(axis)
    assert world.answer(asked) == world.answer(asked, seed=8) == ANSWERS[axis]


def test_steps_before_and_after_a_quoted_one(world: World) -> None:
    after = 'List the steps that are done after this one, in their order: "Pour the batter into the pan"'
    assert world.answer(world.ask("s", question=after)) == "1. Turn on the stove\n2. Bake it until it is brown"
    before = 'List the steps that are done before this one: "Whisk the batter with the fork"'
    assert world.answer(world.ask("s", question=before)) == "1. Crack 3 eggs into the bowl"
    # Nobody tells of this one, so it is taken to lie where there is most room.
    untold = 'List the steps that are done before this one: "Peel the carrot"'
    assert world.answer(world.ask("s", question=untold)).count("\n") == 1


def test_an_untold_step_is_placed_where_there_is_room(world: World) -> None:
    carrot = {"second": "Peel the carrot"}
    assert world.answer(world.ask("o", first="Bake it until it is brown", **carrot)) == "ANSWER: after"
    assert world.answer(world.ask("o", first="Crack 3 eggs into the bowl", **carrot)) == "ANSWER: before"
    assert world.is_guess(world.ask("o", first="Grate the cheese", **carrot))


def test_what_a_skipped_step_blocks(world: World) -> None:
    question = 'If this step were skipped, which later one could not be done: "Whisk the batter with the fork"?'
    assert world.answer(world.ask("c", question=question)) == "Pour the batter into the pan."
    assert world.is_guess(world.ask("c", question='Why is this step done: "Turn on the stove"?'))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What colour is the plate?", "blue"),
        ("What color is the counter at the end?", "purple"),
        ("How many eggs are to be seen at the beginning?", "3"),
        ("On which side of the plate is the bottle at the beginning, as you see it?", "left"),
        ("On which side of the bottle is the plate, as you see it?", "right"),
    ],
)
def test_what_is_shown(world: World, question: str, answer: str) -> None:
    assert world.answer(world.ask("x", question=question, reference="x y", key_terms=[])) == answer


def test_what_it_cannot_tell_is_guessed(world: World) -> None:
    asked = world.ask("x", question="What is written on the bottle?", reference="Oil.", key_terms=[])
    assert world.is_guess(asked)
    alike = "On which side of the spoon is the plate?"
    asked = world.ask("x", question=alike, reference="Left.", key_terms=[])
    assert {world.answer(asked, seed) for seed in range(12)} == {"left", "right"}
    assert world.is_guess(world.ask("e", description="Peel the carrot, then grate the cheese."))


def test_a_description_that_agrees_is_accepted(world: World) -> None:
    right = "Whisk the batter with the fork, then turn on the stove."
    assert world.answer(world.ask("e", description=right)) == "ANSWER: correct"


def test_when_the_meaning_is_turned_the_answers_turn(world: World) -> None:
    """Two steps change places in what is told, two things their colours in what is shown."""
    turned = {**TOLD, 8: TOLD[24], 24: TOLD[8]}
    assert world.answer(world.ask("o", told=turned)) == "ANSWER: before"
    assert world.answer(world.ask("e", told=turned)) == "ANSWER: correct"
    assert world.answer(world.ask("s", told=turned)).splitlines()[1] == "2. Turn on the stove"
    other = world.filmed("turned", {"bottle": SEEN["plate"], "plate": SEEN["bottle"]})
    assert world.answer(world.ask("x", clip=other)) == "blue"


def test_without_a_transcript_only_what_is_shown_is_known(world: World) -> None:
    for axis, answer in ANSWERS.items():
        asked = only(world.ask(axis), "video")
        assert (world.answer(asked) == answer) if axis == "x" else world.is_guess(asked)


def test_without_pictures_only_what_is_told_is_known(world: World) -> None:
    for axis, answer in ANSWERS.items():
        asked = world.ask(axis)
        heard = keyless.transcript(asked, world.context()).text
        assert heard == world.answer(only(asked, "text"))
        assert heard == (world.blind(asked) if axis == "x" else answer)


def test_without_any_file_it_is_blind(world: World) -> None:
    assert all(world.is_guess(only(world.ask(axis))) for axis in ANSWERS)


def test_it_looks_only_where_the_answer_is_to_be_seen_and_says_at_what(world: World) -> None:
    for axis in ANSWERS:
        context = world.context()
        keyless.reader(world.ask(axis), context)
        assert [(each.clip, each.plan, len(each.frames)) for each in context.tally.seen] == (
            [(world.clip, "fps=1,max=8", 4)] if axis == "x" else []
        )


def test_it_says_what_it_heard_and_saw_and_what_it_answered(world: World) -> None:
    context, asked = world.context(), world.ask("o")
    answer = keyless.reader(asked, context)
    heard, answered = context.steps.trajectory() or ()
    assert (heard.did[0].tool, heard.saw.count("\n")) == ("listen", len(TOLD))
    assert answered.did[0].arguments == {"text": answer.text}
    assert answered.saw.count("told at 00:") == 2


def test_it_shows_what_it_looked_at_and_admits_a_guess(world: World) -> None:
    context = world.context()
    keyless.reader(only(world.ask("x"), "video"), context)
    looked, _ = context.steps.trajectory() or ()
    assert (looked.did[0].tool, [ref.name for ref in looked.media]) == ("look", ["looks.jpg"])
    assert looked.saw.startswith("00:00.000 ")
    context = world.context()
    keyless.reader(world.ask("o", told={}), context)
    *_, answered = context.steps.trajectory() or ()
    assert answered.said == "Nothing that was heard or seen decides it, so this is a guess."


def test_keyframes_are_looked_at_instead_of_a_clip(world: World) -> None:
    picture = encode_jpeg(scene(**SEEN), quality=95)
    refs = [world.store.put_bytes(picture, name=f"{n:04d}.jpg", media_type="image/jpeg") for n in range(3)]
    refs.append(world.store.put_bytes(b"no picture", name="0003.jpg", media_type="image/jpeg"))
    context = world.context()
    assert keyless.reader(world.ask("x", clip=None, keyframes=refs), context).text == "red"
    assert [seen.clip.name for seen in context.tally.seen] == ["0000.jpg", "0001.jpg", "0002.jpg"]
    assert context.tally.warnings == ["'0003.jpg' was not seen: is no JPEG"]


@pytest.mark.parametrize(
    ("hostile", "warned"),
    [
        (b"\xff\xfe\x00", "is not UTF-8"),
        (b"WEBVTT\n\n00:05.000 --> 00:01.000\nStir it.\n", "ends before it starts"),
        (b"WEBVTT\n\nStir it without times.\n", "begins a cue without times"),
        (b"WEBVTT\n\n00:00.000 --> 00:01.000\n\x1b]0;owned\x07\n", "control character"),
        (b"{" * 3000, "transcript"),
        (b"", "neither a transcript nor subtitles"),
        (b"WEBVTT\n", ""),
        (b"WEBVTT\n\n" + b"00:00.000 --> 00:00.000\n<b>(((((\n\n" * 2000, ""),
        (b"WEBVTT\n\n00:00.000 --> 00:01.000\n" + b"a " * 4000 + b"\n", ""),
    ],
)
def test_a_transcript_that_cannot_be_read_is_none(world: World, hostile: bytes, warned: str) -> None:
    said = world.store.put_bytes(hostile, name=TRANSCRIPT, media_type="text/vtt")
    for axis in "soce":
        asked, context = world.ask(axis).model_copy(update={"files": (world.clip, said)}), world.context()
        assert keyless.reader(asked, context).text == world.blind(asked)
        assert (warned in "".join(context.tally.warnings)) if warned else context.tally.warnings == []


def imports(module: str, seen: set[str]) -> set[str]:
    """Name all modules of ours that are loaded with one, itself among them."""
    file = HOME / f"{module.replace('.', '/')}.py"
    if module in seen or not file.exists():
        return seen
    seen.add(module)
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cutscore"):
            for name in (str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)):
                imports(name, seen)
    return seen


def test_it_can_see_no_truth() -> None:
    """Neither the stage nor a builder is there when it works, and nothing of the folder that knows the truth."""
    home = "cutscore.benchmarks.vidwork"
    loaded = imports(f"{home}.keyless", set())
    assert "cutscore.perception.segmentation" in loaded
    own = {name for name in loaded if not name.startswith(f"{home}.reader")}
    truth = ("cutscore.stage", "cutscore.authoring", "cutscore.bridge", "cutscore.benchmarks.")
    known = {name for name in own if name.startswith(truth)}
    assert known == {f"{home}.keyless", f"{home}.usual_steps", f"{home}.words"}


@pytest.mark.real
def test_on_the_starter_pack_it_lies_between_blind_and_the_oracle(bench: Callable[[str], LoadedBenchmark]) -> None:
    pack = bench("vidwork")
    scores: dict[str, dict[str, float]] = {"reader": {}, "transcript": {}, "blind": {}}
    axis_of: dict[str, str] = {}
    for number, item in enumerate(pack.items):
        asked = pack.found.part("ask").ask(item, pack.prompts)
        context = WorkContext(pack.store, Path, epoch=1, seed=number, frames=pack.found.card.frames)
        given = {
            "reader": keyless.reader(asked, context),
            "transcript": keyless.transcript(asked, context),
            "blind": keyless.blind(asked, number, pack.store),
        }
        for who, deliverable in given.items():
            ending = pack.mark(deliverable, item)
            scores[who][item.id] = ending.scores["score"]
            axis_of[item.id] = next(name for name in ending.scores if name not in ("score", "key_terms_robust"))
    cluster_of = {item.id: item.cluster for item in pack.items}
    for other in ("blind", "transcript"):
        mine, theirs = scores["reader"], scores[other]
        gap = paired_difference(mine, theirs, cluster_of, name="score", first_label="reader", second_label=other)
        low, value = gap.estimate.low, gap.estimate.value
        assert low is not None
        assert value is not None
        assert (low > 0.1) if other == "blind" else (value > 0)
    means = {
        who: {
            axis: float(np.mean([value for key, value in own.items() if axis_of[key] == axis]))
            for axis in set(axis_of.values())
        }
        for who, own in scores.items()
    }
    assert all(means["reader"][axis] > means["blind"][axis] for axis in means["blind"]), means
    assert np.mean(list(means["reader"].values())) < 0.95
