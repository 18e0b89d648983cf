"""Behaviour: the paper's case studies (Appendix B) and what §3 says of harnesses, as small trajectories."""

from types import SimpleNamespace

import pytest

from cutscore.core.ending import Ending
from cutscore.core.files import FileRef
from cutscore.core.row import Row
from cutscore.core.trajectory import Action, Step, Trajectory
from cutscore.core.usage import Usage
from cutscore.results.behaviour.commands import call_kinds, split_commands
from cutscore.results.behaviour.measures import Behaviour, behaviour_of, measure_behaviour
from cutscore.results.behaviour.seen import seen_of
from cutscore.results.behaviour.vocabulary import archetype
from cutscore.results.cells import CellName
from cutscore.results.tables.agent_tables import agent_tables

PICTURE = FileRef(name="seen.jpeg", sha256="ab" * 32, size_bytes=3, media_type="image/jpeg")


def shell(text: str, tool: str = "Bash", **more: object) -> Step:
    return Step(n=1, did=(Action(tool=tool, arguments={"command": text}),), **more)


def call(tool: str, **arguments: str) -> Step:
    return Step(n=1, did=(Action(tool=tool, arguments=arguments),))


def look(tool: str, path: str) -> tuple[Step, Step]:
    return call(tool, file_path=path), Step(n=1, by="tool", media=(PICTURE,))


def test_the_recap_that_never_saw_its_film() -> None:
    """B.3: 21 calls of one tool, no frame read, 87% of 760K tokens from a cache, a probe at the end."""
    commands = [
        "which espeak || festival || pyttsx3",
        "pip install gtts",
        "ffprobe film.mp4",
        "ffmpeg -i film.mp4 -vf fps=1/60 strip/%03d.jpg",
        "cat > generate_tts_parts.py",
        *["ls -l strip"] * 4,
        "ffmpeg -f lavfi -i color -vf drawtext=text='KNEAD':fontsize=120 title.mp4",
        "ffmpeg -ss 00:01:00 -t 14 -i film.mp4 -c copy clip1.mp4\nffmpeg -ss 00:03:00 -t 14 -i film.mp4 clip2.mp4",
        "ffmpeg -f lavfi -i aevalsrc='sin(2*PI*110*t)' music.mp3",
        "ffmpeg -f concat -i list.txt video_concat.mp4",
        "ls",
        'ffmpeg -i video_concat.mp4 -i part1.mp3 -filter_complex "[1][2]concat=n=2[n];[n][6]amix[mix]" -t 60 final.mp4',
        "ls",
        "ffmpeg -i final.mp4 -vf fps=24 final_24.mp4",
        "mv final_24.mp4 final.mp4",
        "ls",
        "cat > /workspace/output/report.md",
        "ffprobe final.mp4",
    ]
    turns = [Usage(input=4_940, cached=33_060, output=10)] * 20
    found = measure_behaviour([shell(text, "run_shell_command") for text in commands], answers=turns)
    assert (found.calls, found.tools) == (21, {"run_shell_command": 21})
    assert archetype(found.calls, 1.0) == "direct executor"
    assert (found.planning_calls, found.pictures, found.pictures_before_plan) == (0, 0, None)
    assert found.rechecks == 1
    assert (found.all_input, found.cache_hit_rate) == (760_000, pytest.approx(0.87))


def test_the_broadcast_that_was_read_before_it_was_repaired() -> None:
    """B.2: frames are looked at, the order is put right with one filter, and the result is probed."""
    cut = "[0:v]trim=0:156.46[v0];\n [0:v]trim=176.18:193.78[vB];\n concat=n=4"
    steps = [
        shell("ls /workspace/materials"),
        shell("ffmpeg -i broken.mp4 -vf fps=1,tile=15x16 contact.jpg"),
        *look("Read", "contact.jpg"),
        *look("Read", "waveform.png"),
        call("TodoWrite", todos="find the inversion"),
        *look("Read", "leaderboard_156.png"),
        shell(f'ffmpeg -i broken.mp4 \\\n -filter_complex "{cut}" fixed.mp4'),
        shell("ffprobe fixed.mp4"),
        call("Write", file_path="/workspace/output/report.md", content="ffmpeg -i a.mp4 b.mp4"),
    ]
    found = measure_behaviour(steps)
    assert (found.planning_calls, found.pictures, found.pictures_before_plan, found.rechecks) == (1, 3, 2, 1)
    assert archetype(86, 0.7) == "extreme detailist"


def test_grids_are_read_and_scripts_are_written() -> None:
    """B.1: bash, write and read in turn; nothing in it says that a film was rendered."""
    steps = [
        shell("for f in *.mp4; do ffprobe $f; done", "bash"),
        call("write", filePath="extract_frames.py"),
        shell("python3 extract_frames.py", "bash"),
        call("read", filePath="/workspace/grid.jpg"),
    ]
    found = measure_behaviour(steps)
    assert (found.tools, found.rechecks) == ({"bash": 2, "write": 1, "read": 1}, None)
    late = [*steps, *(Step(n=1, at_s=at_s, did=steps[0].did) for at_s in (80.0, 95.0))]
    assert measure_behaviour(late, rendered_at_s=90.0).rechecks == 1


