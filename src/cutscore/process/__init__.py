"""Children with limits, killed as a group: one stack for programs, decoders and workers.

    our thread ── line ── guard ── the program ── whatever it starts

`guard.py` is a tiny process of its own that starts the program with its limits, adopts every orphan below it, and ends
them all when the program ends, when we say so, when they use too much together, or when we are no more. `child.py` is
our side of it. Four use it:

    program.py                 a program to its end, with its output collected and a clock
    service.py                 a program that stays: output into bounded files, waited for until it is ready
    media/decoder_pool.py      decoders that serve one file after the other
    engines/processes.py       workers that do one job after the other

`scope.py` knows whose children they are, so that nothing of a sample outlives it.
"""

from cutscore.process.child import Child, ChildExit
from cutscore.process.program import ProgramLimits, ProgramResult, run
from cutscore.process.scope import child_scope
from cutscore.process.service import Service
from cutscore.process.start import DEVNULL, PIPE, GroupLimits, LogFile, Stream, bare_env
from cutscore.process.usage_meter import UsageMeter

__all__ = [
    "DEVNULL",
    "PIPE",
    "Child",
    "ChildExit",
    "GroupLimits",
    "LogFile",
    "ProgramLimits",
    "ProgramResult",
    "Service",
    "Stream",
    "UsageMeter",
    "bare_env",
    "child_scope",
    "run",
]
