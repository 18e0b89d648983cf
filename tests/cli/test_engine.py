"""`--engine` and `--address`: what is said before anything runs."""

from pathlib import Path

import pytest


@pytest.mark.parametrize("words", [("run", "colorbars", "--subject", "null"), ("sweep", "sweep.toml")])
def test_an_address_is_for_ray_alone(cli, words: tuple[str, ...]) -> None:
    Path("sweep.toml").write_text('benchmarks = ["colorbars"]\n[[stack]]\nsubject = "null"\n')
    ran = cli(*words, "--address", "10.0.0.5:6379")
    assert ran.code == 2
    assert ran.err == (
        "error: --address '10.0.0.5:6379': names a Ray cluster, and the engine is inline; add --engine ray\n"
    )


@pytest.mark.parametrize("words", [("run", "colorbars", "--subject", "null"), ("sweep", "sweep.toml")])
def test_without_ray_the_extra_is_named(cli, words: tuple[str, ...]) -> None:
    Path("sweep.toml").write_text('benchmarks = ["colorbars"]\n[[stack]]\nsubject = "null"\n')
    ran = cli(*words, "--engine", "ray")
    assert ran.code == 3
    assert ran.said[-1] == "error: engine 'ray' needs an extra: pip install 'cutscore[ray]'"
