"""Steps survive the way to the store and back."""

from hypothesis import given
from hypothesis import strategies as st

from cutscore.core.files import FileRef
from cutscore.core.trajectory import Action, Step, Trajectory
from cutscore.core.usage import Usage

words = st.text(max_size=30)  # also line separators of every kind
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | words, lambda x: st.lists(x, max_size=2), max_leaves=3
)
actions = st.builds(Action, tool=words, arguments=st.dictionaries(words, plain, max_size=2))
steps = st.builds(
    Step,
    n=st.integers(1, 500),
    by=st.sampled_from(["model", "tool", "environment", "person"]),
    at_s=st.none() | st.floats(0, 1e6),
    said=words,
    did=st.lists(actions, max_size=2).map(tuple),
    saw=words,
    media=st.just(()) | st.just((FileRef(name="a.png", sha256="0" * 64, size_bytes=3),)),
    usage=st.none() | st.builds(Usage, input=st.none() | st.integers(0, 9)),
    error=words,
    parent=st.none() | st.integers(1, 9),
)


@given(st.lists(steps, max_size=5))
def test_steps_read_back_equal(made: list[Step]) -> None:
    trajectory = Trajectory(steps=tuple(made))
    lines = trajectory.to_jsonl()
    assert lines.count(b"\n") == len(made)
    assert Trajectory.from_jsonl(lines.splitlines()) == trajectory
    assert list(trajectory) == made


def test_an_unknown_count_stays_unknown() -> None:
    (back,) = Trajectory.from_jsonl(Trajectory(steps=(Step(n=1, usage=Usage(input=0)),)).to_jsonl().splitlines())
    assert back.usage == Usage(input=0)
    assert back.usage is not None
    assert back.usage.output is None


def test_a_step_is_short_when_it_has_little_to_say() -> None:
    assert Trajectory(steps=(Step(n=1, said="hello"),)).to_jsonl() == b'{"n":1,"said":"hello"}\n'


def test_empty_lines_are_no_steps() -> None:
    assert Trajectory.from_jsonl(["", '{"n":1}', b"  "]).steps == (Step(n=1),)
