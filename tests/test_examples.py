"""The examples are what they say: a settings file with every setting, and a sweep that can be read."""

import re
import tomllib
from pathlib import Path

from cutscore.registry import benchmarks
from cutscore.settings import VARIABLES, Settings, load_settings
from cutscore.subjects.choose import kinds


def test_the_settings_example_loads_and_names_every_setting(repository: Path) -> None:
    load_settings(repository / "examples", environ={})
    text = (repository / "examples" / "cutscore.toml").read_text(encoding="utf-8")
    shown = set(re.findall(r"^(?:# )?([a-z_]+) = ", text, re.M)) | set(re.findall(r"^\[([a-z]+)", text, re.M))
    assert set(Settings.model_fields) <= shown
    assert set(VARIABLES) == set(re.findall(r"\bCUTSCORE_[A-Z_]+", text))


def test_every_line_of_the_settings_example_is_understood(repository: Path, tmp_path: Path) -> None:
    text = (repository / "examples" / "cutscore.toml").read_text(encoding="utf-8")
    (tmp_path / "cutscore.toml").write_text(re.sub(r'^# (?=[a-z"][\w"/]* = )', "", text, flags=re.M), encoding="utf-8")
    read = load_settings(tmp_path, environ={})
    assert read.workers == 4
    assert read.secret_env == ("MY_PASS",)
    assert read.prompts == {"colorbars/ask": tmp_path / "prompts" / "ask.md"}


def test_the_sweep_example_names_what_exists(repository: Path) -> None:
    sweep = tomllib.loads((repository / "examples" / "sweep.toml").read_text(encoding="utf-8"))
    assert set(sweep["benchmarks"]) <= benchmarks().keys()
    assert len(sweep["stack"]) == 3
    assert {stack["subject"] for stack in sweep["stack"]} <= set(kinds())
