"""Weights from a folder: what may be loaded, as which model, on which device and in which precision.

A folder is what `save_pretrained` writes: `config.json` beside `*.safetensors`, and a tokenizer where the model reads
words. Single files are safetensors, or what torch reads without running code. Nothing is fetched. A folder that holds
another model than the one it is named for is refused: a score must not bear the name of a model that did not make it.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutscore.core.errors import BadInput, BrokenData, MissingExtra

CONFIG = "config.json"
EXTRA = "hub"
BLOCK_BYTES = 1 << 20
OTHER_MODEL = "name the weights of the model that the metric is called after"


@dataclass(frozen=True)
class Placement:
    """Where a model runs, and in which precision: part of every score that it gives."""

    device: str
    dtype: str

    def __str__(self) -> str:
        return f"{self.device}, {self.dtype}"


def import_torch() -> Any:
    """Return torch, or say which extra brings it."""
    try:
        import torch
    except ModuleNotFoundError as error:
        raise MissingExtra.of("a metric with weights", EXTRA) from error
    return torch


def import_transformers() -> Any:
    """Return transformers, or say which extra brings it."""
    try:
        import transformers
    except ModuleNotFoundError as error:
        raise MissingExtra.of("a metric with weights", EXTRA) from error
    return transformers


def choose_placement() -> Placement:
    """Return the GPU with bfloat16, or float16 where it lacks that; the CPU with float32 where there is no GPU."""
    cuda = import_torch().cuda
    if not cuda.is_available():
        return Placement("cpu", "float32")
    return Placement("cuda", "bfloat16" if cuda.is_bf16_supported() else "float16")


def load_model(
    folder: Path, name: str, placement: Placement, *, types: Sequence[str], sizes: Mapping[str, object] | None = None
) -> Any:
    """Return a model of transformers, ready to be asked; every one of its weights comes from the folder.

    Args:
        folder: Weights as safetensors, with their config.
        name: Class in transformers.
        placement: Device and precision.
        types: What the config may call itself.
        sizes: What tells the model from its smaller and larger sisters: values of the config by dotted name.
    """
    check_type(folder, types)
    if not any(folder.glob("*.safetensors")):
        raise BadInput(f"weights '{folder}'", "have no *.safetensors file", "save them as safetensors")
    torch, transformers = import_torch(), import_transformers()
    transformers.logging.disable_progress_bar()
    made = getattr(transformers, name)
    try:
        _check_sizes(folder, made.config_class.from_pretrained(folder, local_files_only=True), sizes or {})
        model, told = made.from_pretrained(
            folder,
            dtype=getattr(torch, placement.dtype),
            local_files_only=True,
            use_safetensors=True,
            trust_remote_code=False,
            output_loading_info=True,
        )
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        fact = f"cannot be loaded as {name}: {str(error).splitlines()[0]}"
        raise BrokenData(f"weights '{folder}'", fact, "fetch them again") from error
    lost = sorted(map(str, (*told["missing_keys"], *told["mismatched_keys"])))
    if lost:  # transformers would go on with random numbers in their place
        raise BrokenData(f"weights '{folder}'", f"lack {len(lost)} of {name}, such as {lost[0]}", "fetch them again")
    return model.to(placement.device).eval()


def check_type(folder: Path, types: Sequence[str]) -> None:
    """Refuse a folder of weights whose config is another model's.

    >>> check_type(Path("nowhere"), ["clip"])
    Traceback (most recent call last):
    cutscore.core.errors.BadInput: weights 'nowhere': have no config.json; name a folder with config and safetensors
    """
    file = folder / CONFIG
    if not file.is_file():
        raise BadInput(f"weights '{folder}'", f"have no {CONFIG}", "name a folder with config and safetensors")
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
        found = plain["model_type"]
    except (ValueError, KeyError, TypeError) as error:
        raise BrokenData(f"weights '{folder}'", f"{CONFIG} names no model_type", "fetch them again") from error
    if found not in types:
        fact = f"are another model: model_type is '{found}', not '{types[0]}'"
        raise BadInput(f"weights '{folder}'", fact, OTHER_MODEL)


def _check_sizes(folder: Path, config: Any, sizes: Mapping[str, object]) -> None:
    for key, wanted in sizes.items():
        found = config
        for part in key.split("."):
            found = getattr(found, part, None)
        if found != wanted:
            fact = f"are another model: {key} is {found}, not {wanted}"
            raise BadInput(f"weights '{folder}'", fact, OTHER_MODEL)


def load_tensors(file: Path) -> dict[str, Any]:
    """Return named tensors of one file: safetensors, or a pickle of tensors, from which no code is run."""
    if not file.is_file():
        raise BadInput(f"weights '{file}'", "are not there", "name a file")
    torch = import_torch()
    try:
        if file.suffix == ".safetensors":
            from safetensors.torch import load_file

            found = load_file(file)
        else:
            found = torch.load(file, map_location="cpu", weights_only=True)
    except Exception as error:
        raise BrokenData(
            f"weights '{file}'", "are neither safetensors nor plain tensors", "fetch them again"
        ) from error
    if not isinstance(found, dict) or not all(isinstance(each, torch.Tensor) for each in found.values()):
        raise BrokenData(f"weights '{file}'", "are no table of tensors", "fetch them again")
    return found


def digest_of(*paths: Path) -> str:
    """Return one sha256 over the configs, tokenizers and weights at some paths, which says what made a score."""
    whole = hashlib.sha256()
    for path in paths:
        inside = sorted(path.glob("*.safetensors")) + sorted(path.glob("*.json")) if path.is_dir() else [path]
        for file in inside:
            own = hashlib.sha256()
            with file.open("rb") as stream:
                while block := stream.read(BLOCK_BYTES):
                    own.update(block)
            whole.update(f"{file.name} {own.hexdigest()}\n".encode())
    return whole.hexdigest()
