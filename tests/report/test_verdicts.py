"""A verdict of each subject: one sentence, one score, repeats with their spread."""

from cutscore.core.deliverable import Deliverable
from cutscore.core.ending import Ending
from cutscore.core.finding import Finding


def test_repeats_are_one_verdict_with_dots_and_pass_rates(build, read, run):
    ask = run.rows[0].ask
    for epoch, value in enumerate((1, 0, 1), start=1):
        found = Finding(name="accuracy", value=value, because=f"was {value}", file="bars.mp4", at=(2, 4))
        ending = Ending(status="marked", scores={"accuracy": value}, findings=(found,))
        run.add("editor", ask, ending, epoch=epoch, deliverable=Deliverable(text="red"))
    page = read(build().parent / "colorbars" / "items" / "red-1.html")
    assert "2 of 3 repeats passed; pass@2 1.000, pass^2 0.333; pass@3 1.000, pass^3 0.000" in page.text
    assert [dot["cx"] for dot in page.find("circle")] == ["100.00%", "0.00%", "100.00%"]
    # The sentence is that of the worst repeat, and every repeat has its answer.
    assert "0.667 editor" in page.text
    assert "red was 0" in page.text
    assert "epoch 3" in page.text


def test_a_sample_without_a_mark_says_why(build, read, run):
    stopped = Ending(status="stopped", because="VMAF needs an extra")
    run.add("late", run.rows[0].ask, stopped)
    text = read(build().parent / "colorbars" / "items" / "red-1.html").text
    assert "stopped late VMAF needs an extra" in text
