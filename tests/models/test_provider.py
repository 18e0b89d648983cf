"""What a model is made of, and whether it can be asked from here."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from cutscore.core.errors import BadInput, BrokenData, Stopped
from cutscore.models import provider
from cutscore.models.provider import find_script, require_reachable, script_digest
from cutscore.models.scripted import read_script


def test_a_script_is_known_by_its_words(tmp_path: Path) -> None:
    script = tmp_path / "s.json"
    script.write_bytes(b'{"otherwise": ["red"]}')
    first = script_digest(f"scripted/{script}")
    assert first == hashlib.sha256(script.read_bytes()).hexdigest()
    script.write_bytes(b'{"otherwise": ["blue"]}')
    assert script_digest(f"scripted/{script}") != first


@pytest.mark.parametrize("model", ["", "openai/x.json", "scripted/hello", "scripted/nope.json", "scripted/"])
def test_what_we_cannot_know_is_nothing(model: str) -> None:
    assert script_digest(model) == ""


def test_only_a_script_is_read(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("{}", encoding="utf-8")
    assert script_digest(f"scripted/{tmp_path / 'words'}") == ""


def test_a_fingerprint_needs_no_inspect() -> None:
    code = "import sys, cutscore.models.provider, cutscore.models.provider; sys.exit('inspect_ai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_models_that_can_be_asked_pass() -> None:
    require_reachable("scripted/hello")


def test_an_unknown_provider_is_bad_input() -> None:
    with pytest.raises(BadInput, match=r"model 'nosuch/x': cannot be used: .*nosuch.*; write PROVIDER/NAME"):
        require_reachable("nosuch/x")


def test_a_wrong_script_says_so_itself() -> None:
    with pytest.raises(BrokenData, match=r"script 'nope\.json': No such file"):
        require_reachable("scripted/nope.json")


def test_what_inspect_lacks_stops_without_its_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    class PrerequisiteError(Exception):
        pass

    def lacking(_: str) -> None:
        raise PrerequisiteError("[bold]ERROR[/bold]: No key.\n\nSet [bold]X_API_KEY[/bold]")

    monkeypatch.setattr("inspect_ai.model.get_model", lacking)
    with pytest.raises(Stopped) as caught:
        require_reachable("openai/x")
    assert str(caught.value) == "model 'openai/x': No key. Set X_API_KEY; see 'cutscore doctor'"


def test_inspect_still_calls_it_so() -> None:
    from inspect_ai._util.error import PrerequisiteError

    assert PrerequisiteError.__name__ == "PrerequisiteError"
    assert "hf" in provider.LOADING


def test_weights_are_not_loaded_to_find_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def loading(_: str) -> None:
        raise AssertionError("weights were loaded")

    monkeypatch.setattr("inspect_ai.model.get_model", loading)
    require_reachable("hf/some/model")


def test_a_script_of_ours_gives_way_to_one_of_the_same_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ours = script_digest("scripted/sequencing.json")
    assert ours
    assert script_digest("scripted/elsewhere/sequencing.json") == "", "a path is nobody's but the user's"
    Path("sequencing.json").write_text("{}")
    assert find_script("sequencing.json") == Path("sequencing.json")
    assert script_digest("scripted/sequencing.json") != ours


def test_scripts_of_ours_can_be_played() -> None:
    for file in (Path(provider.__file__).parent / "scripts").glob("*.json"):
        assert read_script(file.name).turns
