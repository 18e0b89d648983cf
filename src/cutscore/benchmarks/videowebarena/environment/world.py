"""A task's sites in a browser session of its own: acted in, looked at, read, closed.

    act    a `click`, `type` … of `environments/browser/grammar.py`, or `text` with what a model said; a script may name
           an element by its words: {"element": "[BUTTON] [Buy]"}
    read   what `evidence.py` plans

Conditions: `grammar`, `observation`, `step_limit` and `viewport`. Every step is recorded with its marked picture. The
steps of a run are bounded here, for every subject alike; a run that has ended takes no further action.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from cutscore.benchmarks.videowebarena.environment.helpers import LiveHelpers
from cutscore.benchmarks.videowebarena.environment.site_turns import SiteTurns
from cutscore.benchmarks.videowebarena.sites import PUBLIC_NAMES, SiteAddresses
from cutscore.core.environment import EvidenceRead, ReadResult
from cutscore.core.errors import SubjectFailed
from cutscore.core.files import FileStore
from cutscore.core.subject import WorkContext
from cutscore.core.trajectory import Action
from cutscore.environments.browser.act import perform
from cutscore.environments.browser.agent_access import take_back
from cutscore.environments.browser.grammar import (
    MAX_STEPS,
    NO_OP,
    UnreadableAction,
    extract_action,
    find_early_stop,
    parse_action,
)
from cutscore.environments.browser.marks import ObservationRules, observe_at_rest
from cutscore.environments.browser.reads import SessionReader
from cutscore.environments.browser.session import BrowserSession, PageFault
from cutscore.environments.browser.shared_browser import in_browser_thread

if TYPE_CHECKING:
    from cutscore.benchmarks.videowebarena.websites.serving import ServedSites


@dataclass
class WebWorld:
    """The open world of one task."""

    session: BrowserSession
    sites: SiteAddresses
    context: WorkContext
    folder: Path
    outputs: Path | None
    turns: SiteTurns = field(default_factory=lambda: SiteTurns([]))
    served: "ServedSites | None" = None
    facts: dict[str, JsonValue] = field(default_factory=dict)
    actions: list[Action] = field(default_factory=list)
    seen: JsonValue = None
    ended: str = ""

    async def act(self, action: Action) -> JsonValue:
        """Do one action, wait, look, record; return what is seen, with the picture by reference.

        `error` says what went wrong on the page, which ends nothing; `ended` why no further action is taken.
        """
        if self.ended:
            raise SubjectFailed("run", self.ended, "hand over an answer", failure_class="limit")
        said, error = "", ""
        if action.tool == "text":
            said = str(action.arguments.get("text", ""))
            action, error = self._parse(said)
        self.actions.append(action)
        return await in_browser_thread(self._step(action, said=said, error=error))

    async def read(self, read: EvidenceRead, store: FileStore) -> ReadResult:
        """Record one thing of an evidence plan; addresses in it become the names of their sites."""
        return await in_browser_thread(self._read(read, store))

    async def close(self) -> None:
        """End the session and remove its files."""
        try:
            await in_browser_thread(self.session.close())
        finally:
            self.turns.give_back()
            if self.served:
                self.served.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def cdp_address(self) -> str:
        """Where other people's agents reach this browser."""
        return self.session.shared.chromium.endpoint

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses of all tabs."""
        return tuple(page.url for page in self.session.pages)

    async def take_back(self) -> None:
        """End the turn of other people's agents, before evidence is taken."""
        await in_browser_thread(take_back(self.session))

    async def look(self) -> JsonValue:
        """Look at the page and record it, without doing anything: what a run begins with."""
        return await in_browser_thread(self._step(None))

    async def _step(self, action: Action | None, *, said: str = "", error: str = "") -> JsonValue:
        session, context = self.session, self.context
        if action is not None:
            error = error or await perform(session, _respell(action, self._with_addresses))
        rules: ObservationRules = "full" if context.conditions.get("observation") == "full" else "reference"
        settled, shown = await observe_at_rest(session, rules)
        text, media = "", []
        if isinstance(shown, PageFault):
            error = f"{error}; {shown}" if error else str(shown)
        else:
            text = self._plain(shown.text)
            name = f"step-{len(self.actions):02}.jpg"
            media.append(context.store.put_bytes(shown.picture_jpeg, name=name, media_type="image/jpeg"))
        error = self._plain(error)
        did = _respell(action, self._plain) if action else ()  # a record keeps placeholders
        context.steps.add(said, did=did, saw=text, media=media, error=error, by="environment")
        self.facts["steps"] = len(self.actions)
        if stop := find_early_stop(self.actions, max_steps=self._step_limit):
            self.ended = f"Early stop: {stop.reason}"
        self.seen = {
            "text": text,
            "url": self._plain(session.url),
            "picture": media[0].model_dump(mode="json") if media else None,
            "error": error,
            "settled": settled.as_json(),
            "ended": self.ended,
        }
        return self.seen

    async def _read(self, read: EvidenceRead, store: FileStore) -> ReadResult:
        helpers = LiveHelpers(self.sites, self.session.options.guard)
        reader = SessionReader(self.session, helpers, expand=self.sites.expand, plain=self._plain)
        return await reader.read(read, store)

    def _plain(self, text: str) -> str:
        return self.session.options.clean(self.sites.contract(text))

    def _with_addresses(self, text: str) -> str:
        for name, address in self.sites.addresses.items():  # a subject may name a site that nobody knows
            text = text.replace(f"__{name.upper()}__", address)
        return text

    def _parse(self, said: str) -> tuple[Action, str]:
        wide = self.context.conditions.get("grammar") == "wide"
        names = {PUBLIC_NAMES.get(name, name): site.address for name, site in self.sites.sites.items()}
        try:
            return parse_action(extract_action(said, names), "wide" if wide else "reference"), ""
        except UnreadableAction as error:
            return NO_OP, str(error)

    @property
    def _step_limit(self) -> int:
        return int(self.context.conditions.get("step_limit") or MAX_STEPS)


def _respell(action: Action, spell: Callable[[str], str]) -> Action:
    """Return an action with every text in it written in another way."""
    texts = {name: spell(each) for name, each in action.arguments.items() if isinstance(each, str)}
    return action.model_copy(update={"arguments": {**action.arguments, **texts}})
