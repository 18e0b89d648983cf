"""Texts as vectors, by weights that come inside a package: the extra `embed`.

WordLlama keeps one vector for each of 32,000 pieces of words; a text is the mean of its pieces. That is fast, needs no
torch and is the same on every machine, but it knows topics rather than truth: "add salt" and "leave out the salt" are
near each other. Scores that stand on it say so by their matcher's name.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cutscore.core.errors import BrokenData, MissingExtra

PACKAGE = "wordllama"
WEIGHTS, TOKENS = "weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json"

Vectors = npt.NDArray[np.float32]


def embed(texts: Sequence[str]) -> Vectors:
    """Return one vector of length 1 for each text, whatever its capitals; that of a text without any word is 0."""
    tokens, pieces = _load_weights()
    found = np.zeros((len(texts), pieces.shape[1]), np.float32)
    for row, text in enumerate(texts):
        # A capital makes other pieces: "Dice an onion" would be farther from "dice an onion" than from anything else.
        ids = tokens.encode(text.lower(), add_special_tokens=False).ids if text.strip() else []
        if ids:
            mean = pieces[ids].astype(np.float32).mean(axis=0)
            found[row] = mean / (np.linalg.norm(mean) or 1.0)
    return found


@cache
def _load_weights() -> tuple[Any, npt.NDArray[np.float16]]:
    """Read the two files directly: the package's own loader would look for one of them in the network."""
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer
    except ModuleNotFoundError as error:
        raise MissingExtra.of("matching by embedding", "embed") from error
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise MissingExtra.of("matching by embedding", "embed")
    folder = Path(next(iter(spec.submodule_search_locations)))
    missing = next((name for name in (WEIGHTS, TOKENS) if not (folder / name).is_file()), None)
    if missing:
        raise BrokenData(f"package '{PACKAGE}'", f"has no {missing}", "install the version that cutscore names")
    pieces = load_file(folder / WEIGHTS)["embedding.weight"]
    return Tokenizer.from_file(str(folder / TOKENS)), pieces
