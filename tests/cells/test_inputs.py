"""What of its input a subject is shown, and that nothing else is."""

import base64
import json
from pathlib import Path

import pytest

from cutscore.cells.cell import Cell
from cutscore.cells.inputs import ARMS, NothingToChange, ShownAsks, apply_arm, limit_pictures, make_asks
from cutscore.core.ask import Ask
from cutscore.core.errors import UnknownName
from cutscore.core.files import FileRef
from cutscore.core.subject import SubjectSpec, WorkContext
from cutscore.models.boundary import Boundary
from cutscore.models.boundary import resolve_media as at_provider
from cutscore.registry import benchmark
from cutscore.store import Store
from cutscore.subjects.answerer import user_message

CLIPS = ("one", "two", "three")
PLAN = "fps=1,max=8"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def asks(store: Store) -> dict[str, Ask]:
    """Two questions about each of three clips: four pictures, what is said, and a document in another format."""
    made = {}
    for clip in CLIPS:
        pictures = [
            store.put_bytes(f"{clip} picture {number}".encode(), name=f"{number}.jpg", media_type="image/jpeg")
            for number in range(4)
        ]
        said = store.put_bytes(f"{clip} is said".encode(), name="transcript.vtt", media_type="text/vtt")
        facts = store.put_bytes(f'{{"{clip}": "is written"}}'.encode(), name="f.json", media_type="application/json")
        for letter in "ab":
            item = f"{clip}-{letter}"
            made[item] = Ask(item=item, brief=f"what is {item}?", files=(*pictures, said, facts))
    return made


def shown(asks: dict[str, Ask], arm: str, frames: str = PLAN) -> ShownAsks:
    return apply_arm(asks, arm, frames=frames, cluster_of={item: item.split("-")[0] for item in asks})


def request(ask: Ask, store: Store, tmp_path: Path) -> str:
    """Give everything that a provider would be sent for an ask, pictures as text again."""
    context = WorkContext(store=store, make_workspace=lambda: tmp_path, epoch=1, seed=1, frames=PLAN)
    sent = at_provider(user_message(ask, context), Boundary(path=store.path, tally=context.tally, frames=PLAN))
    parts = [part.model_dump() for part in sent.content]
    for part in parts:
        if "image" in part:
            part["image"] = base64.b64decode(part["image"].partition(",")[2]).decode()
    return json.dumps(parts)


@pytest.mark.parametrize(
    ("arm", "pictures", "texts"),
    [("question", False, False), ("transcript", False, True), ("frames", True, False), ("shuffled", True, True)],
)
def test_what_is_left_out_does_not_reach_a_provider(
    arm: str, pictures: bool, texts: bool, asks: dict[str, Ask], store: Store, tmp_path: Path
) -> None:
    for item, ask in shown(asks, arm).asks.items():
        sent, clip = request(ask, store, tmp_path), item.split("-")[0]
        assert [f"{clip} picture {number}" in sent for number in range(4)] == [pictures] * 4
        assert (f"{clip} is said" in sent) == ("is written" in sent) == texts
        assert ("transcript.vtt" in sent, "0.jpg" in sent.replace("picture", "")) == (texts, False)
        assert f"what is {item}?" in sent
        assert (asks[item].brief, asks[item].choices) == (ask.brief, ask.choices)


def test_a_contradicting_text_is_that_of_another_clip_under_the_name_of_the_own(
    asks: dict[str, Ask], store: Store, tmp_path: Path
) -> None:
    arm = shown(asks, "contradicted")
    for item, ask in arm.asks.items():
        sent, clip = request(ask, store, tmp_path), item.split("-")[0]
        assert f"{clip} is said" not in sent
        assert f'\\"{clip}\\": \\"is written' not in sent
        assert [ref.name for ref in ask.files] == [ref.name for ref in asks[item].files]
        assert ask.files[:4] == asks[item].files[:4]
        assert f"{clip} picture 0" in sent
    assert arm == shown(dict(reversed(asks.items())), "contradicted"), "whatever the order of items"


def test_a_text_that_two_clips_share_contradicts_neither(asks: dict[str, Ask]) -> None:
    same = asks["one-a"].files
    twins = {"one-a": asks["one-a"], "two-a": asks["two-a"].model_copy(update={"files": same})}
    with pytest.raises(NothingToChange, match="input 'contradicted': no two clips have different texts; leave"):
        shown(twins, "contradicted")
    third = shown({**twins, "three-a": asks["three-a"]}, "contradicted").asks
    assert {ref.sha256 for ref in third["one-a"].files[4:]} <= {ref.sha256 for ref in asks["three-a"].files[4:]}


