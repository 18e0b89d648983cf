"""WordLlama's vectors, read from its files."""

import importlib.util

import numpy as np
import pytest

from cutscore.core.errors import MissingExtra
from cutscore.models import embedding
from cutscore.models.embedding import embed


def test_it_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(embedding, "find_spec", lambda name: None)
    embedding._load_weights.cache_clear()
    with pytest.raises(MissingExtra, match=r"pip install 'cutscore\[embed\]'"):
        embed(["a"])


@pytest.fixture
def installed():
    embedding._load_weights.cache_clear()
    if importlib.util.find_spec("wordllama") is None:
        pytest.skip("the extra 'embed' is not installed")


@pytest.mark.usefixtures("installed")
def test_texts_that_mean_the_same_are_nearer_than_others():
    same, other, screw = embed(["Wipe the dust away with a rag", "clean off the dust", "Tighten the screw"])
    assert same @ other > 0.6 > 0.2 > same @ screw


@pytest.mark.usefixtures("installed")
def test_vectors_have_length_one_and_nothing_is_nothing():
    vectors = embed(["Chop the onions", " ", "Zwiebeln 🧅"])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 1], abs=1e-6)
    assert embed(["chop THE onions"])[0] == pytest.approx(vectors[0])


@pytest.mark.usefixtures("installed")
def test_they_are_those_of_the_package_itself():
    """WordLlama's own inference, fed with the same two files."""
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer
    from wordllama.inference import WordLlamaInference

    spec = importlib.util.find_spec("wordllama")
    folder = spec.submodule_search_locations[0]
    pieces = load_file(f"{folder}/{embedding.WEIGHTS}")["embedding.weight"].astype(np.float32)
    tokens = Tokenizer.from_file(f"{folder}/{embedding.TOKENS}")
    texts = ["chop the onions finely", "tighten the screw with 3 turns"]
    theirs = WordLlamaInference(pieces, tokens).embed(texts, norm=True)
    assert (theirs * embed(texts)).sum(axis=1) == pytest.approx([1, 1], abs=1e-5)
