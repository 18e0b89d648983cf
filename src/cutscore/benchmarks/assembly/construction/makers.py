"""Who makes distractors for a storyboard: our framings, a program of the user's, or a folder of ready clips."""

import asyncio
from pathlib import Path

from cutscore.authoring.build_folder import BuildFolder
from cutscore.benchmarks.assembly.construction.candidates import CandidateBuilder, DistractorMaker, DistractorRequest
from cutscore.core.ask import Ask, RequestedFile
from cutscore.core.errors import BadInput, SubjectFailed
from cutscore.core.subject import WorkContext
from cutscore.prompts import load_prompt
from cutscore.subjects.function import open_function

FRAMING, PYTHON, DISTRACTOR = "framing", "python:", "distractor"


def open_maker(maker: str, out: BuildFolder, height: int, *, seed: int) -> CandidateBuilder:
    """Return the builder of candidates for a maker of distractors: `framing`, `python:pkg.mod:fn`, or a folder.

    Clips have the height in pixels. A program is given the seed.
    """
    if maker == FRAMING:
        return CandidateBuilder(out, height)
    if maker.startswith(PYTHON):
        return CandidateBuilder(out, height, maker=_program_maker(out, maker.removeprefix(PYTHON), seed))
    if not Path(maker).is_dir():
        raise BadInput(f"--set maker={maker}", "is no folder", f"write {FRAMING}, python:pkg.mod:fn or a folder")
    return CandidateBuilder(out, height, folder=Path(maker))


def _program_maker(out: BuildFolder, spec: str, seed: int) -> DistractorMaker:
    """Return a maker that asks a subject: it gets the right clip, and the brief says what is to differ."""
    prompt = load_prompt(DISTRACTOR, folder=Path(__file__).parents[1] / "prompts")
    subject = open_function(spec)

    def make(request: DistractorRequest) -> Path:
        brief = prompt.fill(dimension=request.dimension, term=request.term, instead=request.instead)
        ask = Ask(
            item=DISTRACTOR,
            brief=brief,
            files=(request.right,),
            wanted=(RequestedFile(name=f"{DISTRACTOR}.mp4"),),
            prompts={DISTRACTOR: prompt.digest},
        )
        context = WorkContext(store=out.store, make_workspace=lambda: out.fresh(DISTRACTOR), epoch=1, seed=seed)
        try:
            made = asyncio.run(subject.work(ask, context)).files
        except SubjectFailed as failed:
            raise BadInput(failed.what, failed.fact) from failed
        if not made:
            raise BadInput(f"subject '{subject.name}'", "made no distractor")
        return out.store.path(made[0])

    return make