def test_shuffled_pictures_change_places_and_names_stay(asks: dict[str, Ask]) -> None:
    arm = shown(asks, "shuffled")
    for item, ask in arm.asks.items():
        assert [ref.name for ref in ask.files] == [ref.name for ref in asks[item].files]
        before, after = ([ref.sha256 for ref in each.files[:4]] for each in (asks[item], ask))
        assert before != after
        assert sorted(before) == sorted(after)
        assert ask.files[4:] == asks[item].files[4:]
    assert arm.frames == "shuffled:fps=1,max=8"
    assert arm == shown(asks, "shuffled")


def test_equal_pictures_that_change_places_are_no_other_order(asks: dict[str, Ask]) -> None:
    first, second, *_, said, _ = asks["one-a"].files
    names = [first.model_copy(update={"name": f"{number}.jpg"}) for number in range(5)]
    ask = asks["one-a"].model_copy(update={"files": (*names, second.model_copy(update={"name": "5.jpg"}), said)})
    after = shown({"one-a": ask}, "shuffled").asks["one-a"].files
    assert [ref.sha256 for ref in after] != [ref.sha256 for ref in ask.files]
    still = ask.model_copy(update={"files": (*names, said)})
    with pytest.raises(NothingToChange, match="no item has more than one frame"):
        shown({"one-a": still}, "shuffled")


def test_a_clip_is_shuffled_by_its_plan_unless_that_has_one_frame() -> None:
    clip = FileRef(name="c.mp4", sha256="a" * 64, size_bytes=1, media_type="video/mp4")
    asks = {"c": Ask(item="c", brief="?", files=(clip,))}
    made = apply_arm(asks, "shuffled", frames="uniform=4", cluster_of={"c": "c"})
    assert (made.asks, made.frames, made.unchanged) == (asks, "shuffled:uniform=4", frozenset())
    for frames in ("uniform=1", "fps=1,max=1", ""):
        with pytest.raises(NothingToChange, match="no item has more than one frame"):
            apply_arm(asks, "shuffled", frames=frames, cluster_of={"c": "c"})


def test_an_item_that_has_nothing_to_leave_out_is_named(asks: dict[str, Ask]) -> None:
    mute = asks["one-a"].model_copy(update={"files": asks["one-a"].files[:4]})
    mixed = {**asks, "one-a": mute}
    assert shown(mixed, "frames").unchanged == shown(mixed, "contradicted").unchanged == {"one-a"}
    assert shown(mixed, "transcript").asks["one-a"].files == (), "a transcript alone is then nothing"
    assert not shown(mixed, "transcript").unchanged


@pytest.mark.parametrize(
    ("arm", "fact"),
    [
        ("transcript", "no item has a text beside its pictures"),
        ("frames", "no item has a text beside its pictures"),
        ("contradicted", "no two clips have different texts"),
    ],
)
def test_an_arm_that_changes_no_item_is_refused(arm: str, fact: str, asks: dict[str, Ask]) -> None:
    mute = {item: ask.model_copy(update={"files": ask.files[:4]}) for item, ask in asks.items()}
    with pytest.raises(NothingToChange, match=f"input '{arm}': {fact}"):
        shown(mute, arm)


def test_unknown_arms_are_refused() -> None:
    with pytest.raises(UnknownName, match=r"no input 'transcripts'; did you mean 'transcript'\?"):
        make_asks(benchmark("colorbars"), [], {}, frames=PLAN, input="transcripts")


def test_every_arm_is_another_cell_and_everything_is_the_cell_of_before() -> None:
    plain = Cell(benchmark="b", version="1", data="d", subject=SubjectSpec.parse("reader"))
    ids = [plain.model_copy(update={"input": arm}).id for arm in ("", *ARMS)]
    assert len(set(ids)) == len(ARMS) + 1
    assert ids[0] == plain.id == "reader-4e751773dd42"


@pytest.mark.parametrize(
    ("frames", "left"), [("fps=1,max=2", "13"), ("fps=1,max=1", "2"), ("fps=1,max=2,head", "01"), ("", "0123")]
)
def test_pictures_that_are_frames_are_thinned_out_as_a_plan_says(frames: str, left: str, asks: dict[str, Ask]) -> None:
    files = asks["one-a"].files
    assert limit_pictures(asks["one-a"], frames).files == (*(files[int(number)] for number in left), *files[4:])
    no_pictures = asks["one-a"].model_copy(update={"files": files[4:]})
    assert limit_pictures(no_pictures, frames) == no_pictures