def test_reasoning_caches_media_tools_and_helpers() -> None:
    """§3.3: Codex reasons before 0.4 of its calls; OpenCode reads 15 to 27K a turn from its cache."""
    thinking = [Usage(input=9, output=1, reasoning=tokens) for tokens in (5, 0, 7, 0, 0, 3, 0, 9, 0, 0)]
    codex = measure_behaviour([call("exec_command")] * 10, answers=thinking)
    assert (codex.reasoning_per_action, codex.cache_hit_rate) == (0.4, None)
    warm = measure_behaviour(
        [Step(n=1, usage=Usage(input=4, cached=cached, cache_write=0)) for cached in (15_000, 27_000)]
    )
    assert (warm.cache_reads_per_turn, warm.reasoning_per_action, warm.turns) == (21_000, None, 2)
    steps = [call("image"), call("tts"), call("exec"), Step(n=4, parent=3, did=(Action(tool="exec"),))]
    claw = measure_behaviour(steps, sub_model_requests=3)
    assert (claw.media_calls, claw.calls, claw.sub_agent_calls, claw.sub_model_requests) == (2, 3, 1, 3)


@pytest.mark.parametrize("steps", [(), (Step(n=1),), (Step(n=7, by="tool", error="killed"),), Trajectory()])
def test_an_empty_or_torn_record_is_measured(steps) -> None:
    found = measure_behaviour(steps)
    assert (found.calls, found.cache_hit_rate, found.rechecks, found.pictures_before_plan) == (0, None, None, None)


def test_tools_that_a_model_makes_up_do_not_fill_a_row() -> None:
    found = measure_behaviour(call(f"tool{number}" * 50) for number in range(500))
    assert (len(found.tools), found.calls, found.tools["(others)"]) == (41, 500, 460)


def test_commands_are_told_apart_where_quotes_hold_and_where_they_do_not() -> None:
    assert split_commands("a 'b;c' | d\n\ne &") == [["a", "b;c"], ["d"], ["e"]]
    assert split_commands('echo "half; ffprobe x.mp4') == [["echo", '"half'], ["ffprobe", "x.mp4"]]
    assert split_commands("") == []
    assert call_kinds(Action(tool="shell", arguments={"command": ["bash", "-lc", "ffprobe a.mp4"]})) == ["check"]
    assert call_kinds(Action(tool="shell", arguments={"command": 7})) == []
    assert call_kinds(shell("ffmpeg -i final.mp4 -vf fps=1 f_%03d.jpg").did[0]) == ["check"]


def row(cell: str, found: object) -> Row:
    ending = Ending(status="unscored", because="broken")
    names = {"benchmark": "repair", "version": "1", "subject": cell, "cluster": "a", "item": "a", "epoch": 1}
    return Row(**names, cell=cell, ending=ending, environment={} if found is None else {"behaviour": found})


def test_tables_have_a_line_for_each_stack_and_blanks_for_what_nobody_tells() -> None:
    few = Behaviour(tools={"shell": 9, "view_image": 8, "update_plan": 3}, reasoning_turns=8, planning_calls=3)
    one = Behaviour(tools={"run_shell_command": 21}, turns=20)
    rows = {"codex_cli": [row("codex_cli", few.model_dump())] * 2, "gemini_cli": [row("gemini_cli", one.model_dump())]}
    rows |= {"blind": [row("blind", None)], "old": [row("old", {"unknown": 1})]}
    cells = [SimpleNamespace(id=name, rows=each) for name, each in rows.items()]
    names = {name: CellName(name, name, "lab/m") for name in rows}
    behaviour, use = agent_tables(SimpleNamespace(cells=cells, names=names))
    assert behaviour.cells("subject") == ["codex_cli", "gemini_cli"]
    assert behaviour.cells("share") == [0.45, 1.0]
    assert behaviour.cells("archetype") == ["smart parallelizer", "direct executor"]
    assert behaviour.title == "1 smart parallelizer, 1 direct executor"
    assert behaviour.cells("rechecks") == [None, None]
    assert use.cells("reasoning to action") == [0.4, None]
    assert use.cells("cache hits") == [None, None]
    assert agent_tables(SimpleNamespace(cells=cells[2:], names=names)) == []
    assert behaviour_of(row("old", {"unknown": 1})) is None


def test_the_table_of_what_was_seen_counts_who_saw_nothing() -> None:
    looked = {"pictures": 2, "parts": 4, "known_parts": 3, "unknown": 0, "seconds": {"a.mp4": 2, "b.mp4": 0}}
    rows = [row("codex_cli", None), row("codex_cli", None)]
    rows = [
        each.model_copy(update={"environment": {"seen": seen}})
        for each, seen in zip(rows, (looked, {"seconds": {"a.mp4": 0, "b.mp4": 0}}), strict=True)
    ]
    cells = [SimpleNamespace(id="codex_cli", rows=[*rows, row("codex_cli", None)])]
    (seen,) = agent_tables(SimpleNamespace(cells=cells, names={"codex_cli": CellName("codex_cli", "codex_cli")}))
    assert seen.title == "1 of 2 samples never saw a frame of their materials"
    assert seen.rows == (("codex_cli", "", "", 2, 1, 1.0, 1.5, 0.75, 0.25, 1.0),)
    other = row("codex_cli", None).model_copy(update={"environment": {"seen": {"another": 1}}})
    assert seen_of(other) is None
