"""Children with limits, killed as a group: one stack for programs, decoders and workers.

    our thread ── line ── guard ── the program ── whatever it starts

`guard.py` is a tiny process of its own that starts the program with its limits, adopts every orphan below it, and ends
them all when the program ends, when we say so, or when we are no more. `child.py` is our side of it. Three use it:

    program.py                 a program to its end, with its output collected and a clock
    media/decoder_pool.py      decoders that serve one file after the other
    engines/processes.py       workers that do one job after the other
"""

from cutscore.process.child import Child, bare_env
from cutscore.process.program import ProgramLimits, ProgramResult, run

__all__ = ["Child", "ProgramLimits", "ProgramResult", "bare_env", "run"]
