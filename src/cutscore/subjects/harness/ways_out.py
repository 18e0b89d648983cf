"""The ways out of an agent's box: to its model, and to package indexes where the network is `packages`.

translated      the endpoint answers by the model of the evaluation, whatever provider that has
pass-through    the agent's own requests go to the server of its model's provider
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue

from cutscore.core.condition import GENERATION
from cutscore.core.errors import BadInput, Unscored
from cutscore.core.subject import WorkContext
from cutscore.environments.sandbox.layout import SOCKETS
from cutscore.environments.sandbox.package_index import PackageIndexes, find_indexes
from cutscore.environments.sandbox.package_proxy import PORT as PROXY_PORT
from cutscore.environments.sandbox.package_proxy import PackageProxy, proxy_env
from cutscore.models.endpoint.provider_server import require_wire
from cutscore.subjects.harness.adapter import PORT, HarnessAdapter

if TYPE_CHECKING:
    from cutscore.models.endpoint.exchange import AnswerRequest

MODEL_PATH, PASS_THROUGH = "model_path", "pass-through"
NETWORK, PACKAGES = "network", "packages"
MODEL_SOCKET, PROXY_SOCKET = "model.sock", "packages.sock"


@dataclass(frozen=True)
class WaysOut:
    """The ways out of one sample's box, open.

    Args:
        model: Under which name the agent asks for its model.
        answer, count: Who answers its requests, and counts tokens for it.
    """

    model: str
    answer: AnswerRequest
    count: AnswerRequest | None = None
    proxy: PackageProxy | None = None
    indexes: PackageIndexes | None = None

    @property
    def ports(self) -> dict[int, str]:
        """Where each port of the box's loopback leads: sockets, as the box sees them."""
        more = {PROXY_PORT: f"{SOCKETS}/{PROXY_SOCKET}"} if self.proxy else {}
        return {PORT: f"{SOCKETS}/{MODEL_SOCKET}", **more}

    @property
    def env(self) -> dict[str, str]:
        """Variables of programs in the box."""
        return proxy_env(self.indexes) if self.indexes else {}

    @property
    def facts(self) -> dict[str, JsonValue]:
        """What a row tells of them: hosts that were asked for in vain, indexes that were left out."""
        if self.proxy is None or self.indexes is None:
            return {}
        return {
            "refused_hosts": dict(sorted(self.proxy.refused.items())),
            "indexes_with_password": self.indexes.left_out,
        }


def check_ways(adapter: HarnessAdapter, model: str, conditions: Mapping[str, str]) -> None:
    """Raise BadInput where these ways cannot be; a model that is not named yet is not looked at."""
    if conditions.get(MODEL_PATH) == PASS_THROUGH:
        if model:
            require_wire(model, adapter.wire, f"agent '{adapter.name}'")
        if set_here := [name for name in GENERATION if conditions.get(name)]:
            what = f"--set {set_here[0]}={conditions[set_here[0]]}"
            fact = "cannot reach the model: an agent's requests pass through as they are"
            raise BadInput(what, fact, "leave it out, or take '--set model_path=translated'")
    if conditions.get(NETWORK) == PACKAGES and conditions.get("isolation") == "none":
        raise BadInput("--set network=packages", "cannot be held without a box", "leave out '--set isolation=none'")


@asynccontextmanager
async def open_ways(adapter: HarnessAdapter, name: str, context: WorkContext, sockets: Path) -> AsyncIterator[WaysOut]:
    """Open the ways that the conditions name; a translated model is asked for by `name`."""
    from cutscore.models.endpoint.translated import answer_by_model

    async with AsyncExitStack() as stack:
        if context.conditions.get(MODEL_PATH) == PASS_THROUGH:
            ways = await stack.enter_async_context(_open_pass_through(adapter, context))
        else:
            ways = WaysOut(name, answer_by_model())
        if context.conditions.get(NETWORK) == PACKAGES:
            indexes, model = find_indexes(), {("127.0.0.1", PORT): sockets / MODEL_SOCKET}
            ways = replace(ways, indexes=indexes, proxy=(proxy := PackageProxy(indexes.allowed, model)))
            await stack.enter_async_context(proxy.serve(sockets / PROXY_SOCKET))
        yield ways


@asynccontextmanager
async def _open_pass_through(adapter: HarnessAdapter, context: WorkContext) -> AsyncIterator[WaysOut]:
    from inspect_ai.model import get_model

    from cutscore.models.endpoint.pass_through import open_pass_through

    model = get_model()
    check_ways(adapter, str(model), context.conditions)
    async with open_pass_through(model, adapter.wire, context.tally) as way:
        try:
            yield WaysOut(way.server.model, way.answer, way.count)
        finally:
            # The agent has tried as often as it does; a provider that keeps failing is left in peace.
            if isinstance(context.tally.unanswered, Unscored):
                context.tally.on_failure()
