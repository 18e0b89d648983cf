"""The providers whose own servers speak an agent's wire: where each is, and how it takes its key.

Addresses and keys are those that Inspect's provider of the same name has: `--model` means the same on both paths.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cutscore.core.errors import BadInput, Stopped
from cutscore.models.endpoint.wire import WireName

if TYPE_CHECKING:
    from inspect_ai.model import Model

OWN = "openai-api"  # any server that speaks like OpenAI's: openai-api/NAME/MODEL
KEY_HEADERS = frozenset({"authorization", "x-api-key", "x-goog-api-key", "api-key", "proxy-authorization"})


@dataclass(frozen=True)
class ProviderApi:
    """What a provider's server speaks.

    Args:
        url: Its address, where no variable names another.
        prefix: The part of a client's path that this address has already.
        variables: The beginning of the names of its variables, `…_BASE_URL` and `…_API_KEY`; the first one that is set.
    """

    wires: tuple[WireName, ...]
    url: str
    variables: tuple[str, ...]
    key_header: str = "authorization"
    prefix: str = "/v1"


APIS: Mapping[str, ProviderApi] = {
    "anthropic": ProviderApi(("messages",), "https://api.anthropic.com", ("ANTHROPIC",), "x-api-key", ""),
    "openai": ProviderApi(("responses", "chat"), "https://api.openai.com/v1", ("OPENAI",)),
    "google": ProviderApi(
        ("gemini",), "https://generativelanguage.googleapis.com", ("GOOGLE", "GEMINI"), "x-goog-api-key", ""
    ),
    "openrouter": ProviderApi(("chat",), "https://openrouter.ai/api/v1", ("OPENROUTER",)),
    OWN: ProviderApi(("chat", "responses"), "", ()),
}


@dataclass(frozen=True)
class ProviderServer:
    """A server that is asked for one model.

    Args:
        provider: What stands before the names of its models, in Inspect's words.
        model: What the server itself calls the model.
    """

    provider: str
    model: str
    url: str
    prefix: str
    key_header: str
    key: str = field(repr=False)

    def address(self, path: str) -> str:
        """Return the address of what a client asks for by a path.

        >>> server = ProviderServer("openai", "m", "https://host/v1/", "/v1", "authorization", "k")
        >>> server.address("/v1/responses?x=1")
        'https://host/v1/responses?x=1'
        """
        return self.url.rstrip("/") + path.removeprefix(self.prefix)

    @property
    def key_value(self) -> str:
        """What its key header says."""
        return f"Bearer {self.key}" if self.key_header == "authorization" else self.key


def split_model(model: str) -> tuple[str, str]:
    """Return what Inspect calls the provider of a model, and what the provider's server calls the model.

    >>> split_model("openai-api/my-box/qwen/qwen3"), split_model("openrouter/lab/m"), split_model("openai/azure/m")
    (('openai-api/my-box', 'qwen/qwen3'), ('openrouter', 'lab/m'), ('openai/azure', 'm'))
    """
    provider, _, name = model.partition("/")
    if provider == "openrouter" or "/" not in name:
        return provider, name
    service, _, name = name.partition("/")
    return f"{provider}/{service}", name


def find_api(model: str) -> ProviderApi | None:
    """Return what the server of a model speaks; None where it is none of those that are known."""
    provider, _ = split_model(model)
    return APIS.get(OWN if provider.startswith(f"{OWN}/") else provider)


def require_wire(model: str, wire: WireName, who: str) -> None:
    """Raise BadInput where the server of a model does not speak the wire of an agent."""
    api = find_api(model)
    if api is None or wire not in api.wires:
        fact = f"no server of its provider speaks as {who} does ({wire}), so requests cannot pass through"
        speak = " or ".join(f"'{name}/…'" for name, each in APIS.items() if wire in each.wires)
        raise BadInput(f"model '{model}'", fact, f"take a model {speak}, or '--set model_path=translated'")


def open_server(model: Model) -> ProviderServer:
    """Return the server of a model, with its address and its key as Inspect's provider has them."""
    from inspect_ai.model._providers.util import model_base_url

    provider, name = split_model(str(model))
    api = APIS[provider.partition("/")[0]]
    starts = api.variables or (provider.partition("/")[2].upper().replace("-", "_"),)
    key = getattr(model.api, "api_key", None) or next(
        (found for start in starts if (found := os.environ.get(f"{start}_API_KEY"))), None
    )
    url = model_base_url(model.api.base_url, f"{starts[0]}_BASE_URL") or api.url
    if not key or not url:
        lacks = f"{starts[0]}_{'BASE_URL' if key else 'API_KEY'}"
        raise Stopped(f"model '{model}'", f"the variable {lacks} is not set", "set it, or see 'cutscore doctor'")
    return ProviderServer(provider, name, url, api.prefix, api.key_header, key)
