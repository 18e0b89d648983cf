"""How well this machine can shut a box: a ladder, whose rung stands in every row.

full        namespaces, and the kernel holds memory, processors and processes (control groups)
namespaces  namespaces; what all processes use together is added up ten times a second, processors are not held
none        a plain process in a folder: no isolation, only where it is asked for by name
"""

import shutil
from functools import cache
from typing import Literal

from cutscore.core.errors import Stopped
from cutscore.environments.sandbox.bubblewrap import PROGRAM
from cutscore.process import GroupLimits, ProgramLimits, run

Isolation = Literal["full", "namespaces", "none"]
TRY_S = 20.0
UNSHUT = "take '--set isolation=none' where nothing has to be kept apart"


@cache
def find_isolation() -> Isolation:
    """Return the highest rung that this machine can reach; Stopped where it can shut no box at all."""
    if shutil.which(PROGRAM) is None:
        fact = "is not installed, and agents work in boxes of it"
        raise Stopped("bubblewrap", fact, f"install the system package bubblewrap, or {UNSHUT}")
    shut = ("--unshare-all", "--unshare-user", "--uid", "1000", "--ro-bind", "/", "/")
    tried = run([PROGRAM, *shut, "true"], limits=ProgramLimits(wall_s=TRY_S, group=GroupLimits(processes=64)))
    if not tried.ok:
        said = " ".join(tried.err.decode(errors="replace").split())[:200]
        fact = f"lets nobody make namespaces: {said or tried}"
        raise Stopped("this machine", fact, f"let this user make them, or {UNSHUT}")
    return "full" if tried.limited_by == "cgroup" else "namespaces"
