"""What a reply tells of the machine that the model is asked from: nothing."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.model._model import init_active_model

import cutscore.models.scripted  # noqa: F401  # registers it
from cutscore.models.endpoint.server import Endpoint
from cutscore.models.endpoint.translated import answer_by_model

pytestmark = pytest.mark.real  # the libraries of all four wires are loaded

ASKS: dict[str, dict[str, Any]] = {
    "/v1/messages": {"model": "model", "max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]},
    "/v1/responses": {"model": "model", "input": "hi"},
    "/v1/chat/completions": {"model": "model", "messages": [{"role": "user", "content": "hi"}]},
    "/v1beta/models/model:generateContent": {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]},
}


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("path", ASKS)
def test_no_reply_names_the_place_of_a_script(path: str, fails: bool, tmp_path: Path) -> None:
    from aiohttp import ClientSession, UnixConnector

    script = tmp_path / "script.json"
    script.write_text(json.dumps({"faults": [{"kind": "400", "times": 9}]} if fails else {}))

    async def ask(stream: bool) -> str:
        init_active_model(get_model(f"scripted/{script}"), GenerateConfig())
        async with (
            Endpoint(answer_by_model()).serve(tmp_path / "s"),
            ClientSession(connector=UnixConnector(str(tmp_path / "s"))) as client,
        ):
            where = path.replace(":generate", ":streamGenerate") if stream else path
            asked = await client.post(f"http://box{where}", json={**ASKS[path], "stream": stream})
            assert asked.status == (400 if fails else 200)
            return await asked.text()

    for stream in (False, True):
        said = asyncio.run(ask(stream))
        assert str(tmp_path) not in said
        assert "scripted" not in said
        if not fails and "generateContent" not in path:
            assert '"model":"model"' in said.replace(" ", "")
