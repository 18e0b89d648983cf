"""Run cutscore's command line and die at a named event: `python killer.py EVENT N ARGS…`.

Dying is `kill -9` by ourselves, in the middle of the Nth call of the function behind the event: nothing is flushed,
no handler runs. The events are the places where a run changes what is on disk.
"""

import functools
import importlib
import os
import signal
import sys

# event → (module, name, whether to die before the call or after it)
EVENTS = {
    "cell-file-written": ("cutscore.bridge.run", "write_text_record", "after"),
    "subject-about-to-work": ("cutscore.bridge.task", "hand_over", "before"),
    "handover-about-to-be-left": ("cutscore.bridge.handover", "without_secrets", "before"),
    "handover-left": ("cutscore.bridge.handover", "without_secrets", "after"),
    "sample-marked": ("cutscore.bridge.score", "to_score", "after"),
    "file-about-to-appear-in-store": ("os", "replace", "before"),
    "log-about-to-be-flushed": ("inspect_ai.log._recorders.eval", "EvalRecorder.flush", "before"),
    "log-flushed": ("inspect_ai.log._recorders.eval", "EvalRecorder.flush", "after"),
    "call-booked": ("cutscore.ledger.spending", "Ledger.pay", "after"),
}


def plant(event: str, n: int) -> None:
    module, path, when = EVENTS[event]
    owner = importlib.import_module(module)
    *classes, name = path.split(".")
    for each in classes:
        owner = getattr(owner, each)
    real, count = getattr(owner, name), 0

    def tick() -> None:
        nonlocal count
        count += 1
        if count == n:
            os.kill(os.getpid(), signal.SIGKILL)

    if importlib.import_module("inspect").iscoroutinefunction(real):

        @functools.wraps(real)
        async def deadly(*args, **kwargs):
            if when == "before":
                tick()
            value = await real(*args, **kwargs)
            if when == "after":
                tick()
            return value
    else:

        @functools.wraps(real)
        def deadly(*args, **kwargs):
            if when == "before":
                tick()
            value = real(*args, **kwargs)
            if when == "after":
                tick()
            return value

    setattr(owner, name, deadly)


if __name__ == "__main__":
    plant(sys.argv[1], int(sys.argv[2]))
    from cutscore.cli import main

    sys.argv = ["cutscore", *sys.argv[3:]]
    sys.exit(main())
