"""A delivered list of clips as a storyboard, and the map between its film and the clips."""

from cutscore.core.ask import Ask
from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.finding import Finding
from cutscore.report.embed import Media
from cutscore.report.item import ItemPage, item_page
from cutscore.report.storyboard import slot_clips


def board(run, clips, tmp_path, solution: bytes, *, folder: str = "") -> ItemPage:
    """An item with three clips of four seconds, of which two are put together: `green.mp4` stands for the film."""
    given = tuple(run.store.put(path, name=f"{folder}{name}.mp4") for name, path in clips.items())
    listed = run.store.put_bytes(solution, name="solution.json")
    found = Finding(name="first", value=1, because="green is right")
    ending = Ending(status="marked", scores={"accuracy": 1}, findings=(found,))
    run.rows = []
    run.add("editor", Ask(item="cut-1", brief="Cut.", files=given), ending, deliverable=Deliverable(files=(listed,)))
    site = run.site(estimates={}, differences=[])
    (tmp_path / "pages").mkdir()
    return item_page(site, site.items[0], media=Media(tmp_path / "pages", clean=str))


def test_slots_have_clips_pictures_and_marks(run, clips, tmp_path):
    page = board(run, clips, tmp_path, b'{"first": "green.mp4", "second": "red.mp4"}')
    first, second = page.answers[0].board.slots
    assert (first.name, first.clip.shown.name, first.tone, first.because) == (
        "first",
        "green.mp4",
        "q4",
        "green is right",
    )
    assert first.strip.endswith(".strip.jpg")
    assert (second.clip.shown.name, second.tone, second.seek) == ("red.mp4", "", None)


def test_clips_may_be_named_without_their_folder(run, clips, tmp_path):
    page = board(run, clips, tmp_path, b'["green.mp4", "cut-1/red.mp4"]', folder="cut-1/")
    assert [each.clip.shown.name for each in page.answers[0].board.slots] == ["cut-1/green.mp4", "cut-1/red.mp4"]


def test_other_files_are_no_storyboards(run, clips, tmp_path):
    known = {"a.mp4": object(), "b.mp4": object()}
    for text in ("", "no", "[", "[1, 2]", '["a.mp4"]', '["a.mp4", "c.mp4"]', '{"x": ["a.mp4"]}'):
        assert slot_clips(text, known) == []
    assert [name for name, _ in slot_clips('["b.mp4", "a.mp4"]', known)] == ["1", "2"]
