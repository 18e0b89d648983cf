"""A world as a subject gets it: what breaks in it is our failure, also where the subject hides it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from cutscore.core.environment import Environment, EvidenceRead, ReadResult
from cutscore.core.errors import CutscoreError, SubjectFailed, Unscored
from cutscore.core.files import FileStore
from cutscore.core.trajectory import Action


@dataclass
class GuardedEnvironment:
    """Passes everything on to a world, and remembers when an action broke it.

    Whatever else the world offers (`page`, `address`) is reached through it, too.
    """

    world: Environment
    fault: CutscoreError | None = None

    @property
    def outputs(self) -> Path | None:
        """The folder in which files are left."""
        return self.world.outputs

    async def act(self, action: Action) -> JsonValue:
        """Do one thing in the world. An error that is neither the subject's nor a limit is Unscored."""
        from inspect_ai.util import LimitExceededError

        try:
            return await self.world.act(action)
        except (SubjectFailed, LimitExceededError):
            raise
        except CutscoreError as error:
            self.fault = error
            raise
        except Exception as error:
            fact = f"broke at the action '{action.tool}': {type(error).__name__}: {error}"
            self.fault = Unscored("environment", fact, "run the same command again")
            raise self.fault from error

    async def read(self, read: EvidenceRead, store: FileStore) -> ReadResult:
        """Record one thing."""
        return await self.world.read(read, store)

    async def close(self) -> None:
        """End everything that belongs to the world."""
        await self.world.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.world, name)
