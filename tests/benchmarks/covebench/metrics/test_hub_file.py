"""covebench: the file that names weights, programs and scores."""

from pathlib import Path

import pytest

from cutscore.benchmarks.covebench.metrics import hub_file
from cutscore.benchmarks.covebench.metrics.hub_file import read_hub_file
from cutscore.core.errors import BadInput


def test_the_example_can_be_read_and_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    example = (hub_file.__doc__ or "").split("\n\n", 1)[1].rsplit("\n\n", 1)[0]
    (tmp_path / "hub.toml").write_text(example)
    read = read_hub_file(tmp_path / "hub.toml")
    assert read.named == ("aes", "clip", "vqr", "src", "tq", "mf")
    assert read.aes is not None
    assert read.aes.paths == (tmp_path / "siglip-so400m", tmp_path / "aesthetic_predictor_v2_5.pth")
    assert read.mf is not None
    assert read.mf.program[0] == "python"


def test_a_metric_that_is_not_named_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "hub.toml").write_text('[clip]\nweights = "/models/clip"\n')
    read = read_hub_file(tmp_path / "hub.toml")
    assert (read.named, read.clip and read.clip.weights) == (("clip",), Path("/models/clip"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("aes = 1", "aes"),
        ('[aes]\nweights = "x"', "head"),
        ('[vqa]\nweights = "x"', "vqa"),
        ("[tq]\n", "name either scores or a program"),
        ('[tq]\nscores = "a.csv"\nprogram = ["x", "{video}"]', "name either scores or a program"),
        ('[tq]\nprogram = ["x"]', "the program is not told of {video}"),
        ('[clip]\nweights = "x"\nsha256 = "abc"', "sha256"),
        ("[clip", "is not TOML"),
    ],
)
def test_another_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "hub.toml").write_text(text)
    with pytest.raises(BadInput, match=r"hub file '.*hub.toml'") as refused:
        read_hub_file(tmp_path / "hub.toml")
    assert said in str(refused.value)
    with pytest.raises(BadInput, match="cannot be read: No such file or directory; correct --set hub=FILE"):
        read_hub_file(tmp_path / "none.toml")
