"""The way a subject went: steps to read, what they cost, and where it first went wrong."""

import pytest

from cutscore.core.deliverable import Deliverable
from cutscore.core.trajectory import Action, Step, Trajectory
from cutscore.core.usage import Usage
from cutscore.report.embed import Media
from cutscore.report.review import PageFilms
from cutscore.report.trajectory import MOST_CHARS, MOST_STEPS, trajectory_view

NASTY = "<script>alert(1)</script>\x1b[31m"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)


@pytest.fixture
def went(run, tmp_path):
    """Lay out steps; tokens cost a cent each unless told otherwise."""

    def went(*steps: Step, price=lambda usage: 0.01 * (usage.output or 0)):
        ref = run.store.put_bytes(Trajectory(steps=steps).to_jsonl(), name="trajectory.jsonl")
        films = PageFilms(Media(tmp_path / "site", clean=str))
        return trajectory_view(ref, run.store, "r1", films=films, whose="agent", price=price)

    return went


def test_steps_calls_time_tokens_and_money_are_told(went):
    made = went(
        Step(n=1, at_s=2.5, said="I look.", did=(Action(tool="bash", arguments={"command": "ls"}),)),
        Step(n=2, by="tool", at_s=3, saw="film.mp4"),
        Step(n=3, at_s=81, usage=Usage(input=10, output=5), did=(Action(tool="edit", arguments={"a": 1, "b": "x"}),)),
    )
    assert made.headline == "3 steps, 2 tool calls, 1:21, 15 tokens, $0.05"
    assert [stop.when for stop in made.steps] == ["2.5 s", "3.0 s", "1:21"]
    assert [arguments.text for stop in made.steps for _, arguments in stop.calls] == ["ls", "a: 1\nb: x"]
    assert (made.steps[2].cost, made.first_error) == ("10 input, 5 output tokens, $0.05", None)


def test_the_first_error_is_where_it_went_wrong(went):
    made = went(Step(n=1, said="a"), Step(n=2, by="tool", error="no such file"), Step(n=3, by="tool", error="again"))
    assert (made.first_error.id, made.first_error.step.error) == ("r1-s2", "no such file")
    assert made.headline.endswith("2 errors")


def test_what_is_unknown_is_neither_drawn_nor_counted(went):
    made = went(Step(n=1, usage=Usage()), Step(n=2), price=lambda usage: None)
    assert (made.headline, made.lines) == ("2 steps, 0 tool calls", ())


def test_sums_step_up_in_time_or_by_step(went):
    spent = [Step(n=number, usage=Usage(output=1)) for number in (1, 2, 3)]
    tokens, money = went(*spent).lines
    assert (tokens.name, tokens.total, money.name, money.total) == ("tokens", "3", "money", "$0.03")
    assert tokens.path == "M0,100H0.0V66.7H200.0V33.3H400.0V0.0H400"
    timed = [step.model_copy(update={"at_s": at_s}) for step, at_s in zip(spent, (0, 1, 4), strict=True)]
    assert went(*timed).lines[0].path == "M0,100H0.0V66.7H100.0V33.3H400.0V0.0H400"


def test_long_ways_and_long_words_are_cut_and_it_is_said(went):
    made = went(*(Step(n=number, saw="x" * (MOST_CHARS + 7)) for number in range(1, MOST_STEPS + 4)))
    assert (len(made.steps), made.left, made.steps[0].saw.left) == (MOST_STEPS, 3, 7)


@pytest.mark.parametrize("data", [b"not json\n", b'{"n": 0}\n', b'{"n": 1, "by": "nobody"}\n'])
def test_a_record_that_cannot_be_read_is_said_to_be_so(run, tmp_path, data):
    ref = run.store.put_bytes(data, name="trajectory.jsonl")
    made = trajectory_view(ref, run.store, "r1", films=PageFilms(Media(tmp_path, clean=str)), whose="agent")
    assert made.steps == ()
    assert made.fault


def test_the_page_shows_the_way_inert_and_complete(build, read, run):
    shot = run.store.put_bytes(PNG, name="screen.png", media_type="image/png")
    steps = (
        Step(n=1, said=NASTY, did=(Action(tool=NASTY, arguments={"x": NASTY}),), media=(shot,)),
        Step(n=2, by="tool", saw=NASTY, error=NASTY, parent=1),
    )
    ref = run.store.put_bytes(Trajectory(steps=steps).to_jsonl(), name="trajectory.jsonl")
    run.rows[0] = run.rows[0].model_copy(update={"deliverable": Deliverable(text="red", trajectory=ref)})
    page = read(build().parent / "colorbars" / "items" / "red-1.html")
    assert "How it went 2 steps, 1 tool call, 1 error" in page.text
    assert "It first went wrong at step 2 ." in page.text
    assert page.text.count("<script>alert(1)</script>") >= 5
    assert {"r2-s1", "r2-s2"} <= {attrs.get("id") for attrs in page.find("li")}
    assert any(attrs["src"].endswith(f"{shot.sha256}.png") for attrs in page.find("img"))
    assert not [attrs for attrs in page.find("script") if "alert" in str(attrs)]
