"""A dated list of prices: Table 7 of AgenticVBench by hand, and what makes a cost unknown."""

from pathlib import Path

import pytest

from cutscore.core.errors import BadInput
from cutscore.core.usage import ZERO_USAGE, Usage
from cutscore.ledger.price_file import PriceFile, read_price_file

HEAD = 'source = "ours"\ndate = 2026-11-01\n'
MILLION = 1_000_000
EACH = Usage(input=MILLION, cached=MILLION, cache_write=MILLION, output=MILLION, reasoning=MILLION)


@pytest.fixture
def paper(repository: Path) -> PriceFile:
    return read_price_file(repository / "src/cutscore/benchmarks/agenticvbench/prices.toml")


@pytest.mark.parametrize(
    ("model", "usd"),
    [
        ("anthropic/claude-opus-4-7", 5 + 0.5 + 6.25 + 2 * 25),
        ("anthropic/claude-sonnet-4-6", 3 + 0.3 + 3.75 + 2 * 15),
        ("openai/gpt-5.5", 5 + 0.5 + 5 + 2 * 30),
        ("openai/gpt-5.4-mini", 0.75 + 0.075 + 0.75 + 2 * 4.5),
        ("google/gemini-3.1-pro-preview", 2 + 0.2 + 0 + 2 * 12),
        ("gemini-3-flash-preview", 0.5 + 0.05 + 0 + 2 * 3),
        ("openrouter/qwen/qwen3-vl-235b-a22b-instruct", 0.2 + 0.2 + 0.2 + 2 * 0.88),
    ],
)
def test_a_million_tokens_in_each_bucket_cost_what_table_7_says(paper: PriceFile, model: str, usd: float) -> None:
    """Reasoning costs what output costs."""
    assert paper.cost_usd(model, EACH) == pytest.approx(usd)


def test_the_list_has_seven_models_and_a_day(paper: PriceFile) -> None:
    assert len(paper.models) == 7
    assert paper.title == "AgenticVBench, Table 7, 2026-05-26"


@pytest.mark.parametrize(
    ("model", "untold", "usd"),
    [
        # Claude's cache writes cost more than input: without their number nothing is known.
        ("claude-opus-4-7", "cache_write", None),
        ("claude-opus-4-7", "cached", None),
        # OpenAI's cost what input costs, and are in the count of input.
        ("gpt-5.5", "cache_write", 5 + 0.5 + 2 * 30),
        ("gpt-5.5", "cached", None),
        # Gemini's cost nothing.
        ("gemini-3.1-pro-preview", "cache_write", 2 + 0.2 + 2 * 12),
        ("qwen3-vl-235b-a22b-instruct", "cached", 0.2 + 0.2 + 2 * 0.88),
        # Who does not tell reasoning apart has it in output.
        ("claude-opus-4-7", "reasoning", 5 + 0.5 + 6.25 + 25),
        ("claude-opus-4-7", "output", None),
    ],
)
def test_an_unknown_bucket_makes_the_cost_unknown_where_it_matters(
    paper: PriceFile, model: str, untold: str, usd: float | None
) -> None:
    found = paper.cost_usd(model, EACH.model_copy(update={untold: None}))
    assert found == (None if usd is None else pytest.approx(usd))


def test_no_tokens_known_and_no_price_are_unknown_and_no_call_is_free(paper: PriceFile) -> None:
    assert paper.cost_usd("gpt-5.5", None) is None
    assert paper.cost_usd("gpt-5.5", Usage()) is None
    assert paper.cost_usd("gpt-9", EACH) is None
    assert paper.cost_usd("gpt-5.5", ZERO_USAGE) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("source = [", "is not TOML: "),
        ('source = "ours"\n[prices]', "date: Field required; write source, date"),
        (HEAD + '[prices."a/b"]\nper_call_usd = 0.1', "'a/b' has a price for each call, and rows do not keep"),
        (HEAD + '[prices."a/b"]\ninput_usd_per_mtok = 1', "set input_usd_per_mtok and output_usd_per_mtok"),
        (HEAD + '[prices."a/b"]\ninput = 1', "prices.a/b.input: Extra inputs are not permitted"),
    ],
)
def test_a_faulty_list_is_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        read_price_file(file)
    assert said in str(refused.value)


def test_a_missing_list_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"prices '.*none.toml': No such file or directory"):
        read_price_file(tmp_path / "none.toml")
