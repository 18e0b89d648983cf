"""The file that names weights, programs and scores for metrics that are not in the package (`--set hub=FILE`).

    [aes]
    weights = "siglip-so400m"              # a folder; paths are relative to this file
    head = "aesthetic_predictor_v2_5.pth"

    [clip]
    weights = "clip-vit-large-patch14"

    [vqr]
    weights = "VisualQuality-R1-7B"

    [src]
    detector = "grounding-dino-base"
    segmenter = "sam2-hiera-large"
    encoder = "dinov2-small"
    entities = "src_entities.json"         # may be left out

    [tq]
    scores = "dover.csv"                   # task_id,score, measured elsewhere

    [mf]
    program = ["python", "track.py", "{source}", "{video}"]      # prints the score in its last line

A metric that is not named is not computed. `sha256` beside any weights pins them (`weights.digest_of`).
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import Field, ValidationError, model_validator

from cutscore.core.errors import BadInput
from cutscore.core.frozen import Finite, FrozenModel, Sha256
from cutscore.core.strict_json import first_fault


class ModelWeights(FrozenModel):
    """A folder of weights, pinned where its digest is given."""

    weights: Path
    sha256: Sha256 | None = None

    @property
    def paths(self) -> tuple[Path, ...]:
        """Everything that makes the model."""
        return (self.weights,)


class AestheticWeights(ModelWeights):
    """SigLIP in a folder and the head in a file."""

    head: Path

    @property
    def paths(self) -> tuple[Path, ...]:
        """Everything that makes the model."""
        return self.weights, self.head


class RegionWeights(FrozenModel):
    """Three folders, and a file of phrases by task."""

    detector: Path
    segmenter: Path
    encoder: Path
    entities: Path | None = None
    sha256: Sha256 | None = None

    @property
    def paths(self) -> tuple[Path, ...]:
        """Everything that makes the models."""
        return self.detector, self.segmenter, self.encoder


class OutsideScores(FrozenModel):
    """Scores that were measured elsewhere, or a program that measures one.

    Args:
        scores: CSV with the columns `task_id` and `score`.
        program: Words of a command, without a shell; `{video}` and `{source}` are clean encodes of the two videos.
        timeout_s: How long it may take for one video.
    """

    scores: Path | None = None
    program: tuple[str, ...] = ()
    timeout_s: Finite = Field(default=600.0, gt=0)

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.scores is None) == (not self.program):
            raise ValueError("name either scores or a program")
        if self.program and not any("{video}" in word for word in self.program):
            raise ValueError("the program is not told of {video}")
        return self


class HubFile(FrozenModel):
    """What each metric is computed with; None where it is not."""

    aes: AestheticWeights | None = None
    clip: ModelWeights | None = None
    vqr: ModelWeights | None = None
    src: RegionWeights | None = None
    tq: OutsideScores | None = None
    mf: OutsideScores | None = None

    @property
    def named(self) -> tuple[str, ...]:
        """Which metrics are computed, by the names of their scores."""
        return tuple(name for name in type(self).model_fields if getattr(self, name) is not None)


def read_hub_file(file: Path) -> HubFile:
    """Read the file; its paths become independent of the working folder."""
    try:
        plain = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"hub file '{file}'", f"cannot be read: {error.strerror}", "correct --set hub=FILE") from error
    except ValueError as error:
        raise BadInput(f"hub file '{file}'", f"is not TOML: {error}", "correct it") from error
    try:
        return HubFile.model_validate({name: _anchor(table, file.parent) for name, table in plain.items()})
    except ValidationError as error:
        raise BadInput(f"hub file '{file}'", first_fault(error), "correct it") from error


def _anchor(table: Any, folder: Path) -> Any:
    if not isinstance(table, Mapping):
        return table
    paths = ("weights", "head", "detector", "segmenter", "encoder", "entities", "scores")
    return {
        key: folder.absolute() / Path(value).expanduser() if key in paths and isinstance(value, str) else value
        for key, value in table.items()
    }
