"""The world of a task: its sites in a real browser, logged in and reset.

`world_opening.py` tells how it is opened, `world.py` what is done in it.
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the sites of the pack `software` are below, and run without anything that is installed here
    from cutscore.core.ask import Ask
    from cutscore.core.environment import Environment
    from cutscore.core.subject import WorkContext

# Tasks at once: each has pages to draw, most of the time while others wait for a model.
slots = max(3, 2 * (os.cpu_count() or 1))


async def open_environment(ask: "Ask", context: "WorkContext") -> "Environment":
    """Open the sites of a task in a browser session of its own; see `world_opening.open_world`."""
    from cutscore.benchmarks.videowebarena.environment.world_opening import open_world

    return await open_world(ask, context)


async def open_for_agents(ask: "Ask", context: "WorkContext") -> "Environment":
    """Open the sites of a task in a browser of its own, in which other people's agents act."""
    from cutscore.benchmarks.videowebarena.environment.world_opening import open_world

    return await open_world(ask, context, for_agents=True)
