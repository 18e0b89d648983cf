"""The price before a run starts: what is counted, what is assumed, what is refused, and how near it comes."""

import base64
import json
import math
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest


def test_a_dry_run_needs_no_key_and_says_dollars_with_every_assumption(
    cli: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    words = ("run", "vidwork", "--model", "openai/gpt-4o", "--dry-run")
    thrice = cli(*words, "--epochs", 3)
    assert thrice.code == 0, thrice.err
    lines = thrice.out.splitlines()
    assert re.fullmatch(r"  subject openai/gpt-4o: 492 calls, [\d,]+ frames of 426×240", lines[4])
    assert re.fullmatch(r"    [\d,]+ tokens in, 49,200 out: \$\d+\.\d\d", lines[5])
    said = "\n".join(lines)
    assert "frames: 85 tokens a frame and 170 a tile of 512 px, by the published rule of 2025-08" in said
    assert "text: 4 characters a token, a guess" in said
    assert "answers: 100 tokens each, as the card says; hidden reasoning not counted" in said
    assert re.search(r"^prices: genai-prices [\d.]+ of \d{4}-\d\d-\d\d$", said, re.M)
    all_three, once = (cli(*words, "--epochs", epochs, "--json").json["price_usd"] for epochs in (3, 1))
    assert once == pytest.approx(all_three / 3)
    assert not Path("logs").exists()


def test_what_a_judge_would_be_asked_is_counted(cli: Any) -> None:
    words = ("run", "colorbars", "--subject", "blind", "--limit", 6, "--dry-run", "--json")
    one, three = (
        cli(*words, "--judge", "openai/gpt-4o", "--votes", votes).json["cells"][0]["price"]["calls"][0]
        for votes in (1, 3)
    )
    assert (one["role"], one["calls"], three["calls"]) == ("judge", 6, 18)
    assert three["usd"] == pytest.approx(3 * one["usd"], rel=1e-6)
    assert one["frames"] > 6
    assert "opinions: 60 tokens for each question, a guess" in one["assumptions"]


def test_an_unknown_price_is_named_and_what_is_known_is_shown(cli: Any, script: Any) -> None:
    model = script()
    ran = cli("run", "colorbars", "--model", model, "--judge", "openai/gpt-4o", "--limit", 3, "--dry-run")
    assert f"  the price of '{model}' is not known" in ran.out.splitlines()
    assert ran.out.splitlines()[-1].endswith(" + unknown")
    plain = cli("run", "colorbars", "--model", model, "--judge", "openai/gpt-4o", "--limit", 3, "--dry-run", "--json")
    assert plain.json["price_usd"] is None
    assert plain.json["price_known_usd"] > 0


def test_a_start_that_cannot_fit_is_refused_with_the_numbers(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    ran = cli("run", "colorbars", "--model", "openai/gpt-4o", "--cost-limit", 0.2)
    assert ran.code == 4
    assert re.search(
        r"error: run: would cost about \$0\.\d\d, at least \$0\.\d\d, and \$0\.20 of --cost-limit \$0\.20 is left; "
        r"raise --cost-limit, or ask less with --limit or --epochs",
        ran.err,
    )
    assert not list(Path("logs").rglob("*.eval"))


def test_finished_samples_tell_the_rest_with_an_interval(cli: Any, script: Any) -> None:
    model = script(usage={"input": 1_000_000, "cached": 0, "cache_write": 0, "output": 0, "reasoning": 0})
    Path("cutscore.toml").write_text(f'[prices."{model}"]\ninput_usd_per_mtok = 0.5\noutput_usd_per_mtok = 1\n')
    ran = cli("run", "colorbars", "--model", model, "--limit", 2, "--json")
    assert ran.json["spent_usd"] == 1.0
    assert 0 < ran.json["estimated_usd"] < 0.01, "a script charges what it likes"
    plan = cli("run", "colorbars", "--model", model, "--limit", 6, "--dry-run")
    assert ": $2.00 [$2.00, $2.00] to go of $3.00, by what 2 finished samples cost\n" in plan.out
    assert "\nestimated $0.50, was $0.50\n" in cli("run", "colorbars", "--model", model, "--limit", 3).out


class Meter(ThreadingHTTPServer):
    """Answers chat completions, and charges as OpenAI publishes it for gpt-4o, by the pictures that it gets."""

    request_queue_size = 128
    says = ""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), MeterHandler)


class MeterHandler(BaseHTTPRequestHandler):
    server: Meter

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        read = 3 + sum(charge(part) for message in asked["messages"] for part in parts_of(message))
        says = self.server.says
        written = charge({"type": "text", "text": says})
        usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        choice = {"index": 0, "message": {"role": "assistant", "content": says}, "finish_reason": "stop"}
        body = {"id": "1", "object": "chat.completion", "created": 0, "model": "gpt-4o", "choices": [choice]}
        data = json.dumps({**body, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        pass


def parts_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def charge(part: dict[str, Any]) -> int:
    """Count a text by its words, numbers and marks, a picture by its tiles, from the bytes themselves."""
    if part["type"] == "text":
        return len(re.findall(r"[A-Za-z]{1,7}|\d{1,3}|[^\sA-Za-z\d]", part["text"]))
    data = base64.b64decode(part["image_url"]["url"].partition(",")[2])
    at = 2
    while data[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    high, wide = (int.from_bytes(data[at + place : at + place + 2]) for place in (5, 7))
    shrink = min(1, 2048 / max(wide, high), 768 / min(wide, high))
    return 85 + 170 * math.ceil(wide * shrink / 512) * math.ceil(high * shrink / 512)


@pytest.fixture
def meter() -> Iterator[Meter]:
    with Meter() as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


# What the prompts of each benchmark ask for: one word, or a few steps and a line that ends in the answer.
STEPS = "\n".join(f"{number}. The hand turns the third screw with the small driver." for number in range(1, 7))
SAID = {"colorbars": "It is red.", "vidwork": f"{STEPS}\nANSWER: before"}


@pytest.mark.parametrize("bench", SAID)
def test_an_estimate_is_within_15_percent_of_what_a_server_charges(
    cli: Any, meter: Meter, monkeypatch: pytest.MonkeyPatch, bench: str
) -> None:
    pytest.importorskip("openai", reason="Inspect's provider for OpenAI-compatible servers needs the package openai")
    # Inspect keeps a model once it is made, so each server has a name of its own.
    monkeypatch.setenv(f"{bench.upper()}_BASE_URL", f"http://127.0.0.1:{meter.server_port}/v1")
    monkeypatch.setenv(f"{bench.upper()}_API_KEY", "none")
    meter.says, model = SAID[bench], f"openai-api/{bench}/gpt-4o"
    Path("cutscore.toml").write_text(f'[prices."{model}"]\ninput_usd_per_mtok = 2.5\noutput_usd_per_mtok = 10\n')
    words = ("run", bench, "--model", model, "--limit", 20)
    planned = cli(*words, "--dry-run", "--json").json["price_usd"]
    ran = cli(*words, "--json")
    assert ran.code == 0, ran.err
    assert ran.json["estimated_usd"] == pytest.approx(planned)
    assert ran.json["spent_usd"] == pytest.approx(ran.json["cost_usd"])
    assert ran.json["estimated_usd"] == pytest.approx(ran.json["spent_usd"], rel=0.15)
