"""What makes the input of a cell unlike the usual one, in words: `1 frame`, `transcript only`."""

import re

# By the names that rows have for what of its input a subject was shown; variants of a benchmark's own have others.
INPUTS = {
    "question": "question only",
    "transcript": "transcript only",
    "frames": "frames only",
    "contradicted": "contradicting transcript",
    "shuffled": "shuffled frames",
}
_CAP = re.compile(r"((?:max|uniform|frames)=)(\d+)")


def describe_arm(frames: str, input: str, usual: str, *, subject: str = "") -> str:
    """Return in what an input differs from the usual one, in words; nothing where it does not.

    That frames were shuffled is said by the input, not by the plan; a subject called after its input says it once.

    >>> describe_arm("fps=1,max=1", "", "fps=1,max=8"), describe_arm("uniform=4", "", "fps=1,max=8")
    ('1 frame', 'uniform=4')
    >>> describe_arm("shuffled:fps=1,max=8", "shuffled", "fps=1,max=8")
    'shuffled frames'
    >>> describe_arm("", "no_lens", "")
    'no lens'
    """
    plan = frames.removeprefix("shuffled:")
    frame_words = _describe_frames(plan, usual) if plan not in ("", usual) else ""
    shown = "" if input == subject else INPUTS.get(input, input.replace("_", " "))
    return ", ".join(filter(None, (shown, frame_words)))


def _describe_frames(plan: str, usual: str) -> str:
    """Return `1 frame` where the cap alone differs, else the whole plan."""
    cap = _CAP.search(plan)
    if cap is None or _CAP.sub(r"\1…", plan) != _CAP.sub(r"\1…", usual):
        return plan
    return f"{cap[2]} frame" + ("" if cap[2] == "1" else "s")
