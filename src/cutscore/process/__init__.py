"""A child with limits on time, memory and output, killed as a group.

    our thread ── line ── guard ── the program ── whatever it starts

`child.py` is our side: it starts the guard, feeds and reads the pipes, and watches the clock. `guard.py` is a tiny
process of its own that starts the program with its limits, adopts every orphan below it, and ends them all when the
program ends, when we say so, or when we are no more.
"""

from cutscore.process.child import Finished, Limits, bare_env, run

__all__ = ["Finished", "Limits", "bare_env", "run"]
