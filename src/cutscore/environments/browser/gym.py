"""A session as a Gymnasium environment, for agents that are written against that interface. Needs `gymnasium`.

    env = make_env(["http://127.0.0.1:7770"], folder=Path("record"))
    seen, _ = env.reset()
    seen, reward, terminated, truncated, info = env.step("click [3]")

Actions are texts of the grammar. An observation has `text`, `url` and `picture`, a JPEG as bytes. There is no reward: a
verdict needs evidence and a marker, and both come after the run.
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from cutscore.core.errors import MissingExtra
from cutscore.core.trajectory import Action
from cutscore.environments.browser.act import perform
from cutscore.environments.browser.grammar import (
    MAX_STEPS,
    NO_OP,
    Grammar,
    UnreadableAction,
    find_early_stop,
    parse_action,
)
from cutscore.environments.browser.guard import AddressGuard
from cutscore.environments.browser.marks import ObservationRules, observe_at_rest
from cutscore.environments.browser.opening import open_session
from cutscore.environments.browser.session import BrowserSession, PageFault, SessionOptions
from cutscore.environments.browser.shared_browser import browser_thread


def make_env(start_pages: Sequence[str], **options: Any) -> Any:
    """Return a `BrowserEnv` that is a `gymnasium.Env`; the options are those of `BrowserEnv`."""
    try:
        gymnasium = import_module("gymnasium")
    except ImportError as error:
        raise MissingExtra.of("a Gymnasium environment", "gym") from error
    text = gymnasium.spaces.Text(1_000_000, min_length=0)
    spaces = {"action_space": text, "observation_space": gymnasium.spaces.Dict({"text": text, "url": text})}
    return type("GymnasiumBrowserEnv", (BrowserEnv, gymnasium.Env), spaces)(start_pages, **options)


class BrowserEnv:
    """Pages that begin at the start pages and may go nowhere but to their hosts and ports."""

    def __init__(
        self,
        start_pages: Sequence[str],
        *,
        folder: Path,
        grammar: Grammar = "reference",
        rules: ObservationRules = "reference",
        max_steps: int = MAX_STEPS,
    ) -> None:
        self._pages, self._folder, self._grammar, self._rules = start_pages, folder, grammar, rules
        self._max_steps = max_steps
        self._session: BrowserSession | None = None
        self._actions: list[Action] = []

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], Any]:
        """Begin anew in a session of its own; pages have no seed."""
        self.close()
        self._actions = []
        self._session = browser_thread().submit(self._open()).result()
        return self._look("")[0], {}

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Do one action; `terminated` after `stop`, `truncated` where the run is ended early."""
        error = ""
        try:
            done = parse_action(action, self._grammar)
        except UnreadableAction as fault:
            done, error = NO_OP, str(fault)
        self._actions.append(done)
        error = error or browser_thread().submit(perform(self._open_session, done)).result()
        seen, error = self._look(error)
        stop = find_early_stop(self._actions, max_steps=self._max_steps)
        return seen, 0.0, done.tool == "stop", stop is not None, {"error": error, "ended": stop.reason if stop else ""}

    def close(self) -> None:
        """End the session."""
        if self._session is not None:
            browser_thread().submit(self._session.close()).result()
            self._session = None

    @property
    def _open_session(self) -> BrowserSession:
        if self._session is None:
            raise RuntimeError("call reset() first")
        return self._session

    async def _open(self) -> BrowserSession:
        session = await open_session(SessionOptions(AddressGuard.of(self._pages), self._folder))
        for number, page in enumerate(self._pages):
            if number:
                await session.new_tab()
            await session.open(page)
        return session

    def _look(self, error: str) -> tuple[dict[str, Any], str]:
        return browser_thread().submit(self._look_there(error)).result()

    async def _look_there(self, error: str) -> tuple[dict[str, Any], str]:
        session = self._open_session
        _, seen = await observe_at_rest(session, self._rules)
        if isinstance(seen, PageFault):
            return {"text": "", "url": session.url, "picture": b""}, error or str(seen)
        return {"text": seen.text, "url": seen.url, "picture": seen.picture_jpeg}, error
